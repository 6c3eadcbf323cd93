internal import GPGME
public import SecretMemory
public import Unix

/// What became of one change, besides the change itself.
public struct Receipt: Sendable, Hashable {
    /// What the histories recorded, in order; none for a store that is not in git.
    public var commits: [CommitOutcome] = []

    /// The first commit that failed: everything is in place then, but not in the history.
    public var failedCommit: CommitOutcome? {
        commits.first {
            guard case .failed = $0 else { return false }
            return true
        }
    }
}

/// What a write does when something has the name already.
public enum Existing: Sendable, Hashable {
    /// Replaces it.
    case replace
    /// Fails with ``StoreError/entryExists(_:)``.
    case refuse
    /// Replaces exactly this version; another one is ``StoreError/changedMeanwhile(_:)``.
    case expect(FileStatus)
}

extension Store {
    /// Makes sure that an entry could be written now, and makes its folder.
    ///
    /// - Returns: the folders that had to be made, outermost first, as absolute paths; see ``removeFolders(_:)``.
    /// - Throws: ``StoreError``, with nothing made.
    public func prepareWrite(of name: EntryName) throws(StoreError) -> [Path] {
        guard !name.isRoot else { throw .refusedName(name.bytes, .empty) }
        // Only PASSWORD_STORE_KEY allows the store's own folder to be missing.
        let madeRoot = settings.keys.isEmpty ? [] : try makeRoot()
        let root = try openRoot()
        try checkRecipients(of: name, in: root)
        let made = try asStoreError { () throws(Errno) in try root.makeFolders(name.parentPath) }
        return madeRoot + made.map(settings.root.appending)
    }

    /// Makes sure that an entry that is there could be written now.
    ///
    /// - Throws: ``StoreError``; that there is no such entry shows only when it is read.
    public func checkWrite(of name: EntryName) throws(StoreError) {
        guard !name.isRoot else { throw .refusedName(name.bytes, .empty) }
        guard let root = try openRootIfPresent() else {
            throw settings.keys.isEmpty ? .notInitialized(folder: Path([])) : .noSuchEntry(name)
        }
        try checkRecipients(of: name, in: root)
    }

    private func checkRecipients(of name: EntryName, in root: ConfinedFolder) throws(StoreError) {
        var recipients = Recipients(of: self, in: root)
        _ = try recipients.source(for: try realFolder(of: name, in: root))
    }

    /// Removes folders that ``prepareWrite(of:)`` made, if nothing came into them.
    public func removeFolders(_ folders: [Path]) { Unix.removeEmptyFolders(folders) }

    /// Encrypts an entry and puts it in its place, on disk and in the history.
    ///
    /// - Parameters:
    ///   - contents: all bytes of the entry.
    ///   - name: its name. A link to another entry of the store is written through.
    ///   - message: the commit's text.
    ///   - existing: what to do when there is such an entry.
    /// - Returns: what the history recorded. A commit that failed is no error: the entry is in its place.
    /// - Throws: ``StoreError``; the entry is then as it was. Only after an error of operation `sync` the new
    ///   one is in its place, which may not survive a power cut; the next change records it.
    @discardableResult
    public func write(
        _ contents: SecretBytes,
        to name: EntryName,
        message: [UInt8],
        existing: Existing = .replace
    ) throws(StoreError) -> Receipt {
        let made = try prepareWrite(of: name)
        do throws(StoreError) {
            return try locked { (root) throws(StoreError) in
                let location = try asStoreError { () throws(Errno) in
                    // Somebody may have removed the folder meanwhile, because it was empty.
                    try root.makeFolders(name.parentPath)
                    return try root.locate(name.filePath)
                }
                try check(existing, at: location, name)
                return try put(contents, at: location, message: message, in: root)
            }
        } catch {
            removeFolders(made)
            throw error
        }
    }

    /// Decrypts an entry, changes its contents and writes them, while nobody else changes the store.
    ///
    /// - Throws: ``StoreError``; the entry is then as it was. Only after an error of operation `sync` the new
    ///   one is in its place, which may not survive a power cut; the next change records it.
    public func update(
        _ name: EntryName,
        message: [UInt8],
        _ change: (EntryContents) throws(StoreError) -> SecretBytes
    ) throws(StoreError) -> Receipt {
        try locked { (root) throws(StoreError) in
            let location = try locateEntry(name, in: root)
            let ciphertext = try asStoreError { () throws(Errno) in
                try location.read(limit: Store.largestFile)
            }
            let contents = try decrypt(ciphertext, at: location.path)
            return try put(try change(contents), at: location, message: message, in: root)
        }
    }

    /// Refuses to write through a link to something that is no entry, such as a list under another name.
    static func checkIsEntry(behind location: Location) throws(StoreError) {
        guard isEntry(location.realPath) else { throw .refusedName(location.path.bytes, .leadsToNoEntry) }
    }

    private func check(
        _ existing: Existing,
        at location: Location,
        _ name: EntryName
    ) throws(StoreError) {
        let status = try asStoreError { () throws(Errno) in try location.status() }
        switch (existing, status) {
        case (_, .some(let status)) where status.kind != .file: throw .file(Errno.notAFile(location.path))
        case (.refuse, .some): throw .entryExists(name)
        case (.expect(let version), let status) where status != version: throw .changedMeanwhile(name)
        default: return
        }
    }

    /// Encrypts for the place's own folder, replaces what is there, and commits.
    ///
    /// The store is locked.
    func put(
        _ contents: SecretBytes,
        at location: Location,
        message: [UInt8],
        in root: ConfinedFolder
    ) throws(StoreError) -> Receipt {
        try Store.checkIsEntry(behind: location)
        var recipients = Recipients(of: self, in: root)
        let context = gnuPG.lazyContext()
        let list = try recipients.source(for: location.realPath.parent).list
        let ciphertext = try encrypt(
            contents,
            to: list,
            checking: &recipients,
            for: location.path,
            with: context
        )
        let isNew = try asStoreError { () throws(Errno) in try location.status() } == nil
        let (path, name) = (location.realPath, Store.temporaryName(0))
        let change = PendingChange(
            kind: .write,
            temporaries: [path.parent.appending(Path(name))],
            commits: [.init(paths: [path], added: isNew ? [path] : [], message: message)]
        )
        let outcomes = try carryOut(change, on: location.path, in: root) { () throws(StoreError) in
            try asStoreError { () throws(Errno) in
                try AtomicFile.prepare(ciphertext, for: location, temporaryName: name)
            }
        } make: { (file, _) throws(StoreError) in
            try asStoreError { () throws(Errno) in try file.commit() }
            return []
        }
        return Receipt(commits: outcomes)
    }

    /// Commits `paths` in the repository of the first one, if that is in git.
    func record(
        _ paths: [Path],
        adding: [Path],
        message: [UInt8],
        in root: ConfinedFolder
    ) throws(StoreError) -> Receipt {
        var change = PendingChange(kind: .write)
        change.commits = [.init(paths: paths, added: adding, message: message)]
        change.leftover = try Journal(of: root).unrecorded()
        return Receipt(commits: record(change, in: root))
    }

    /// What the numbered temporary file of a folder is called.
    ///
    /// The lock sees to it that one writer of a store is at work; but another store may hold the same folder, under a
    /// lock of its own. No two threads of any two processes use the same name.
    static func temporaryName(_ number: Int) -> [UInt8] {
        temporaryPrefix + Array("\(Process.threadMark).\(number)".utf8)
    }

    static let temporaryPrefix = Array(".passchain-tmp.".utf8)

    /// Whether a file of this name may be a temporary one.
    ///
    /// An entry of such a name, which another program made, is an entry: it must not stay for its former readers.
    static func isTemporary(_ name: [UInt8]) -> Bool {
        name.starts(with: temporaryPrefix) && !name.hasSuffix(Array(".gpg".utf8))
    }

    /// Where the entry's folder really is, links followed as far as folders exist.
    private func realFolder(of name: EntryName, in root: ConfinedFolder) throws(StoreError) -> Path {
        do throws(Errno) {
            return try root.locate(name.filePath).realPath.parent
        } catch {
            if error.isNoSuchFile { return name.parentPath }
            throw StoreError(error)
        }
    }

    /// Makes the store's own folder, and answers which folders were made for that.
    func makeRoot() throws(StoreError) -> [Path] {
        if let variable = settings.unusableVariable { throw .unusableVariable(variable) }
        return try asStoreError { () throws(Errno) in try makeFolders(at: settings.root) }
    }
}
