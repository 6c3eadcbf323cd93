internal import CGPGME
internal import Glibc

extension GPGMEError {
    /// A number of libgpg-error (`gpg_err_code_t`), without its error source.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: UInt32

        /// Makes a code of its number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        private init(_ code: gpg_err_code_t) { rawValue = code.rawValue }

        /// The code for a number of `errno(3)`.
        ///
        /// Calls `gpgme_err_code_from_errno`.
        package init(errno number: Int32) { self.init(gpgme_err_code_from_errno(number)) }

        /// Whether it stands for a number of `errno(3)`.
        package var isSystemError: Bool { rawValue & UInt32(GPG_ERR_SYSTEM_ERROR) != 0 }

        /// Lets a `catch` or a `switch` name a code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? GPGMEError)?.code == code
        }
    }
}

extension GPGMEError.Code {
    /// Success; a signature that is good.
    public static let noError = Self(GPG_ERR_NO_ERROR)
    /// GnuPG gave no reason.
    public static let general = Self(GPG_ERR_GENERAL)
    /// The signature does not fit the data.
    public static let badSignature = Self(GPG_ERR_BAD_SIGNATURE)
    /// A public key is not in the keyring.
    public static let noPublicKey = Self(GPG_ERR_NO_PUBKEY)
    /// A passphrase was asked for, and none that fits was given.
    public static let badPassphrase = Self(GPG_ERR_BAD_PASSPHRASE)
    /// None of the secret keys that could decrypt the message is here.
    public static let noSecretKey = Self(GPG_ERR_NO_SECKEY)
    /// A key may not be used, for instance because nobody certified it.
    public static let unusablePublicKey = Self(GPG_ERR_UNUSABLE_PUBKEY)
    /// A secret key may not be used.
    public static let unusableSecretKey = Self(GPG_ERR_UNUSABLE_SECKEY)
    /// An argument makes no sense.
    public static let invalidValue = Self(GPG_ERR_INV_VALUE)
    /// There is no message in the data.
    public static let noData = Self(GPG_ERR_NO_DATA)
    /// The data are damaged, or something follows that does not belong to them.
    public static let badData = Self(GPG_ERR_BAD_DATA)
    /// The data end too early.
    public static let truncated = Self(GPG_ERR_TRUNCATED)
    /// Nothing would show that the message was changed.
    public static let unsupportedProtection = Self(GPG_ERR_UNSUPPORTED_PROTECTION)
    /// This GnuPG or GPGME cannot do it.
    public static let notSupported = Self(GPG_ERR_NOT_SUPPORTED)
    /// Something is larger than the limit that was given.
    public static let tooLarge = Self(GPG_ERR_TOO_LARGE)
    /// A passphrase is needed, and there is no way to ask for one.
    public static let noPinentry = Self(GPG_ERR_NO_PIN_ENTRY)
    /// There is no terminal where one is needed.
    static let noTerminal = Self(GPG_ERR_ENOTTY)
    /// An empty passphrase was given for a key that has one.
    public static let noPassphrase = Self(GPG_ERR_NO_PASSPHRASE)
    /// The user, or a ``PassphraseProvider``, declined.
    public static let canceled = Self(GPG_ERR_CANCELED)
    /// A text names several keys.
    public static let ambiguousName = Self(GPG_ERR_AMBIGUOUS_NAME)
    /// A signature has expired.
    public static let signatureExpired = Self(GPG_ERR_SIG_EXPIRED)
    /// A key has expired.
    public static let keyExpired = Self(GPG_ERR_KEY_EXPIRED)
    /// A key was revoked.
    public static let keyRevoked = Self(GPG_ERR_CERT_REVOKED)
    /// Nobody whom GnuPG trusts has certified the key.
    public static let keyNotTrusted = Self(GPG_ERR_PUBKEY_NOT_TRUSTED)
    /// The message is damaged.
    public static let decryptionFailed = Self(GPG_ERR_DECRYPT_FAILED)
    /// GnuPG is missing or cannot be run.
    public static let invalidEngine = Self(GPG_ERR_INV_ENGINE)
    /// The agent that keeps the secret keys cannot be reached.
    public static let noAgent = Self(GPG_ERR_NO_AGENT)
    /// The secret key does not fit the message.
    static let wrongSecretKey = Self(GPG_ERR_WRONG_SECKEY)
    /// The file with the public keys is damaged, or holds none of those whose secret parts are here.
    package static let invalidKeyring = Self(GPG_ERR_INV_KEYRING)
    /// No memory is left: usually the locked memory of gpg-agent, for a while.
    public static let outOfMemory = Self(GPG_ERR_ENOMEM)
    /// This process may open no more files.
    public static let tooManyFiles = Self(GPG_ERR_EMFILE)
    /// The system can open no more files.
    public static let fileTableFull = Self(GPG_ERR_ENFILE)
    /// Something is not possible just now, as another process.
    public static let tryAgain = Self(GPG_ERR_EAGAIN)
    /// The smartcard with the secret key is not in the reader.
    public static let cardNotPresent = Self(GPG_ERR_CARD_NOT_PRESENT)
    /// The user closed the prompt for good.
    static let fullyCanceled = Self(GPG_ERR_FULLY_CANCELED)
    static let damagedObject = Self(GPG_ERR_INV_OBJ)
    static let damagedPacket = Self(GPG_ERR_INV_PACKET)
    static let damagedNumber = Self(GPG_ERR_BAD_MPI)
    static let badChecksum = Self(GPG_ERR_CHECKSUM)
    static let unknownPacket = Self(GPG_ERR_UNKNOWN_PACKET)
    static let unknownAlgorithm = Self(GPG_ERR_UNSUPPORTED_ALGORITHM)
    static let unknownKeyAlgorithm = Self(GPG_ERR_PUBKEY_ALGO)
    static let unknownCipher = Self(GPG_ERR_CIPHER_ALGO)
    static let unknownCompression = Self(GPG_ERR_COMPR_ALGO)
    /// A file is not there.
    static let noSuchFile = Self(GPG_ERR_ENOENT)
    /// The list of recipients is empty.
    public static let missingKey = Self(GPG_ERR_MISSING_KEY)
}

extension GPGMEError.Code: CustomStringConvertible {
    /// GnuPG's own words.
    ///
    /// Calls `gpgme_strerror_r`; the plain form is not safe among threads.
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            text.initialize(repeating: 0)
            guard let start = text.baseAddress else { return "Error \(rawValue)" }
            // A longer text is cut and still ends in a NUL; that is no failure to us.
            _ = gpgme_strerror_r(gpgme_error_t(rawValue), start, text.count)
            return String(cString: start)
        }
    }
}
