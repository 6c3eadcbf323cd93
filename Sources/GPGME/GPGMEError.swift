internal import CGPGME
internal import Glibc

/// What GnuPG refused, and in which operation.
///
/// It never holds contents or passphrases.
public struct GPGMEError: Error, Sendable, Hashable {
    /// What was being done.
    public enum Operation: Sendable, Hashable, CaseIterable {
        /// Starting GPGME and finding GnuPG.
        case start
        /// Encrypting to recipients.
        case encrypt
        /// Decrypting a message.
        case decrypt
        /// Looking up keys.
        case findKey
        /// Reading the groups of `gpg.conf`.
        case listGroups
        /// Making a detached signature.
        case sign
        /// Checking a detached signature.
        case verify
    }

    /// What was being done.
    public let operation: Operation

    /// Why it failed.
    public let code: Code

    /// What gpg wrote for people, without its name, where the code does not tell the cause.
    public let words: String?

    /// Makes an error of its facts.
    public init(_ operation: Operation, _ code: Code, words: String? = nil) {
        self.operation = operation
        self.code = code
        self.words = words
    }

    /// Throws unless `status` is zero.
    ///
    /// The error source in its upper bits says nothing to us and is dropped.
    static func check(_ status: gpgme_error_t, _ operation: Operation) throws(GPGMEError) {
        let code = Code(rawValue: gpgme_err_code(status).rawValue)
        guard code == .noError else { throw GPGMEError(operation, code) }
    }
}

extension GPGMEError: CustomStringConvertible {
    /// The operation and GnuPG's own words, as in `decryption failed: No secret key`.
    public var description: String { "\(operation.failure): \(words ?? code.description)" }
}

extension GPGMEError.Operation {
    fileprivate var failure: String {
        switch self {
        case .start: "GnuPG cannot be used"
        case .encrypt: "encryption failed"
        case .decrypt: "decryption failed"
        case .findKey: "key lookup failed"
        case .listGroups: "reading groups failed"
        case .sign: "signing failed"
        case .verify: "verification failed"
        }
    }
}
