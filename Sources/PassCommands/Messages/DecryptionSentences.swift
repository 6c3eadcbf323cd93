internal import GPGME

extension Failure {
    /// Why a message cannot be decrypted, where GnuPG's own words would not tell.
    static func reason(_ error: GPGMEError) -> Text {
        switch error.code {
        case .noData: "decryption failed: It is not encrypted (no encrypted OpenPGP message)"
        case .notSupported: "decryption failed: It is encrypted with a passphrase, not to a key"
        case .badData:
            "decryption failed: It does not hold one whole plaintext alone, or gpg.conf keeps gpg from giving it"
        case .badSignature: "decryption failed: The signature in it is bad"
        case .noPublicKey: "decryption failed: The key that signed what is in it is not here"
        case .tooLarge: "decryption failed: It holds more than PASSCHAIN_SIZE_LIMIT allows"
        case .noPinentry:
            "decryption failed: The key is locked, and there is no pinentry or terminal to ask for its passphrase"
        case .noAgent:
            "\(error.description): There is no gpg-agent, and gpg may not or cannot start it. Run gpgconf --launch gpg-agent"
        case .outOfMemory:
            "\(error.description): gpg-agent has no secure memory left. Put auto-expand-secmem into gpg-agent.conf"
        case .tooManyFiles, .fileTableFull:
            "\(error.description). Raise the limit (ulimit -n)"
        case .tryAgain:
            "decryption failed: The key is here, but gpg cannot use it or start a process now. Try again"
        case let code where code.isSystemError:
            "decryption failed: GnuPG cannot read its keys: \(code.description). Check the files of its home"
        default: "\(error.description)"
        }
    }
}
