extension GPGMEError.Code {
    /// What the failure of one decryption says about the next one.
    public enum Kind: Sendable, Hashable {
        /// The message is damaged, or is none that is decrypted here.
        case damagedMessage
        /// No secret key for it is here.
        case missingKey
        /// The user was asked, and gave no passphrase that fits.
        case refusedPassphrase
        /// The user cancelled the prompt.
        case canceled
        /// A passphrase is needed, and there is no way to ask for it.
        case lockedKey
        /// Memory, files or processes ran out; another try may succeed.
        case exhausted
        /// Anything else: the agent, the card, the keyring or GnuPG itself cannot be used.
        case unavailable
    }

    /// The one table of what can go wrong with a decryption.
    ///
    /// Only the first two kinds concern one message. With each of the others the next message is likely to fail in the
    /// same way, and a code that is not in this table is not known to be harmless.
    public var kind: Kind {
        switch self {
        case .noData, .truncated, .badData, .notSupported, .unsupportedProtection, .tooLarge,
            .decryptionFailed, .badSignature, .noPublicKey,
            .wrongSecretKey, .damagedObject, .damagedPacket, .damagedNumber, .badChecksum, .unknownPacket,
            .unknownAlgorithm,
            .unknownKeyAlgorithm, .unknownCipher, .unknownCompression:
            .damagedMessage
        case .noSecretKey: .missingKey
        case .badPassphrase, .noPassphrase: .refusedPassphrase
        case .canceled, .fullyCanceled: .canceled
        case .noPinentry, .noTerminal: .lockedKey
        case .outOfMemory, .tooManyFiles, .fileTableFull, .tryAgain: .exhausted
        default: .unavailable
        }
    }

    /// Whether the same operation may succeed a moment later, when others have ended.
    public var mayPass: Bool { kind == .exhausted }

    /// Whether the failure says nothing about other messages.
    public var concernsOneMessage: Bool { kind == .damagedMessage || kind == .missingKey }
}
