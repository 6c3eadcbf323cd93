internal import Glibc

extension Context {
    /// The subkeys that gpg encrypts to when `recipient` is given.
    ///
    /// gpg's way of choosing: a group stands for its members (one level), `SUBKEY!` for that very subkey, and any other
    /// text for the newest usable encryption subkey of the key that fits, or for its primary key when that encrypts and
    /// no subkey does. A mail address is taken as a whole. Of several keys that fit it is the only one that is certified;
    /// without such a one the text is ambiguous, where gpg 2.2 takes the first or the last of its keyring. It is
    /// ambiguous, too, where another key fits as well that cannot be used, unless the usable one has its mail addresses:
    /// that other one may be meant. Whether anybody certified a key that alone fits is not asked:
    /// ``encrypt(_:to:armor:)`` refuses keys that are not trusted. Starts one `gpg --list-keys` for each text that is
    /// not a group, and not in `found`.
    ///
    /// - Parameters:
    ///   - recipient: a text as ``encrypt(_:to:armor:)`` takes it.
    ///   - groups: from ``groups()``.
    ///   - found: from ``keys(fittingEach:)``.
    /// - Returns: each subkey once.
    /// - Throws: ``RecipientProblem``, with the member's text when a member of a group is the cause.
    public func encryptionSubkeys(
        for recipient: [UInt8],
        groups: [[UInt8]: [[UInt8]]] = [:],
        found: [[UInt8]: [Key]] = [:]
    ) throws(RecipientProblem) -> [Key.Subkey] {
        try encryptionTargets(for: recipient, groups: groups, found: found).map(\.subkey)
    }

    /// The same with the keys that the subkeys belong to.
    package func encryptionTargets(
        for recipient: [UInt8],
        groups: [[UInt8]: [[UInt8]]],
        found: [[UInt8]: [Key]]
    ) throws(RecipientProblem) -> [EncryptionTarget] {
        var targets: [EncryptionTarget] = []
        for text in groups[trimmed(recipient)] ?? [recipient] {
            let target = try encryptionTarget(for: text, found)
            if !targets.contains(where: { $0.subkey == target.subkey }) { targets.append(target) }
        }
        return targets
    }

    /// What speaks against each of `recipients`, after gpg refused some of them.
    ///
    /// gpg stops at the first and seldom gives the reason, so that all are looked up here.
    ///
    /// - Parameters:
    ///   - recipients: the texts as they were given.
    ///   - refusals: GnuPG's own reasons, by text.
    /// - Returns: problems, in the order of `recipients`; what gpg refused for no reason that is seen here is last.
    package func problems(
        with recipients: [[UInt8]],
        refusals: [[UInt8]: GPGMEError.Code]
    ) -> [RecipientProblem] {
        guard !refusals.isEmpty else { return [] }
        // Without groups their names are merely unknown.
        let groups = (try? groups()) ?? [:]
        let found = recipients.flatMap { recipient in
            (groups[trimmed(recipient)] ?? [recipient]).compactMap {
                problem(with: $0, refusals[exactRecipient($0)] ?? refusals[trimmed($0)])
            }
        }
        guard found.isEmpty else { return found }
        return refusals.map { RecipientProblem($0.key, .other($0.value)) }
    }

    private func problem(with text: [UInt8], _ refusal: GPGMEError.Code?) -> RecipientProblem? {
        do throws(RecipientProblem) {
            let candidates = try candidates(for: text)
            guard let first = candidates.usable.first, candidates.usable.count == 1 else {
                // gpg takes one of several; unless it refused that one, this is no reason.
                return refusal.map { _ in ambiguity(of: text, candidates.keys) }
            }
            let isTrusted = refusal != .keyNotTrusted && first.isTrusted
            return isTrusted ? nil : RecipientProblem(text, .notTrusted)
        } catch {
            return error
        }
    }

    /// The keys that fit each of several texts, by one `gpg --list-keys` for all.
    ///
    /// - Parameter recipients: texts as ``encrypt(_:to:armor:)`` takes them.
    /// - Returns: one or more keys for a text; none for one that fits no key, or of which it takes a gpg of its own to
    ///   tell, such as a part of a name.
    /// - Throws: ``GPGMEError`` of operation `findKey`.
    public func keys(fittingEach recipients: [[UInt8]]) throws(GPGMEError) -> [[UInt8]: [Key]] {
        let plain = recipients.compactMap { text in PlainRecipient(text).map { (text: text, recipient: $0) } }
        let keys = try keys(matching: plain.map(\.recipient.pattern))
        return plain.reduce(into: [:]) { found, plain in
            let fitting = keys.filter(plain.recipient.fits)
            if !fitting.isEmpty { found[plain.text] = fitting }
        }
    }

    private func encryptionTarget(
        for text: [UInt8],
        _ found: [[UInt8]: [Key]]
    ) throws(RecipientProblem) -> EncryptionTarget {
        let candidates = try candidates(for: text, found)
        var chosen = candidates.usable
        // Of these gpg can take no other: it refuses keys that nobody certified.
        if chosen.count > 1 { chosen.removeAll { !$0.isTrusted } }
        guard let first = chosen.first, chosen.count == 1, candidates.allow(first, for: text) else {
            throw ambiguity(of: text, candidates.keys)
        }
        // gpg takes one of several by its place in the keyring, and stops when nobody certified that one.
        let isGPGsChoice = candidates.usable.count == 1
        let exact = first.subkey.fingerprint?.digits ?? first.subkey.keyID.description
        return EncryptionTarget(
            key: first.key.fingerprint,
            subkey: first.subkey,
            text: isGPGsChoice ? exactRecipient(text) : Array("\(exact)!".utf8)
        )
    }

    private func ambiguity(of text: [UInt8], _ keys: [Key]) -> RecipientProblem {
        RecipientProblem(text, .ambiguous(keys.map(\.fingerprint)))
    }

    /// The keys that fit a text, of which at least one is usable.
    private func candidates(
        for text: [UInt8],
        _ found: [[UInt8]: [Key]] = [:]
    ) throws(RecipientProblem) -> Candidates {
        guard isPossibleRecipient(text) else { throw RecipientProblem(text, .notARecipient) }
        let id = KeyIDText(text)
        let exactID = id?.isExact == true ? id : nil
        let keys: [Key]
        do throws(GPGMEError) {
            let pattern = exactID?.digits ?? exactRecipient(text)
            if let known = found[text] { keys = known } else { keys = try self.keys(matching: [pattern]) }
        } catch {
            throw RecipientProblem(text, .other(error.code))
        }
        guard let first = keys.first else { throw RecipientProblem(text, .unknown) }
        // gpg refuses subkeys from the future, by its clock.
        let now = Int64(time(nil))
        let isAddress = exactAddress(text) != nil
        let usable = keys.compactMap { key -> Candidate? in
            let ofAddress = key.validity(ofAddress: text)
            // Its owner may have revoked the address.
            if isAddress, ofAddress == nil { return nil }
            return key.encryptionSubkey(exactID, at: now).map { subkey in
                let validity = ofAddress ?? key.validity
                return Candidate(key: key, subkey: subkey, isTrusted: validity >= .marginal)
            }
        }
        guard !usable.isEmpty else {
            let isKeyUsable = first.encryptionSubkey(exactID, at: now) != nil
            throw RecipientProblem(text, isKeyUsable ? .revoked : first.reasonAgainstEncryption(exactID))
        }
        return Candidates(keys: keys, usable: usable)
    }
}

/// A subkey to encrypt to, and the key it belongs to.
package struct EncryptionTarget: Sendable, Hashable {
    /// The primary key.
    package let key: Fingerprint
    /// The part of it that encrypts.
    package let subkey: Key.Subkey
    /// What gpg is to be given for it.
    package let text: [UInt8]
}

/// The keys that fit a text.
private struct Candidates {
    let keys: [Key]
    /// Those of them that can be encrypted to.
    let usable: [Candidate]

    /// Whether `chosen` is not merely left over because a key that fits as well, or better, cannot be used.
    func allow(_ chosen: Candidate, for text: [UInt8]) -> Bool {
        // A key that has the whole address is meant by it, as one that was renewed.
        guard exactAddress(text) == nil else { return true }
        let named = keys.filter { $0.isNamed(text) }
        let others = (named.isEmpty ? keys : named).filter { $0.fingerprint != chosen.key.fingerprint }
        return others.allSatisfy(chosen.key.replaces)
    }
}

/// A key that a text may mean.
private struct Candidate {
    let key: Key
    let subkey: Key.Subkey
    let isTrusted: Bool
}
