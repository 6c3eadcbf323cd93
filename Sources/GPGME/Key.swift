/// The facts of a public key, copied when it was looked up.
public struct Key: Sendable, Hashable {
    /// The fingerprint of the primary key.
    public let fingerprint: Fingerprint
    /// The user IDs, in the order of the key.
    public let userIDs: [UserID]
    /// The primary key, and then its subkeys in the order of the key.
    public let subkeys: [Subkey]
    /// Whether its owner revoked it.
    public let isRevoked: Bool
    /// Whether it has expired.
    public let isExpired: Bool
    /// Whether the user of this keyring has disabled it.
    public let isDisabled: Bool
    /// Whether it may not be used for another reason, such as a missing self-signature.
    public let isInvalid: Bool

    /// The highest validity of its user IDs.
    public var validity: Validity { userIDs.lazy.filter(\.isUsable).map(\.validity).max() ?? .unknown }
}

extension Key {
    /// One name of a key.
    public struct UserID: Sendable, Hashable {
        /// The text, in no particular encoding; it may hold control characters.
        public let text: [UInt8]
        /// The mail address within, as GnuPG finds it; empty without one.
        public let address: [UInt8]
        /// How sure GnuPG is that the name belongs to the key.
        public let validity: Validity
        /// Whether its owner revoked it.
        public let isRevoked: Bool
        /// Whether it lacks a good self-signature.
        public let isInvalid: Bool

        var isUsable: Bool { !isRevoked && !isInvalid }
    }

    /// How sure GnuPG is that a name belongs to a key.
    ///
    /// Source: `gpgme_validity_t`.
    public enum Validity: UInt32, Sendable, Hashable, Comparable {
        /// Nothing was computed.
        case unknown
        /// There is no certification that counts.
        case undefined
        /// The user said never to trust it.
        case never
        /// Some certifications, too few.
        case marginal
        /// Enough certifications.
        case full
        /// The user's own key.
        case ultimate

        /// Orders by certainty.
        public static func < (left: Validity, right: Validity) -> Bool { left.rawValue < right.rawValue }
    }

    /// A primary key or subkey.
    public struct Subkey: Sendable, Hashable {
        /// The 64-bit ID.
        public let keyID: KeyID
        /// The fingerprint; `nil` only for ancient keys that have none.
        public let fingerprint: Fingerprint?
        /// What the agent knows the key by: 40 hexadecimal digits, which name its file.
        ///
        /// Empty unless it was asked for.
        package let keygrip: [UInt8]
        /// Whether the agent has its secret part, or knows a card that has; only known of keys that were looked up as
        /// secret ones.
        public let hasSecret: Bool
        /// Whether it may encrypt.
        public let canEncrypt: Bool
        /// Whether it may sign.
        public let canSign: Bool
        /// Whether it was revoked.
        public let isRevoked: Bool
        /// Whether it has expired.
        public let isExpired: Bool
        /// Whether it, or all of the key, is disabled.
        public let isDisabled: Bool
        /// Whether it may not be used for another reason, such as a missing binding signature.
        public let isInvalid: Bool
        /// When it was made, in seconds since 1970.
        public let created: Int64
        /// When it expires, in seconds since 1970; `nil` for never.
        public let expires: Int64?

        var isUsable: Bool { !isRevoked && !isExpired && !isDisabled && !isInvalid }
    }
}
