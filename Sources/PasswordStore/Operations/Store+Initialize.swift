public import Unix

extension Store {
    /// What ``initialize(_:recipients:messages:keepingGoing:)`` and ``deinitialize(_:messages:)`` did.
    public struct Initialization: Sendable, Hashable {
        /// The folders that were made, outermost first, as absolute paths.
        public var foldersMade: [Path] = []
        /// The entries that were encrypted anew.
        public var reencryptions: [Reencryption] = []
        /// The entries that stayed as they were because they could not be decrypted, and why.
        public var skipped: [Skipped] = []
        /// What the history recorded for the `.gpg-id`.
        public var listReceipt = Receipt()
        /// What the history recorded for the entries.
        public var entriesReceipt = Receipt()
    }

    /// An entry that was left for its former recipients: its path below the root, and why.
    public struct Skipped: Sendable, Hashable {
        /// The entry's path below the root, without `.gpg`.
        public let entry: Path
        /// Why it could not be done.
        public let error: StoreError
    }

    /// Writes the `.gpg-id` of a folder and encrypts its entries anew where that is needed: all of it, or nothing.
    ///
    /// - Parameters:
    ///   - folder: the folder, which is made if it does not exist.
    ///   - ids: the GPG ids, one or more.
    ///   - messages: the texts of the two commits.
    ///   - keepsGoing: whether entries that cannot be decrypted stay as they are, instead of stopping it all.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``, with the list and every entry as they were, but for
    ///   ``StoreError/unfinished(done:total:_:)``, which the next change finishes, and
    ///   ``StoreError/changedMeanwhile(_:)`` of what somebody else changed once it had begun.
    public func initialize(
        _ folder: EntryName,
        recipients ids: [[UInt8]],
        messages: (list: [UInt8], entries: [UInt8]),
        keepingGoing keepsGoing: Bool = false
    ) throws(StoreError) -> Initialization {
        let list = try RecipientList(checking: ids)
        let madeRoot = try makeRoot()
        do throws(StoreError) {
            return try locked { (root) throws(StoreError) in
                var skipped: [Skipped] = []
                let skip = { (path: Path, error: StoreError) in
                    guard keepsGoing, error.concernsOneEntry else { return false }
                    skipped.append(Skipped(entry: path.withoutSuffix(".gpg"), error: error))
                    return true
                }
                var result = try replaceList(of: folder, by: list, messages, in: root, skipping: skip)
                result.foldersMade = madeRoot + result.foldersMade.map(settings.root.appending)
                result.skipped = skipped
                return result
            }
        } catch {
            Unix.removeEmptyFolders(madeRoot)
            throw error
        }
    }

    /// The same in a store that is locked, with the folders that were made below its root.
    private func replaceList(
        of folder: EntryName,
        by list: RecipientList,
        _ messages: (list: [UInt8], entries: [UInt8]),
        in root: ConfinedFolder,
        skipping skip: (Path, StoreError) -> Bool
    ) throws(StoreError) -> Initialization {
        let context = gnuPG.lazyContext()
        var recipients = Recipients(of: self, in: root, planned: (folder.folderPath, list))
        _ = try recipients.wantedKeys(for: list, with: context)
        let plan = try plan(below: folder.folderPath, &recipients, context, in: root, skipping: skip)
        let path = folder.folderPath.appending(Path(RecipientList.fileName))
        // What the entries are encrypted for else shows: a key that nobody certified, say.
        if plan.isEmpty { try checkEncryption(to: list, checking: &recipients, for: path, with: context) }
        let made = try asStoreError { () throws(Errno) in try root.makeFolders(folder.folderPath) }
        var result = Initialization(foldersMade: made)
        do throws(StoreError) {
            let files = try listFiles(list, in: folder, in: root)
            let lists = files.map(\.place.realPath)
            let change = PendingChange(
                kind: .initialize,
                temporaries: try temporaries(for: plan, in: root) + files.map(\.temporary),
                folders: made,
                commits: [.init(paths: lists, added: lists, message: messages.list)]
            )
            let outcomes = try carryOut(change, on: folder.folderPath, in: root) { () throws(StoreError) in
                let entries = try stage(plan, with: context, in: root, skipping: skip)
                return (entries, try stage(files, in: root))
            } make: { (staged, change) in
                let paths = staged.0.map(\.path)
                change.commits.append(.init(paths: paths, added: paths, message: messages.entries))
                result.reencryptions = staged.0.compactMap(\.report)
                change.steps = staged.0.map(\.step) + staged.1.map(\.step)
                return staged.0.map(\.file) + staged.1.map(\.file)
            }
            result.receive(outcomes)
            return result
        } catch {
            root.removeMade(made)
            throw error
        }
    }

    /// Removes the `.gpg-id` of a folder, with its signature, and encrypts its entries for the list above it.
    ///
    /// - Throws: ``StoreError``, with the list and every entry as they were, but for the two exceptions of
    ///   ``initialize(_:recipients:messages:keepingGoing:)``; ``StoreError/noSuchEntry(_:)`` when the folder
    ///   has no list, ``StoreError/notInitialized(folder:)`` when entries would be left without one.
    public func deinitialize(
        _ folder: EntryName,
        messages: (list: [UInt8], entries: [UInt8])
    ) throws(StoreError) -> Initialization {
        var result = Initialization()
        try locked { (root) throws(StoreError) in
            let path = folder.folderPath.appending(Path(RecipientList.fileName))
            guard try kind(of: path, in: root) == .file else { throw .noSuchEntry(folder) }
            let context = gnuPG.lazyContext()
            var recipients = Recipients(of: self, in: root, planned: (folder.folderPath, nil))
            let plan = try plan(below: folder.folderPath, &recipients, context, in: root)
            let removals = try listRemovals(at: path, in: root)
            let entries = try realPaths(of: plan, in: root)
            let change = PendingChange(
                kind: .initialize,
                temporaries: try temporaries(for: plan, in: root),
                commits: [
                    .init(paths: removals.map(\.path), added: [], message: messages.list),
                    .init(paths: entries, added: entries, message: messages.entries),
                ]
            )
            result.receive(
                try carryOut(change, on: path, in: root) { () throws(StoreError) in
                    try stage(plan, with: context, in: root)
                } make: { (staged, change) in
                    change.steps = staged.map(\.step) + removals
                    return staged.map(\.file)
                }
            )
            result.reencryptions = plan.map(\.report)
            root.removeEmptyFolders(from: folder.folderPath)
        }
        return result
    }

    private func plan(
        below folder: Path,
        _ recipients: inout Recipients,
        _ context: LazyContext,
        in root: ConfinedFolder,
        skipping skip: (Path, StoreError) -> Bool = { _, _ in false }
    ) throws(StoreError) -> [PlannedReencryption] {
        let files = try entryFiles(below: folder, in: root)
        return try planReencryption(of: files, for: &recipients, with: context, in: root, skipping: skip)
    }

    private func realPaths(
        of plan: [PlannedReencryption],
        in root: ConfinedFolder
    ) throws(StoreError) -> [Path] {
        var paths: [Path] = []
        for item in plan { paths.append(try item.file.locate(in: root).realPath) }
        return paths
    }

    /// A file that says who the recipients are: the list itself, or its signature.
    private struct ListFile {
        let place: Location
        let content: [UInt8]
        let temporaryName: [UInt8]

        var temporary: Path { place.realPath.parent.appending(Path(temporaryName)) }
    }

    /// The new list, and its signature where one is wanted, as far as they are not there already.
    private func listFiles(
        _ list: RecipientList,
        in folder: EntryName,
        in root: ConfinedFolder
    ) throws(StoreError) -> [ListFile] {
        let path = folder.folderPath.appending(Path(RecipientList.fileName))
        var contents = [(path, list.text)]
        if !settings.signingKeys.isEmpty { contents.append((path.withSuffix(".sig"), try sign(list.text))) }
        var files: [ListFile] = []
        for (path, content) in contents {
            let place = try locateList(path, in: root)
            try asStoreError { () throws(Errno) in
                if try place.status()?.kind == .file, try place.read() == content { return }
                let name = Store.temporaryName(files.count) + Array(".gpg-id".utf8)
                files.append(ListFile(place: place, content: content, temporaryName: name))
            }
        }
        return files
    }

    /// Where a list or its signature is, or will be: no folder, and no entry that a link leads to.
    private func locateList(_ path: Path, in root: ConfinedFolder) throws(StoreError) -> Location {
        let place = try asStoreError { () throws(Errno) in try root.locate(path) }
        let kind = try asStoreError { () throws(Errno) in try place.status()?.kind }
        guard kind == nil || kind == .file, !Store.isEntry(place.realPath) else {
            throw .recipientList(path, .notAFile)
        }
        return place
    }

    private func stage(
        _ files: [ListFile],
        in root: ConfinedFolder
    ) throws(StoreError) -> [StagedReplacement] {
        var staged: [StagedReplacement] = []
        for item in files {
            let file = try asStoreError { () throws(Errno) in
                try StagedFile(item.content, for: item.place, temporaryName: item.temporaryName, in: root)
            }
            let version = try version(of: item.place.realPath, in: root)
            staged.append(StagedReplacement(file: file, path: item.place.realPath, version: version))
        }
        return staged
    }

    /// The steps that remove a list and its signature.
    private func listRemovals(
        at path: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> [PendingChange.Step] {
        var steps: [PendingChange.Step] = []
        for path in [path, path.withSuffix(".sig")] where try kind(of: path, in: root) == .file {
            let place = try locateList(path, in: root)
            guard let version = try version(of: place.realPath, in: root) else { continue }
            steps.append(.remove(place.realPath, version))
        }
        return steps
    }
}

extension Store.Initialization {
    /// Takes what became of the two commits.
    fileprivate mutating func receive(_ outcomes: [CommitOutcome]) {
        listReceipt = Receipt(commits: Array(outcomes.prefix(1)))
        entriesReceipt = Receipt(commits: Array(outcomes.dropFirst()))
    }
}
