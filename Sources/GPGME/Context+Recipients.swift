internal import Glibc

extension Context {
    /// The subkeys that gpg encrypts to when `recipient` is given.
    ///
    /// gpg's way of choosing: a group stands for its members (one level), `SUBKEY!` for that very subkey, and any other
    /// text for the newest usable encryption subkey of the key that fits, or for its primary key when that encrypts and
    /// no subkey does. Of several keys that fit it is the only one that is certified; without such a one the text is
    /// ambiguous, where gpg 2.2 takes the first or the last of its keyring. Whether anybody certified a key that alone
    /// fits is not asked: ``encrypt(_:to:armor:)`` refuses keys that are not trusted. Starts one `gpg --list-keys` for
    /// each text that is not a group.
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
        for text in groups[trimmed(recipient)] ?? [recipient] {
            let subkey = try encryptionSubkey(for: text)
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

    private func encryptionSubkey(for text: [UInt8]) throws(RecipientProblem) -> Key.Subkey {
        let candidates = try candidates(for: text)
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
    private func candidates(for text: [UInt8]) throws(RecipientProblem) -> [Candidate] {
        guard isPossibleRecipient(text) else { throw RecipientProblem(text, .notARecipient) }
        let exactID = ExactSubkeyID(trimmed(text))
        let found: [Key]
        do throws(GPGMEError) {
            found = try keys(matching: [exactID?.digits ?? trimmed(text)])
        } catch {
            throw RecipientProblem(text, .other(error.code))
        }
        guard let first = found.first else { throw RecipientProblem(text, .unknown) }
        // gpg refuses subkeys from the future, by its clock.
        let now = Int64(time(nil))
        let candidates = found.compactMap { key in
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
