/// Why a text cannot stand for somebody to encrypt to.
public struct RecipientProblem: Error, Sendable, Hashable {
    /// The facts of the refusal.
    public enum Reason: Sendable, Hashable {
        /// The text is blank, or holds a line feed or a NUL: no recipient looks like that.
        case notARecipient
        /// No public key in the keyring fits the text.
        case unknown
        /// Several usable keys fit the text.
        case ambiguous([Fingerprint])
        /// The key, or the only part of it that encrypts, expired then (seconds since 1970).
        case expired(Int64)
        /// The key, or the only part of it that encrypts, was revoked by its owner.
        case revoked
        /// The user of this keyring has disabled the key.
        case disabled
        /// The key has no part that encrypts, or the subkey that the text names does not.
        case cannotEncrypt
        /// Nobody whom GnuPG trusts has certified that the key belongs to its owner.
        case notTrusted
        /// Something else, in GnuPG's number.
        case other(GPGMEError.Code)
    }

    /// The text, as it was given.
    public let recipient: [UInt8]

    /// Why it was refused.
    public let reason: Reason

    /// Makes a problem of its facts.
    public init(_ recipient: [UInt8], _ reason: Reason) {
        self.recipient = recipient
        self.reason = reason
    }
}

/// Why nothing was encrypted.
///
/// Either all recipients can read a message, or there is none.
public struct EncryptionFailure: Error, Sendable, Hashable {
    /// GnuPG's verdict on the whole.
    public let error: GPGMEError

    /// The recipients it is due to; empty when the cause is another.
    public let recipients: [RecipientProblem]

    /// Makes a failure of its facts.
    public init(_ error: GPGMEError, recipients: [RecipientProblem] = []) {
        self.error = error
        self.recipients = recipients
    }
}

extension EncryptionFailure: CustomStringConvertible {
    /// The verdict on the whole, in GnuPG's words, and whom it is due to.
    public var description: String {
        ([error.description] + recipients.map(\.description)).joined(separator: "; ")
    }
}

extension RecipientProblem: CustomStringConvertible {
    /// The text and the reason's name, for a log.
    public var description: String { "\(String(decoding: recipient, as: UTF8.self)): \(reason)" }
}
