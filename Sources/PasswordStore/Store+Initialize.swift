internal import GPGME
public import Unix

extension Store {
    /// What ``initialize(_:recipients:messages:)`` and ``deinitialize(_:messages:)`` did.
    public struct Initialization: Sendable, Hashable {
        /// The folders that were made, outermost first, as absolute paths.
        public var foldersMade: [Path] = []
        /// The entries that were encrypted anew.
        public var reencryptions: [Reencryption] = []
        /// What the history recorded for the `.gpg-id`.
        public var listReceipt = Receipt()
        /// What the history recorded for the entries.
        public var entriesReceipt = Receipt()
    }

    /// Writes the `.gpg-id` of a folder and encrypts its entries anew where that is needed: all of it, or nothing.
    ///
    /// - Parameters:
    ///   - folder: the folder, which is made if it does not exist.
    ///   - ids: the GPG ids, one or more.
    ///   - messages: the texts of the two commits.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``, with the list and every entry as they were.
    public func initialize(
        _ folder: EntryName,
        recipients ids: [[UInt8]],
        messages: (list: [UInt8], entries: [UInt8])
    ) throws(StoreError) -> Initialization {
        let list = try RecipientList(checking: ids)
        var result = Initialization()
        let context = try gnuPG.context()
        let madeRoot = try asStoreError { () throws(Errno) in try Unix.makeFolders(at: settings.root) }
        do throws(StoreError) {
            try locked { (root) throws(StoreError) in
                var recipients = Recipients(of: self, in: root, planned: (folder.folderPath, list))
                _ = try recipients.wantedKeys(for: list, with: context)
                let staged = try stageAll(below: folder.folderPath, &recipients, context, in: root)
                let made = try asStoreError { () throws(Errno) in try root.makeFolders(folder.folderPath) }
                result.foldersMade = madeRoot + made.map(settings.root.appending)
                let path = folder.folderPath.appending(Path(RecipientList.fileName))
                let files = try listFiles(list, at: path, in: root)
                try Interruption.held { () throws(StoreError) in
                    try staged.commit()
                    result.listReceipt = try replace(files, message: messages.list, in: root)
                    result.entriesReceipt = try record(
                        staged.paths,
                        adding: staged.paths,
                        message: messages.entries,
                        in: root
                    )
                }
                result.reencryptions = staged.reports
            }
        } catch {
            Unix.removeEmptyFolders(madeRoot)
            throw error
        }
        return result
    }

    /// Removes the `.gpg-id` of a folder, with its signature, and encrypts its entries for the list above it.
    ///
    /// - Throws: ``StoreError``, with the list and every entry as they were; ``StoreError/noSuchEntry(_:)`` when the
    ///   folder has no list, ``StoreError/notInitialized(folder:)`` when entries would be left without one.
    public func deinitialize(
        _ folder: EntryName,
        messages: (list: [UInt8], entries: [UInt8])
    ) throws(StoreError) -> Initialization {
        var result = Initialization()
        try locked { (root) throws(StoreError) in
            let path = folder.folderPath.appending(Path(RecipientList.fileName))
            guard try kind(of: path, in: root) == .file else { throw .noSuchEntry(folder) }
            let context = try gnuPG.context()
            var recipients = Recipients(of: self, in: root, planned: (folder.folderPath, nil))
            let staged = try stageAll(below: folder.folderPath, &recipients, context, in: root)
            try Interruption.held { () throws(StoreError) in
                try staged.commit()
                var removed: [Path] = []
                for path in [path, path.withSuffix(".sig")] {
                    let place = try asStoreError { () throws(Errno) in try root.locate(path) }
                    guard try kind(of: path, in: root) == .file else { continue }
                    try asStoreError { () throws(Errno) in try place.remove() }
                    removed.append(place.realPath)
                }
                result.listReceipt = try record(removed, adding: [], message: messages.list, in: root)
                result.entriesReceipt = try record(
                    staged.paths,
                    adding: staged.paths,
                    message: messages.entries,
                    in: root
                )
            }
            result.reencryptions = staged.reports
            root.removeEmptyFolders(from: folder.folderPath)
        }
        return result
    }

    private func stageAll(
        below folder: Path,
        _ recipients: inout Recipients,
        _ context: Context,
        in root: ConfinedFolder
    ) throws(StoreError) -> StagedReencryption {
        let files = try entryFiles(below: folder, in: root)
        return try stage(
            try planReencryption(of: files, for: &recipients, with: context, in: root),
            with: context,
            in: root
        )
    }

    /// The new list, and its signature where one is wanted, beside the old ones.
    private func listFiles(
        _ list: RecipientList,
        at path: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> [(file: AtomicFile, place: Location)] {
        var contents = [(path, list.text)]
        if !settings.signingKeys.isEmpty { contents.append((path.withSuffix(".sig"), try sign(list.text))) }
        var files: [(file: AtomicFile, place: Location)] = []
        for (path, content) in contents {
            try asStoreError { () throws(Errno) in
                let place = try root.locate(path)
                if try place.status()?.kind == .file, try place.read() == content { return }
                let name = Array(".passchain-tmp.gpg-id.\(files.count)".utf8)
                files.append((try AtomicFile.prepare(content, for: place, temporaryName: name), place))
            }
        }
        return files
    }

    private func replace(
        _ files: [(file: AtomicFile, place: Location)],
        message: [UInt8],
        in root: ConfinedFolder
    ) throws(StoreError) -> Receipt {
        for (file, _) in files { try asStoreError { () throws(Errno) in try file.commit() } }
        let paths = files.map(\.place.realPath)
        return try record(paths, adding: paths, message: message, in: root)
    }
}
