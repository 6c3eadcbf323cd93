internal import Glibc

extension Context {
    /// The subkeys that gpg encrypts to when `recipient` is given.
    ///
    /// gpg's way of choosing: a group stands for its members (one level), `SUBKEY!` for that very subkey, and any other
    /// text for the newest usable encryption subkey of the key that fits, or for its primary key when that encrypts and
    /// no subkey does. A text that fits several usable keys is an error, though gpg would take one. Starts one `gpg --list-keys` for each text that is not a group. Whether anybody certified the
    /// key is not asked: ``encrypt(_:to:armor:)`` refuses keys that are not trusted.
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
            let subkey = try encryptionKey(for: text).subkey
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
            let key = try encryptionKey(for: text).key
            let validity = key.validity(ofAddress: trimmed(text)) ?? key.validity
            let isTrusted = refusal != .keyNotTrusted && validity >= .marginal
            return isTrusted ? nil : RecipientProblem(text, .notTrusted)
        } catch {
            // gpg would have taken one of several; that alone is no reason for it to refuse.
            if case .ambiguous = error.reason, refusal == nil { return nil }
            return error
        }
    }

    private func encryptionKey(for text: [UInt8]) throws(RecipientProblem) -> (key: Key, subkey: Key.Subkey) {
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
            key.encryptionSubkey(exactID, at: now).map { (key: key, subkey: $0) }
        }
        guard let choice = candidates.first else {
            throw RecipientProblem(text, first.reasonAgainstEncryption(exactID))
        }
        // gpg takes the first or the last in its keyring, even if nobody certified that one: measured with 2.2.40.
        guard candidates.count == 1 else {
            throw RecipientProblem(text, .ambiguous(candidates.map(\.key.fingerprint)))
        }
        return choice
    }
}

/// Whether GnuPG could take `text` for a recipient, and for one only.
func isPossibleRecipient(_ text: [UInt8]) -> Bool {
    !text.contains(UInt8(ascii: "\n")) && !text.contains(0) && !trimmed(text).isEmpty
}

/// Leaves out blanks and tabs at the ends, as GPGME does with recipients.
func trimmed(_ text: [UInt8]) -> [UInt8] {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
        let last = text.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(text[first...last])
}
