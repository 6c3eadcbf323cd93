internal import GPGME
public import Unix

/// A password store: a folder of entries, each a `.gpg` file, with `.gpg-id` files that name their recipients.
///
/// A store is a value. It opens what it needs in each call, so that it sees what other programs did meanwhile, and any
/// number of threads and processes may use the same folder.
public struct Store: Sendable {
    /// The variables that govern the store.
    public let settings: Settings

    let gnuPG: GnuPG

    /// Is told how many entries are done, and of how many.
    let progress: (@Sendable (Int, Int) -> Void)?

    /// How long a change waits for another one to end, in seconds.
    static let lockPatience = 30.0

    /// Makes a store of the folder and variables that `settings` name.
    ///
    /// Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - settings: the variables.
    ///   - statusLines: is handed each status line of GnuPG and the descriptor to write it to, where
    ///     `PASSWORD_STORE_GPG_OPTS` asks for them; on any thread.
    ///   - progress: is told, where many entries are decrypted, how many are done and how many there are: first 0, and
    ///     all of them in the end unless something fails.
    public init(
        _ settings: Settings,
        statusLines: (@Sendable ([UInt8], Int32) -> Void)? = nil,
        progress: (@Sendable (Int, Int) -> Void)? = nil
    ) {
        self.settings = settings
        self.progress = progress
        gnuPG = GnuPG(settings, statusLines: statusLines)
    }

    /// Makes GPGME skip `gpgconf`: the first context starts one child instead of five.
    ///
    /// Call it once, from `main`.
    public static func useOpenPGPOnly() { Engine.useOpenPGPOnly() }

    /// The store's folder, as the user wrote it.
    public var root: Path { settings.root }

    /// Opens the store's folder.
    ///
    /// - Throws: ``StoreError/notInitialized(folder:)`` when nothing is there, ``StoreError/file(_:)`` when something
    ///   else is, and ``StoreError/unusableVariable(_:)``.
    func openRoot() throws(StoreError) -> ConfinedFolder {
        if let variable = settings.unusableVariable { throw .unusableVariable(variable) }
        do throws(Errno) {
            return try ConfinedFolder(settings.root, namesWithoutLinks: EntryName.reserved)
        } catch {
            // A link that leads nowhere may lead to a disk that is not mounted now. And where the current folder is
            // gone, nothing can be told of a relative path.
            let isMissing = error.isNoSuchFile && error.code != Errno.notAFolderCode
            let isAbsent = isMissing && settings.root.isAbsolute && !hasLink(at: settings.root)
            throw isAbsent ? .notInitialized(folder: Path([])) : .file(error)
        }
    }

    /// The same; `nil` when it does not exist.
    ///
    /// - Throws: ``StoreError/file(_:)`` when it cannot be opened, which must not look like a store without entries.
    func openRootIfPresent() throws(StoreError) -> ConfinedFolder? {
        do throws(StoreError) {
            return try openRoot()
        } catch {
            guard case .notInitialized = error else { throw error }
            return nil
        }
    }

    /// Runs `body` while no other process, and no other call, changes the store; what an earlier one left half done
    /// comes first.
    func locked<Result>(
        _ body: (ConfinedFolder) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let root = try openRoot()
        let lock = try lock(root)
        defer { withExtendedLifetime((lock, root)) {} }
        return try body(root)
    }

    /// Waits for the store's lock, and finishes or takes back what an earlier change left half done.
    func lock(_ root: ConfinedFolder) throws(StoreError) -> FileLock {
        let lock = try lockWithoutRecovery(root)
        // Who lends the lock is about to record a change, and needs nobody to finish it.
        if !lock.isBorrowed { _ = try recover(in: root) }
        return lock
    }

    /// Never removed: another process may be waiting on this inode, and a new file would be a second lock.
    private var lockFile: Path {
        let git = settings.root.appending(".git")
        let isInGit = (try? ConfinedFolder(git)) != nil
        return isInGit ? git.appending("passchain-lock") : settings.root.appending(".passchain-lock")
    }

    /// Waits for the store's lock, and for the turn to write.
    ///
    /// The turn stays with `root`, which is this change's own.
    func lockWithoutRecovery(_ root: ConfinedFolder) throws(StoreError) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock(
                onFolder: settings.root,
                orFile: { lockFile },
                waiting: Store.lockPatience,
                lentBy: History.recorders(settings.environment),
                turnIn: root
            )
        } catch {
            switch error {
            case .held(let process, let command): throw .locked(by: process, command: command)
            case .system(let error): throw .file(error)
            }
        }
    }

    /// What a name stands for: an entry, a folder, both, or neither.
    public struct Presence: Sendable {
        /// Whether there is a `.gpg` file, or a link to one.
        public let isEntry: Bool
        /// Whether there is a folder, or a link to one.
        public let isFolder: Bool
    }

    /// Looks whether there is an entry or a folder of this name.
    ///
    /// - Throws: ``StoreError/refusedName(_:_:)`` when a link leads out of the store.
    public func presence(of name: EntryName) throws(StoreError) -> Presence {
        guard let root = try openRootIfPresent() else { return Presence(isEntry: false, isFolder: false) }
        return Presence(
            isEntry: try kind(of: name.filePath, in: root) == .file && !name.isRoot,
            isFolder: try kind(of: name.folderPath, in: root) == .folder
        )
    }

    /// The same, with a link counted as what it is itself: an entry or a folder, wherever it leads.
    public func presenceOfItself(_ name: EntryName) throws(StoreError) -> Presence {
        guard let root = try openRootIfPresent() else { return Presence(isEntry: false, isFolder: false) }
        let entry = try kind(of: name.filePath, in: root, followingLast: false)
        let folder = try kind(of: name.folderPath, in: root, followingLast: false)
        return Presence(
            isEntry: (entry == .file || entry == .link) && !name.isRoot,
            isFolder: folder == .folder || folder == .link
        )
    }

    /// What is at the very path of a name, links followed; `nil` when there is nothing.
    public func kindOfFolder(_ name: EntryName) throws(StoreError) -> FileMode.Kind? {
        guard let root = try openRootIfPresent() else { return nil }
        return try kind(of: name.folderPath, in: root)
    }

    /// Whether there is an entry of this name.
    public func contains(_ name: EntryName) throws(StoreError) -> Bool { try presence(of: name).isEntry }

    /// The kind of what is at `path`, links followed; `nil` for nothing.
    func kind(
        of path: Path,
        in root: ConfinedFolder,
        followingLast: Bool = true
    ) throws(StoreError) -> FileMode.Kind? {
        do throws(Errno) {
            return try root.locate(path, followingLast: followingLast).status()?.kind
        } catch {
            if error.isNoSuchFile { return nil }
            throw StoreError(error)
        }
    }
}
