internal import Glibc

extension Context {
    /// The subkeys that gpg encrypts to when `recipient` is given, in gpg's way of choosing:
    /// a group stands for its members (one level), `SUBKEY!` for that very subkey, and any other text for the newest
    /// usable encryption subkey of the key that fits, or its primary key when that encrypts and no subkey does.
    ///
    /// Starts one `gpg --list-keys` for each text that is not a group. Whether anybody certified the key is not
    /// asked: ``encrypt(_:to:armor:)`` refuses keys that are not trusted.
    ///
    /// - Parameters:
    ///   - recipient: a text as ``encrypt(_:to:armor:)`` takes it.
    ///   - groups: from ``groups()``.
    /// - Returns: each subkey once.
    /// - Throws: ``RecipientProblem``, with the member's text when a member of a group is the cause.
    public func encryptionSubkeys(
        for recipient: [UInt8],
        groups: [[UInt8]: [[UInt8]]] = [:]
    ) throws(RecipientProblem) -> [Key.Subkey] {
        var subkeys: [Key.Subkey] = []
        for text in groups[recipient] ?? [recipient] {
            let subkey = try encryptionSubkey(for: text)
            if !subkeys.contains(subkey) { subkeys.append(subkey) }
        }
        return subkeys
    }

    private func encryptionSubkey(for text: [UInt8]) throws(RecipientProblem) -> Key.Subkey {
        guard isPossibleRecipient(text) else { throw RecipientProblem(text, .notARecipient) }
        let exactID = ExactSubkeyID(text)
        let found: [Key]
        do throws(GPGMEError) {
            found = try keys(matching: [exactID?.pattern ?? text])
        } catch {
            throw RecipientProblem(text, .other(error.code))
        }
        guard let first = found.first else { throw RecipientProblem(text, .unknown) }
        // gpg refuses keys from the future just as it refuses keys from the past.
        let now = Int64(time(nil))
        let chosen = found.compactMap { key in key.encryptionSubkey(exactID, at: now).map { (key, $0) } }
        guard let (_, subkey) = chosen.first else {
            throw RecipientProblem(text, first.reasonAgainstEncryption(exactID, at: now))
        }
        guard chosen.count == 1 else {
            return try best(of: chosen, forAddress: text)
        }
        return subkey
    }

    /// Among keys that share a mail address gpg takes the one whose user ID it is surest of.
    private func best(
        of candidates: [(key: Key, subkey: Key.Subkey)],
        forAddress text: [UInt8]
    ) throws(RecipientProblem) -> Key.Subkey {
        let ranked = candidates.map { ($0, $0.key.validity(ofAddress: text)) }
        let highest = ranked.compactMap(\.1).max()
        let best = ranked.filter { $0.1 == highest }
        guard highest != nil, best.count == 1, let winner = best.first else {
            throw RecipientProblem(text, .ambiguous(candidates.map(\.key.fingerprint)))
        }
        return winner.0.subkey
    }
}

/// A text that names one subkey and no other: hexadecimal digits and `!`, perhaps behind `0x`.
struct ExactSubkeyID {
    /// What finds its key: the digits without the `!`.
    let pattern: [UInt8]

    init?(_ text: [UInt8]) {
        guard text.last == UInt8(ascii: "!") else { return nil }
        let digits = Self.digits(of: text.dropLast())
        guard [8, 16, 32, 40, 64].contains(digits.count), digits.allSatisfy(\.isHexDigit) else { return nil }
        pattern = Array(digits)
    }

    private static func digits(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isPrefixed = text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
        return isPrefixed ? text.dropFirst(2) : text
    }

    func names(_ subkey: Key.Subkey) -> Bool {
        let digits = String(decoding: pattern, as: UTF8.self).uppercased()
        guard let fingerprint = subkey.fingerprint?.digits else { return digits == subkey.keyID.description }
        return fingerprint == digits || subkey.keyID.description.hasSuffix(digits)
    }
}

extension Key {
    /// The part that gpg encrypts to, if there is one.
    ///
    /// Source: `finish_lookup` in GnuPG, g10/getkey.c.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: a subkey, or the primary key, or `nil`.
    public func encryptionSubkey(at now: Int64) -> Subkey? { encryptionSubkey(nil, at: now) }

    func encryptionSubkey(_ exactID: ExactSubkeyID?, at now: Int64) -> Subkey? {
        guard !isRevoked, !isExpired, !isDisabled, !isInvalid else { return nil }
        let able = subkeys.filter { $0.canEncrypt && $0.isUsable && $0.created <= now }
        if let exactID { return able.first { exactID.names($0) } }
        let primary = subkeys.first
        // Of subkeys of the same second gpg takes the first.
        let newest = able.filter { $0 != primary }.map(\.created).max()
        return able.first { $0 != primary && $0.created == newest } ?? able.first { $0 == primary }
    }

    func reasonAgainstEncryption(_ exactID: ExactSubkeyID?, at now: Int64) -> RecipientProblem.Reason {
        let primary = subkeys.first
        if isRevoked { return .revoked }
        if isDisabled { return .disabled }
        if isExpired { return .expired(primary?.expires ?? 0) }
        let able = subkeys.filter { $0.canEncrypt && exactID?.names($0) ?? true }
        if let expired = able.filter(\.isExpired).compactMap(\.expires).max() { return .expired(expired) }
        return able.contains(where: \.isRevoked) ? .revoked : .cannotEncrypt
    }

    func validity(ofAddress text: [UInt8]) -> Validity? {
        let isBracketed = text.first == UInt8(ascii: "<") && text.last == UInt8(ascii: ">")
        let address = isBracketed ? Array(text.dropFirst().dropLast()) : text
        return userIDs.filter { $0.isUsable && $0.address == address }.map(\.validity).max()
    }
}
