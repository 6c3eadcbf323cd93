internal import GPGME
public import Unix

/// An entry that was, or is to be, encrypted anew: its path below the root without `.gpg`, and for which keys.
public struct Reencryption: Sendable, Hashable {
    /// The entry's path below the root, without `.gpg`.
    public let entry: Path
    /// The ids of the subkeys, 16 digits each, sorted.
    public let keys: [String]
}

/// An entry whose keys differ from those that its `.gpg-id` wants.
struct PlannedReencryption: Sendable {
    let file: EntryFile
    let list: RecipientList
    let expected: ExpectedRecipients
    let report: Reencryption
}

extension Store {
    /// Encrypts the entry at a path below the root, or all entries of the folder there, anew where that is needed.
    ///
    /// It commits nothing: whoever asks goes on to do so.
    ///
    /// - Returns: what was encrypted anew.
    /// - Throws: ``StoreError``, with every entry as it was, but for
    ///   ``StoreError/unfinished(done:total:_:)``, which the next change finishes, and
    ///   ``StoreError/changedMeanwhile(_:)`` of what somebody else changed once it had begun.
    public func reencrypt(_ path: Path) throws(StoreError) -> [Reencryption] {
        try locked { (root) throws(StoreError) in
            let context = gnuPG.lazyContext()
            var recipients = Recipients(of: self, in: root)
            let isFile = try kind(of: path, in: root) == .file
            let files = isFile ? [EntryFile(path: path)] : try entryFiles(below: path, in: root)
            let plan = try planReencryption(of: files, for: &recipients, with: context, in: root)
            let change = PendingChange(kind: .reencrypt, temporaries: try temporaries(for: plan, in: root))
            _ = try carryOut(change, on: path, in: root) { () throws(StoreError) in
                try stage(plan, with: context, in: root)
            } make: { (staged, change) in
                change.steps = staged.map(\.step)
                return staged.map(\.file)
            }
            return plan.map(\.report)
        }
    }

    /// Finds the entries among `files` whose keys differ from those that they should have.
    ///
    /// Only the subkeys that gpg would use count, so that a key with an expired or a second subkey settles. A message
    /// that hides a recipient never does.
    ///
    /// - Parameters:
    ///   - files: where to look.
    ///   - recipients: who the entries are for.
    ///   - context: how to ask for keys.
    ///   - root: the store's folder.
    ///   - isPreview: whether nothing may be decrypted.
    ///   - skip: is asked whether to go on without an entry that is no message.
    /// - Returns: the plan, in the order of the files.
    /// - Throws: ``StoreError``; where entries are no messages, it names all that cannot be decrypted.
    func planReencryption(
        of files: [EntryFile],
        for recipients: inout Recipients,
        with context: LazyContext,
        in root: ConfinedFolder,
        isPreview: Bool = false,
        skipping skip: (Path, StoreError) -> Bool = { _, _ in false }
    ) throws(StoreError) -> [PlannedReencryption] {
        var plan: [PlannedReencryption] = []
        var blocking: [UndecryptableEntry] = []
        for file in files {
            let place = try file.locate(in: root)
            let list = try recipients.source(for: file.folder ?? place.realPath.parent).list
            let wanted = try recipients.wantedKeys(for: list, with: context)
            let ciphertext = try asStoreError { () throws(Errno) in
                try place.read(limit: Store.largestFile)
            }
            let isSettled: Bool
            do throws(StoreError) {
                isSettled = try !presentKeys(ciphertext, at: file.path).differ(from: wanted)
            } catch {
                if skip(file.path, error) { continue }
                // What cannot be read may be moved for as long as it stays under the same list.
                guard file.folder != nil, try recipients.source(for: place.realPath.parent).list == list
                else {
                    guard case .decryption(let path, let problem) = error else { throw error }
                    blocking.append(UndecryptableEntry(path: path, error: problem))
                    continue
                }
                isSettled = true
            }
            guard !isSettled else { continue }
            let report = Reencryption(
                entry: file.path.withoutSuffix(".gpg"),
                keys: wanted.sorted().map(\.description)
            )
            let expected = try recipients.exact(for: list, with: context)
            plan.append(PlannedReencryption(file: file, list: list, expected: expected, report: report))
        }
        guard !blocking.isEmpty else { return plan }
        if !isPreview { blocking += try undecryptable(among: plan, in: root) }
        throw StoreError(blocking)
    }

    /// The entries that cannot be decrypted, where that is known to be due to them.
    private func undecryptable(
        among plan: [PlannedReencryption],
        in root: ConfinedFolder
    ) throws(StoreError) -> [UndecryptableEntry] {
        var entries: [UndecryptableEntry] = []
        var failure: StoreError?
        OrderedWork.run(count: plan.count, threads: settings.threads) { index in
            Result { () throws(StoreError) in try decrypt(plan[index].file, in: root) }
        } _: { contents in
            guard case .failure(let error) = contents else { return true }
            if let entry = UndecryptableEntry(error) { entries.append(entry) } else { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        return entries
    }

    private func presentKeys(_ ciphertext: [UInt8], at path: Path) throws(StoreError) -> [KeyID] {
        do throws(MalformedMessage) {
            return try MessagePackets.recipients(of: ciphertext.span)
        } catch {
            throw .decryption(path, GPGMEError(.decrypt, .noData))
        }
    }

    /// Decrypts and encrypts everything that is planned, beside the old files.
    ///
    /// Nothing is replaced yet.
    ///
    /// - Parameters:
    ///   - plan: what is to be done.
    ///   - context: how to encrypt.
    ///   - root: the store's folder.
    ///   - skip: is asked whether to go on without an entry that cannot be decrypted.
    /// - Returns: the new files, in the order of the plan.
    /// - Throws: ``StoreError`` that names every entry which cannot be decrypted; the new files are gone then.
    func stage(
        _ plan: [PlannedReencryption],
        with context: LazyContext,
        in root: ConfinedFolder,
        skipping skip: (Path, StoreError) -> Bool = { _, _ in false }
    ) throws(StoreError) -> [StagedReplacement] {
        var staged: [StagedReplacement] = []
        var failure: StoreError?
        var blocking: [UndecryptableEntry] = []
        var number = 0
        if !plan.isEmpty { progress?(0, plan.count) }
        // Decrypting side by side pays off. Encrypting does not: gpg's processes wait for each other there.
        OrderedWork.run(count: plan.count, threads: settings.threads) { index in
            Result { () throws(StoreError) in try decrypt(plan[index].file, in: root) }
        } _: { contents in
            do throws(StoreError) {
                defer { number += 1 }
                let item = plan[number]
                if case .failure(let error) = contents, skip(item.file.path, error) { return true }
                if case .failure(let error) = contents, let entry = UndecryptableEntry(error) {
                    blocking.append(entry)
                    return true
                }
                // Nothing will come of it: only what else is in the way is of interest.
                if case .success = contents, !blocking.isEmpty { return true }
                staged.append(try stage(contents.get(), number, of: item, with: context, in: root))
                progress?(number + 1, plan.count)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        guard blocking.isEmpty else { throw StoreError(blocking) }
        return staged
    }

    /// Encrypts one of them.
    private func stage(
        _ contents: EntryContents,
        _ number: Int,
        of item: PlannedReencryption,
        with context: LazyContext,
        in root: ConfinedFolder
    ) throws(StoreError) -> StagedReplacement {
        let place = try item.file.locate(in: root)
        let renewed = try encrypt(
            contents.bytes,
            to: item.list,
            expecting: item.expected,
            for: place.path,
            with: context
        )
        let name = Store.temporaryName(number)
        let file = try asStoreError { () throws(Errno) in
            try StagedFile(renewed, for: place, temporaryName: name, in: root)
        }
        let version = try version(of: place.realPath, in: root)
        return StagedReplacement(file: file, path: place.realPath, version: version, report: item.report)
    }

    /// Where ``stage(_:with:in:)`` puts the new ciphertexts.
    func temporaries(
        for plan: [PlannedReencryption],
        in root: ConfinedFolder
    ) throws(StoreError) -> [Path] {
        var paths: [Path] = []
        for (number, item) in plan.enumerated() {
            let folder = try item.file.locate(in: root).realPath.parent
            paths.append(folder.appending(Path(Store.temporaryName(number))))
        }
        return paths
    }
}

extension [KeyID] {
    /// Whether these, the recipients that a message names, are others than `wanted`.
    fileprivate func differ(from wanted: Set<KeyID>) -> Bool {
        // Whom a hidden recipient stands for nobody can tell, and somebody who left must not stay.
        contains(.hidden) || Set(self) != wanted
    }
}
