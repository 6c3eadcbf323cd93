internal import Glibc

extension Context {
    /// The subkeys that gpg encrypts to when `recipient` is given.
    ///
    /// gpg's way of choosing: a group stands for its members (one level), `SUBKEY!` for that very subkey, and any other
    /// text for the newest usable encryption subkey of the key that fits, or for its primary key when that encrypts and
    /// no subkey does. Of several keys that fit it is the only one that is certified; without such a one the text is
    /// ambiguous, where gpg 2.2 takes the first or the last of its keyring. Whether anybody certified a key that alone
    /// fits is not asked: ``encrypt(_:to:armor:)`` refuses keys that are not trusted. Starts one `gpg --list-keys` for
    /// each text that is not a group, and not in `found`.
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
        var subkeys: [Key.Subkey] = []
        for text in groups[trimmed(recipient)] ?? [recipient] {
            let subkey = try encryptionSubkey(for: text, found)
            if !subkeys.contains(subkey) { subkeys.append(subkey) }
        }
        return subkeys
    }

    /// What speaks against each of `recipients`, after gpg refused some of them.
    ///
    /// gpg stops at the first and seldom gives the reason, so that all are looked up here.
    ///
    /// - Parameters:
    ///   - recipients: the texts as they were given.
    ///   - refusals: GnuPG's own reasons, by text.
    /// - Returns: problems, in the order of `recipients`; what gpg refused for no reason that is seen here is last.
    func problems(with recipients: [[UInt8]], refusals: [[UInt8]: GPGMEError.Code]) -> [RecipientProblem] {
        guard !refusals.isEmpty else { return [] }
        // Without groups their names are merely unknown.
        let groups = (try? groups()) ?? [:]
        let found = recipients.flatMap { recipient in
            (groups[trimmed(recipient)] ?? [recipient]).compactMap {
                problem(with: $0, refusals[trimmed($0)])
            }
        }
        guard found.isEmpty else { return found }
        return refusals.map { RecipientProblem($0.key, .other($0.value)) }
    }

    private func problem(with text: [UInt8], _ refusal: GPGMEError.Code?) -> RecipientProblem? {
        do throws(RecipientProblem) {
            let candidates = try candidates(for: text)
            guard let first = candidates.first, candidates.count == 1 else {
                // gpg takes one of several; unless it refused that one, this is no reason.
                return refusal.map { _ in ambiguity(of: text, candidates) }
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

    private func encryptionSubkey(
        for text: [UInt8],
        _ found: [[UInt8]: [Key]]
    ) throws(RecipientProblem) -> Key.Subkey {
        let candidates = try candidates(for: text, found)
        if let first = candidates.first, candidates.count == 1 { return first.subkey }
        // Of these gpg can take no other: it refuses keys that nobody certified.
        let trusted = candidates.filter(\.isTrusted)
        guard let first = trusted.first, trusted.count == 1 else { throw ambiguity(of: text, candidates) }
        return first.subkey
    }

    private func ambiguity(of text: [UInt8], _ candidates: [Candidate]) -> RecipientProblem {
        RecipientProblem(text, .ambiguous(candidates.map(\.key)))
    }

    /// The usable keys that fit a text; never none.
    private func candidates(
        for text: [UInt8],
        _ found: [[UInt8]: [Key]] = [:]
    ) throws(RecipientProblem) -> [Candidate] {
        guard isPossibleRecipient(text) else { throw RecipientProblem(text, .notARecipient) }
        let id = KeyIDText(text)
        let exactID = id?.isExact == true ? id : nil
        let keys: [Key]
        do throws(GPGMEError) {
            let pattern = exactID?.digits ?? trimmed(text)
            if let known = found[text] { keys = known } else { keys = try self.keys(matching: [pattern]) }
        } catch {
            throw RecipientProblem(text, .other(error.code))
        }
        guard let first = keys.first else { throw RecipientProblem(text, .unknown) }
        // gpg refuses subkeys from the future, by its clock.
        let now = Int64(time(nil))
        let candidates = keys.compactMap { key in
            key.encryptionSubkey(exactID, at: now).map { subkey in
                let validity = key.validity(ofAddress: trimmed(text)) ?? key.validity
                return Candidate(key: key.fingerprint, subkey: subkey, isTrusted: validity >= .marginal)
            }
        }
        guard !candidates.isEmpty else {
            throw RecipientProblem(text, first.reasonAgainstEncryption(exactID))
        }
        return candidates
    }
}

/// A key that a text may mean.
private struct Candidate {
    let key: Fingerprint
    let subkey: Key.Subkey
    let isTrusted: Bool
}
