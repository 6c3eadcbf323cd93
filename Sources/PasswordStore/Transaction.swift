internal import GPGME
package import SecretMemory
package import Unix

/// Changes to several entries, all of them made or none, while nobody else changes the store.
///
/// Everything is encrypted and on disk beside the entries before the first one changes. A step that then fails takes
/// back those before it. One change is one commit in each repository that it touches. Without a ``commit(message:)``
/// nothing happens. The store is locked for as long as the transaction lives.
package final class Transaction {
    private let store: Store
    private let root: ConfinedFolder
    private let lock: FileLock
    private let context: Context
    private var recipients: Recipients
    private var steps: [Step] = []
    private var foldersMade: [[Path]] = []
    private var isCommitted = false

    /// Locks the store.
    ///
    /// - Throws: ``StoreError``, ``StoreError/locked(by:command:)`` among them.
    package init(on store: Store) throws(StoreError) {
        self.store = store
        // As with a first write of pass: only PASSWORD_STORE_KEY allows a store that is not there yet.
        if !store.settings.keys.isEmpty { _ = try store.makeRoot() }
        let root = try store.openRoot()
        self.root = root
        lock = try store.lock(root)
        context = try store.gnuPG.context()
        recipients = Recipients(of: store, in: root)
    }

    deinit {
        guard !isCommitted else { return }
        // The prepared files lie in these folders: they go first.
        steps = []
        for folders in foldersMade.reversed() { store.removeFolders(folders) }
    }

    /// Prepares `contents` for an entry at `path`, where nothing is yet, not even a link.
    ///
    /// - Throws: ``StoreError/entryExists(_:)`` and others.
    package func create(_ path: Path, contents: SecretBytes) throws(StoreError) {
        try checkAbsence(of: path)
        let (target, file) = try prepare(contents, at: path)
        steps.append(.write(file, target, old: nil))
    }

    /// Prepares other contents for the entry at `path`.
    package func replace(_ path: Path, contents: SecretBytes) throws(StoreError) {
        let (target, file) = try prepare(contents, at: path)
        steps.append(.write(file, target, old: try ciphertext(at: target)))
    }

    /// Prepares the entry at `source` to have the name `path`, which nothing has, and other contents.
    ///
    /// - Throws: ``StoreError/entryExists(_:)`` and others.
    package func move(_ source: Path, to path: Path, contents: SecretBytes) throws(StoreError) {
        try checkAbsence(of: path)
        let old = try location(of: source)
        let (target, file) = try prepare(contents, at: path)
        steps.append(.move(old, target, file, old: try ciphertext(at: old)))
    }

    /// Prepares the entry at `path` to be removed.
    package func remove(_ path: Path) throws(StoreError) {
        let target = try location(of: path)
        steps.append(.remove(target, old: try ciphertext(at: target)))
    }

    /// Makes every prepared change, and records them.
    ///
    /// - Returns: what the histories recorded. A commit that failed is no error: the entries are in place.
    /// - Throws: ``StoreError``; every entry is then as it was.
    package func commit(message: [UInt8]) throws(StoreError) -> Receipt {
        try Interruption.held { () throws(StoreError) in
            var done: [Step] = []
            do throws(Errno) {
                for step in steps {
                    try step.perform()
                    done.append(step)
                }
            } catch {
                done.reversed().forEach { $0.undo() }
                throw StoreError(error)
            }
            isCommitted = true
            let receipt = record(message)
            for step in steps { step.removed.map { root.removeEmptyFolders(from: $0.parent) } }
            return receipt
        }
    }

    /// One commit for each repository.
    private func record(_ message: [UInt8]) -> Receipt {
        let touched = steps.flatMap(\.touched)
        var change = PendingChange(kind: .write)
        change.commits = [
            .init(paths: touched.map(\.0), added: touched.filter(\.1).map(\.0), message: message)
        ]
        // The entries are in their places: that a record cannot be read does not undo them.
        change.leftover = (try? Journal(of: root).unrecorded()) ?? []
        return Receipt(commits: store.record(change, in: root))
    }

    private func prepare(
        _ contents: SecretBytes,
        at path: Path
    ) throws(StoreError) -> (Location, AtomicFile) {
        let filePath = path.withSuffix(".gpg")
        // The recipients come first: an entry that nobody may write leaves no folder behind.
        let list = try recipients.source(for: filePath.parent).list
        try recipients.check(list, with: context)
        let ciphertext = try store.encrypt(contents, to: list, for: filePath, with: context)
        let made = try asStoreError { () throws(Errno) in
            try root.makeFolders(filePath.parent, mode: 0o777 & ~store.settings.umaskBits)
        }
        if !made.isEmpty { foldersMade.append(made.map(store.settings.root.appending)) }
        let target = try location(of: path)
        let file = try asStoreError { () throws(Errno) in
            try AtomicFile.prepare(
                ciphertext,
                for: target,
                temporaryName: Store.temporaryName(steps.count),
                mode: 0o666 & ~store.settings.umaskBits
            )
        }
        return (target, file)
    }

    /// The place of an entry; one behind a link is refused, as each entry has one path.
    private func location(of path: Path) throws(StoreError) -> Location {
        try asStoreError { () throws(Errno) in
            let place = try root.locate(path.withSuffix(".gpg"), followingLast: false)
            guard place.path == place.realPath else { throw Errno.notAFile(place.path) }
            return place
        }
    }

    private func ciphertext(at place: Location) throws(StoreError) -> [UInt8] {
        try asStoreError { () throws(Errno) in try place.read(limit: Store.largestFile) }
    }

    private func checkAbsence(of path: Path) throws(StoreError) {
        let present: FileStatus?
        do throws(Errno) {
            present = try root.locate(path.withSuffix(".gpg"), followingLast: false).status()
        } catch {
            if error.isNoSuchFile { return }
            throw StoreError(error)
        }
        if present != nil { throw .entryExists(try EntryName(path.bytes)) }
    }
}

extension Transaction {
    /// One prepared change, and what it takes to take it back.
    private enum Step {
        case write(AtomicFile, Location, old: [UInt8]?)
        case move(Location, Location, AtomicFile, old: [UInt8])
        case remove(Location, old: [UInt8])

        func perform() throws(Errno) {
            switch self {
            case .write(let file, _, let old): try file.commit(replacing: old != nil)
            case .move(let source, let target, let file, let old):
                try source.rename(to: target, replacing: false)
                do throws(Errno) {
                    // The new contents replace the old ones at their new place: a reader finds one or the other.
                    try file.commit()
                    try source.synchronizeFolder()
                } catch {
                    Self.restore(old, at: source)
                    // The old contents are at the old place again: a second copy is no loss.
                    try? target.remove()
                    throw error
                }
            case .remove(let place, _):
                try place.remove()
                try place.synchronizeFolder()
            }
        }

        /// Puts things back as they were, as far as the system lets it: the error that is thrown is the first one.
        func undo() {
            switch self {
            case .write(_, let place, let old?): Self.restore(old, at: place)
            case .write(_, let place, nil): try? place.remove()
            case .move(let source, let target, _, let old):
                Self.restore(old, at: source)
                try? target.remove()
            case .remove(let place, let old): Self.restore(old, at: place)
            }
        }

        private static func restore(_ ciphertext: [UInt8], at place: Location) {
            let file = try? AtomicFile.prepare(
                ciphertext,
                for: place,
                temporaryName: Store.temporaryName(0) + Array(".undo".utf8),
                mode: 0o600
            )
            try? file?.commit()
        }

        /// The paths that history must look at, and whether git may not know them yet.
        var touched: [(Path, Bool)] {
            switch self {
            case .write(_, let place, _): [(place.realPath, true)]
            case .move(let source, let target, _, _): [(target.realPath, true), (source.realPath, false)]
            case .remove(let place, _): [(place.realPath, false)]
            }
        }

        /// The path that nothing has any more.
        var removed: Path? {
            switch self {
            case .write: nil
            case .move(let source, _, _, _): source.realPath
            case .remove(let place, _): place.realPath
            }
        }
    }
}
