internal import SecretMemory

extension Key {
    /// The part that gpg encrypts to, if there is one.
    ///
    /// Source: `finish_lookup` in GnuPG, g10/getkey.c.
    ///
    /// - Parameter now: seconds since 1970; subkeys made later are not usable yet.
    /// - Returns: the newest usable encryption subkey, or the primary key, or `nil`.
    public func encryptionSubkey(at now: Int64) -> Subkey? { encryptionSubkey(nil, at: now) }

    /// The same, or the subkey that `exactID` names if that is usable.
    func encryptionSubkey(_ exactID: KeyIDText?, at now: Int64) -> Subkey? {
        guard !isRevoked, !isExpired, !isDisabled, !isInvalid else { return nil }
        let able = subkeys.filter { $0.canEncrypt && $0.isUsable && $0.created <= now }
        if let exactID { return able.first { exactID.names($0) } }
        let primary = subkeys.first
        // Of subkeys made in the same second gpg takes the first.
        let newest = able.filter { $0 != primary }.map(\.created).max()
        return able.first { $0 != primary && $0.created == newest } ?? able.first { $0 == primary }
    }

    /// Why there is no such part.
    func reasonAgainstEncryption(_ exactID: KeyIDText?) -> RecipientProblem.Reason {
        if isRevoked { return .revoked }
        if isDisabled { return .disabled }
        if isExpired, let date = subkeys.first?.expires { return .expired(date) }
        let able = subkeys.filter { $0.canEncrypt && exactID?.names($0) ?? true }
        if let date = able.filter(\.isExpired).compactMap(\.expires).max() { return .expired(date) }
        return able.contains(where: \.isRevoked) ? .revoked : .cannotEncrypt
    }

    /// How sure GnuPG is of the mail address `text`, which may stand in angle brackets; `nil` if it has no such.
    func validity(ofAddress text: [UInt8]) -> Validity? {
        guard let address = exactAddress(text) else { return nil }
        return userIDs.filter { $0.isUsable && $0.address.map(\.lowercased) == address }.map(\.validity).max()
    }

    /// Whether this key may stand for `other`, which fits a text as well: it has each mail address of it.
    func replaces(_ other: Key) -> Bool {
        let own = userIDs.filter(\.isUsable).map { $0.address.map(\.lowercased) }
        return other.userIDs.allSatisfy { !$0.address.isEmpty && own.contains($0.address.map(\.lowercased)) }
    }

    /// Whether `text` is the name of its owner or a whole user ID, and not a part of one.
    func isNamed(_ text: [UInt8]) -> Bool {
        let text = trimmed(text).map(\.lowercased)
        return userIDs.contains { userID in
            let own = userID.text.map(\.lowercased)
            return own == text || trimmed(Array(own.prefix { !"<(".utf8.contains($0) })) == text
        }
    }
}
