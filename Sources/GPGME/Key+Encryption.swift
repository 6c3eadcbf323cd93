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
        let isBracketed = text.first == UInt8(ascii: "<") && text.last == UInt8(ascii: ">")
        let address = isBracketed ? Array(text.dropFirst().dropLast()) : text
        guard !address.isEmpty else { return nil }
        return userIDs.filter { $0.isUsable && $0.address == address }.map(\.validity).max()
    }
}
