internal import GPGME
internal import SecretMemory
internal import Unix

extension Store {
    /// Encrypts something to the ids of a list, which are checked while gpg works.
    ///
    /// Nothing of what gpg makes is used unless each id means one key, and the message is for these keys and no other:
    /// `recipient` and `encrypt-to-default-key` in a `gpg.conf` add readers.
    ///
    /// - Parameters:
    ///   - contents: what to encrypt.
    ///   - list: for whom.
    ///   - recipients: what is known of the ids.
    ///   - path: which entry it is for.
    ///   - context: how to ask for keys.
    /// - Returns: the message.
    /// - Throws: ``StoreError``.
    func encrypt(
        _ contents: SecretBytes,
        to list: RecipientList,
        checking recipients: inout Recipients,
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) -> [UInt8] {
        try checkSize(of: contents, for: path)
        let encryption = gnuPG.startEncryption(of: contents, to: list.ids)
        let expected = try recipients.expected(for: list, with: context)
        let made =
            expected.texts == nil
            ? try finish(encryption, to: list, for: path, with: context)
            : try encrypt(contents, to: list, expected, for: path, with: context)
        // Not every id was looked up so far: a group may have the name of a key.
        if made.isFor(expected) { return made.message }
        guard made.isFor(try recipients.exact(for: list, with: context)) else { throw .otherRecipients(path) }
        return made.message
    }

    /// Encrypts something to the ids of a list, whose keys were looked up before.
    func encrypt(
        _ contents: SecretBytes,
        to list: RecipientList,
        expecting expected: ExpectedRecipients,
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) -> [UInt8] {
        try checkSize(of: contents, for: path)
        let made = try encrypt(contents, to: list, expected, for: path, with: context)
        guard made.isFor(expected) else { throw .otherRecipients(path) }
        return made.message
    }

    /// What could not be shown afterwards is not saved.
    private func checkSize(of contents: SecretBytes, for path: Path) throws(StoreError) {
        guard contents.count <= settings.sizeLimit else { throw .tooLarge(path, limit: settings.sizeLimit) }
    }

    /// A message, and what tells for whom it is.
    private struct Made {
        let message: [UInt8]
        let packets: MessagePackets
        let considered: Set<Fingerprint>

        func isFor(_ expected: ExpectedRecipients) -> Bool {
            expected.isMet(by: packets, considering: considered)
        }
    }

    private func encrypt(
        _ contents: SecretBytes,
        to list: RecipientList,
        _ expected: ExpectedRecipients,
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) -> Made {
        let encryption = gnuPG.startEncryption(of: contents, to: expected.texts ?? list.ids)
        return try finish(encryption, to: list, for: path, with: context)
    }

    private func finish(
        _ encryption: DirectEncryption?,
        to list: RecipientList,
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) -> Made {
        let outcome = encryption.map(gnuPG.finish)
        guard let outcome, let message = outcome.message else {
            throw try failure(of: outcome?.report, to: list.ids, for: path, with: context)
        }
        return Made(message: message.bytes, packets: message.packets, considered: outcome.report.considered)
    }

    /// Makes sure that gpg would encrypt to a list, by an encryption of nothing.
    func checkEncryption(
        to list: RecipientList,
        checking recipients: inout Recipients,
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) {
        _ = try encrypt(.empty, to: list, checking: &recipients, for: path, with: context)
    }

    /// Why gpg made no message.
    private func failure(
        of report: EncryptionReport?,
        to ids: [[UInt8]],
        for path: Path,
        with context: LazyContext
    ) throws(StoreError) -> StoreError {
        let context = try context.open()
        if ids.isEmpty || !ids.allSatisfy(isPossibleRecipient) {
            let unfit = ids.filter { !isPossibleRecipient($0) }.map { RecipientProblem($0, .notARecipient) }
            let code: GPGMEError.Code = ids.isEmpty ? .missingKey : .invalidValue
            return .encryption(path, EncryptionFailure(GPGMEError(.encrypt, code), recipients: unfit))
        }
        let problems = context.problems(with: ids, refusals: report?.refusals ?? [:])
        guard problems.isEmpty else {
            let error = GPGMEError(.encrypt, report?.failure ?? .unusablePublicKey)
            return .encryption(path, EncryptionFailure(error, recipients: problems))
        }
        let code = report?.failure ?? .general
        guard !code.isSystemError else {
            return .encryption(path, EncryptionFailure(GPGMEError(.encrypt, code), recipients: []))
        }
        return .noMessage(path, code)
    }
}

/// The subkeys that a message has to be for, as far as they are known before it is made.
struct ExpectedRecipients {
    /// Those of ids that were looked up.
    var targets: [EncryptionTarget]
    /// Ids that mean one key, which was not looked up.
    var ids: [KeyIDText] = []
    /// What to give gpg in place of the ids, where gpg would take something else for one: it takes the members of a group
    /// for parts of addresses, and of several keys one by its place in the keyring.
    var texts: [[UInt8]]?

    /// Whether a message is for these and no others.
    ///
    /// - Parameters:
    ///   - packets: what the message says.
    ///   - considered: the keys that gpg says to have looked at. It fails unless it can encrypt to each recipient, so
    ///     that one key more among them without one packet more is none that it encrypted to.
    /// - Returns: `false`, too, where that cannot be told without looking all ids up.
    func isMet(by packets: MessagePackets, considering considered: Set<Fingerprint>) -> Bool {
        let subkeys = Set(targets.map(\.subkey.keyID))
        let named = Set(packets.recipients).subtracting([.hidden])
        let exact = ids.filter(\.isExact)
        let whole = ids.filter { !$0.isExact }
        // Ids of one key have one packet, and the place of the other one would be free for a reader that nobody wants.
        let owners = whole.compactMap { id in considered.first { id.isNamed(in: [$0]) } }
        guard packets.passphraseCount == 0, packets.recipients.count == subkeys.count + ids.count,
            owners.count == whole.count, Set(owners).count == whole.count,
            Set(owners).isDisjoint(with: targets.map(\.key)), exact.isEmpty || whole.isEmpty
        else { return false }
        // Of a hidden recipient only the number, and the keys that gpg looked at, tell.
        guard !packets.recipients.contains(.hidden) else {
            return exact.isEmpty && targets.allSatisfy { considered.contains($0.key) }
                && (!whole.isEmpty || named.isSubset(of: subkeys))
        }
        let chosen = named.filter { subkey in exact.contains { $0.isNamed(in: [subkey]) } }
        return subkeys.isSubset(of: named) && chosen.count == exact.count && chosen.isDisjoint(with: subkeys)
    }
}
