package import SecretMemory
package import Unix

/// Changes to several entries, all of them made or none, while nobody else changes the store.
///
/// Everything is encrypted and on disk beside the entries before the first one changes, and what is about to be done is
/// written down. A step that then fails takes back those before it; what a crash interrupts, the next change of the
/// store finishes. One change is one commit in each repository that it touches. The store is locked for as long as the
/// transaction lives.
package final class Transaction {
    private let store: Store
    let root: ConfinedFolder
    private let lock: FileLock

    /// What became of an earlier change that was interrupted, or could not be recorded.
    package let recovery: Recovery?

    /// One change; paths are those of entries, below the root and without `.gpg`.
    package enum Edit: Sendable {
        /// A new entry, where nothing is yet, not even a link.
        case create(Path, SecretBytes)
        /// Other contents for an entry.
        case replace(Entry, SecretBytes)
        /// Another name, which nothing has, and other contents for an entry.
        case move(Entry, to: Path, SecretBytes)
        /// An entry goes.
        case remove(Entry)
    }

    /// An entry as it was read.
    package struct Entry: Sendable {
        package let path: Path
        let version: FileStatus

        /// Names the entry at `path`, as it was when its file was of `version`.
        package init(at path: Path, _ version: FileStatus) {
            self.path = path
            self.version = version
        }
    }

    /// Locks the store.
    ///
    /// - Throws: ``StoreError``, ``StoreError/locked(by:command:)`` among them.
    package init(on store: Store) throws(StoreError) {
        self.store = store
        // As with a first write of pass: only PASSWORD_STORE_KEY allows a store that is not there yet.
        if !store.settings.keys.isEmpty { _ = try store.makeRoot() }
        root = try store.openRoot()
        lock = try store.lockWithoutRecovery(root)
        // Who lends the lock is about to record a change, and needs nobody to finish it.
        recovery = lock.isBorrowed ? nil : try store.recover(in: root)
    }

    /// Makes every change, and records them.
    ///
    /// - Returns: what the histories recorded. A commit that failed is no error: the entries are in place.
    /// - Throws: ``StoreError``: ``StoreError/entryExists(_:)`` when a new name is taken,
    ///   ``StoreError/changedMeanwhile(_:)`` when an entry is not of its version any more. Every entry is
    ///   then as it was; only after ``StoreError/unfinished(done:total:_:)`` some may not be, until the next
    ///   change.
    package func commit(_ edits: [Edit], message: [UInt8]) throws(StoreError) -> Receipt {
        for edit in edits { try check(edit) }
        let ciphertexts = try encrypt(edits)
        var made: [[Path]] = []
        do throws(StoreError) {
            for edit in edits {
                guard let path = edit.written else { continue }
                let folders = try asStoreError { () throws(Errno) in
                    try root.makeFolders(path.parent, mode: 0o777 & ~store.settings.umaskBits)
                }
                if !folders.isEmpty { made.append(folders) }
            }
            let receipt = try carryOut(edits, ciphertexts, made.flatMap { $0 }, message)
            for edit in edits { edit.vacatedFile.map { root.removeEmptyFolders(from: $0.parent) } }
            return receipt
        } catch {
            for folders in made.reversed() { root.removeMade(folders) }
            throw error
        }
    }

    private func carryOut(
        _ edits: [Edit],
        _ ciphertexts: [[UInt8]],
        _ folders: [Path],
        _ message: [UInt8]
    ) throws(StoreError) -> Receipt {
        let written = edits.compactMap(\.written)
        let temporaries = written.enumerated().map { number, path in
            path.parent.appending(Path(Store.temporaryName(number)))
        }
        let change = PendingChange(
            kind: edits.isOfOneFile ? .write : .transaction,
            temporaries: temporaries,
            folders: folders,
            commits: [
                .init(
                    paths: written + edits.compactMap(\.vacatedFile),
                    added: edits.compactMap(\.added),
                    message: message
                )
            ]
        )
        let outcomes = try store.carryOut(change, on: Path([]), in: root) { () throws(StoreError) in
            try stage(ciphertexts, at: written)
        } make: { (files, change) throws(StoreError) in
            try perform(edits.steps(temporaries), of: edits, with: files, &change)
            for file in files { file.leave() }
            change.steps = []
            return []
        }
        return Receipt(commits: outcomes)
    }

    /// Puts the new contents beside their places.
    private func stage(_ ciphertexts: [[UInt8]], at paths: [Path]) throws(StoreError) -> [StagedFile] {
        var files: [StagedFile] = []
        for (number, (ciphertext, path)) in zip(ciphertexts, paths).enumerated() {
            let target = try location(of: path)
            let file = try asStoreError { () throws(Errno) in
                try StagedFile(
                    ciphertext,
                    for: target,
                    temporaryName: Store.temporaryName(number),
                    mode: 0o666 & ~store.settings.umaskBits,
                    in: root
                )
            }
            files.append(file)
        }
        return files
    }

    /// Makes all steps, or none.
    private func perform(
        _ steps: [PendingChange.Step],
        of edits: [Edit],
        with files: [StagedFile],
        _ change: inout PendingChange
    ) throws(StoreError) {
        change.steps = steps
        // One step is made or not; more are written down, so that a crash cannot come between them.
        if !edits.isOfOneFile {
            try asStoreError { () throws(Errno) in
                try Journal(of: root).write(change, isDurable: true, for: Path([]))
            }
        }
        let former = try Former(edits.compactMap(\.entry?.filePath), steps, of: self)
        for index in steps.indices {
            var done = index
            let failure: StoreError
            do throws(Errno) {
                if case .made = try change.performStep(index, in: root) { continue }
                failure = change.steps[index].overtakenError
            } catch {
                // What is made, and only may not survive a power cut, is taken back, too.
                if error.isOfSynchronizing { done += 1 }
                failure = .file(Errno(.write, error.path, code: error.code))
            }
            try takeBack(done, of: change, to: former, with: files)
            throw failure
        }
    }
}

// MARK: Before anything changes

extension Transaction {
    private func check(_ edit: Edit) throws(StoreError) {
        if let path = edit.added, try store.version(of: path, orNothingIn: root) != nil {
            throw .entryExists(try EntryName(path.withoutSuffix(".gpg").bytes))
        }
        if let entry = edit.entry {
            let present = try store.version(of: entry.filePath, orNothingIn: root)
            guard present == PendingChange.Version(entry.version) else {
                throw .changedMeanwhile(try EntryName(entry.path.bytes))
            }
        }
    }

    /// What is to be written, in order.
    private func encrypt(_ edits: [Edit]) throws(StoreError) -> [[UInt8]] {
        var ciphertexts: [[UInt8]] = []
        var recipients = Recipients(of: store, in: root)
        let context = store.gnuPG.lazyContext()
        for edit in edits {
            guard let path = edit.written, let contents = edit.contents else { continue }
            // The recipients come first: an entry that nobody may write leaves no folder behind.
            let list = try recipients.source(for: path.parent).list
            ciphertexts.append(
                try store.encrypt(contents, to: list, checking: &recipients, for: path, with: context)
            )
        }
        return ciphertexts
    }

    /// The place of an entry; one behind a link is refused, as each entry has one path.
    func location(of path: Path) throws(StoreError) -> Location {
        try asStoreError { () throws(Errno) in
            let place = try root.locate(path, followingLast: false)
            guard place.path == place.realPath else { throw Errno.notAFile(place.path) }
            return place
        }
    }
}

extension Store {
    /// The version of what is at `path`; `nil` for nothing, and where there is not even a folder for it.
    fileprivate func version(
        of path: Path,
        orNothingIn root: ConfinedFolder
    ) throws(StoreError) -> PendingChange.Version? {
        do throws(StoreError) {
            return try version(of: path, in: root)
        } catch .file(let error) where error.isNoSuchFile {
            return nil
        }
    }
}
