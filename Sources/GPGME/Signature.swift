/// One signature over some data, as GnuPG judged it.
public struct Signature: Sendable, Hashable {
    /// `noError` for a good signature by a valid key; else what speaks against it.
    public let status: GPGMEError.Code

    /// The key or subkey that signed; `nil` when GnuPG could tell only its ID.
    public let fingerprint: Fingerprint?

    /// The ID of the key or subkey that signed; `nil` when GnuPG could not tell.
    public let keyID: KeyID?

    /// The primary key of the one that signed; `nil` unless that key is in the keyring.
    public let primaryFingerprint: Fingerprint?

    /// When it was made, in seconds since 1970.
    public let created: Int64

    /// Whether it is good: right for the data, and by a key that is neither expired nor revoked.
    public var isGood: Bool { status == .noError }

    /// Whether one of `pinned` made it, by its primary key or by a subkey.
    public func isMade(by pinned: Set<Fingerprint>) -> Bool {
        [fingerprint, primaryFingerprint].contains { $0.map(pinned.contains) ?? false }
    }
}

/// What the signatures on some data are worth to somebody who trusts certain keys only.
public enum SignatureVerdict: Sendable, Hashable {
    /// At least one pinned key made a good signature, and no signature is bad.
    case accepted
    /// There is no signature at all.
    case unsigned
    /// There are signatures, none by a pinned key.
    case notPinned
    /// This signature is not good, and it is by a pinned key or does not fit the data.
    case refused(Signature)
}

extension [Signature] {
    /// Judges all signatures together.
    ///
    /// Any good signature by a pinned key is enough. Signatures by strangers count for nothing, unless they do not fit
    /// the data: a signature that is wrong for the data refuses, whoever made it, and so does a pinned key that is
    /// revoked or expired.
    ///
    /// - Parameter pinned: full fingerprints of primary keys or of subkeys.
    /// - Returns: the verdict on all of them.
    public func verdict(trusting pinned: Set<Fingerprint>) -> SignatureVerdict {
        guard !isEmpty else { return .unsigned }
        let refused = first { !$0.isGood && ($0.status == .badSignature || $0.isMade(by: pinned)) }
        if let refused { return .refused(refused) }
        return contains { $0.isGood && $0.isMade(by: pinned) } ? .accepted : .notPinned
    }

    /// Whether ``verdict(trusting:)`` is ``SignatureVerdict/accepted``.
    public func isSigned(by pinned: Set<Fingerprint>) -> Bool { verdict(trusting: pinned) == .accepted }
}
