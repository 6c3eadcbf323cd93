internal import SecretMemory
public import Unix

/// A `.gpg` file of the store, by its name alone: there may be more of these than files that can be open.
struct EntryFile: Sendable, Hashable {
    /// Its path below the root, as it was found.
    let path: Path
    /// The folder, below the root, whose recipients it is for; `nil` for the one that it really lies in.
    var folder: Path?

    /// Finds the file.
    func locate(in root: ConfinedFolder) throws(StoreError) -> Location {
        try asStoreError { () throws(Errno) in try root.locate(path) }
    }
}

extension Store {
    /// Folders that hold no entries, wherever they stand.
    private static let foldersWithoutEntries = [".git", ".extensions", ".public-keys"].map { Array($0.utf8) }

    /// The `.gpg` files below `folder`, hidden ones too, sorted by their paths.
    ///
    /// - Parameters:
    ///   - folder: a path below the root; one that does not exist has no files.
    ///   - root: the store's folder.
    ///   - followingLinks: whether links to files count, and links to folders are entered.
    /// - Returns: the files.
    /// - Throws: ``StoreError/file(_:)`` when a folder cannot be read: what is in it must not be passed over.
    func entryFiles(
        below folder: Path,
        in root: ConfinedFolder,
        followingLinks: Bool = false
    ) throws(StoreError) -> [EntryFile] {
        guard let tree = try entryTree(of: folder, in: root, followingLinks: followingLinks)
        else { return [] }
        return tree.files(endingIn: ".gpg", ignoringCase: true, withLinks: followingLinks)
            .map { EntryFile(path: folder.appending($0)) }
    }

    /// What lies below `folder`, hidden or not, but for folders that hold no entries; `nil` when it is no folder.
    ///
    /// - Throws: ``StoreError/file(_:)`` when a folder cannot be read.
    func entryTree(
        of folder: Path,
        in root: ConfinedFolder,
        followingLinks: Bool = false
    ) throws(StoreError) -> FolderTree? {
        guard try kind(of: folder, in: root) == .folder else { return nil }
        var walk = FolderWalk()
        walk.includesHidden = true
        walk.followsLinks = followingLinks
        walk.skippedNames = Store.foldersWithoutEntries
        let tree = try asStoreError { () throws(Errno) in try walk.read(folder, in: root) }
        if let unreadable = tree.unreadableFolders.first {
            throw .file(Errno(.list, folder.appending(unreadable.path), code: unreadable.code))
        }
        return tree
    }

    /// The tree of a folder, for drawing.
    ///
    /// - Parameters:
    ///   - name: the folder.
    ///   - walk: how to read it.
    ///   - filter: chooses what to keep; only the kept files' permissions are read.
    /// - Returns: the folder's tree.
    /// - Throws: ``StoreError/noSuchEntry(_:)`` when there is no such folder.
    public func tree(
        of name: EntryName,
        _ walk: FolderWalk,
        filter: ((FolderTree) -> FolderTree)? = nil
    ) throws(StoreError) -> FolderTree {
        let root = try openRoot()
        guard let filter else { return try startTree(of: name, walk, in: root).finish() }
        var namesOnly = walk
        namesOnly.readsPermissions = false
        let tree = filter(try startTree(of: name, namesOnly, in: root).tree)
        return walk.readsPermissions ? tree.withPermissions(of: name.folderPath, in: root) : tree
    }

    /// The tree of a folder, for who draws it before the permissions of its files are known.
    ///
    /// - Parameters:
    ///   - name: the folder.
    ///   - walk: how to read it.
    /// - Returns: the folder's tree, to be finished.
    /// - Throws: ``StoreError/noSuchEntry(_:)`` when there is no such folder.
    package func startTree(of name: EntryName, _ walk: FolderWalk) throws(StoreError) -> UnfinishedTree {
        try startTree(of: name, walk, in: try openRoot())
    }

    private func startTree(
        of name: EntryName,
        _ walk: FolderWalk,
        in root: ConfinedFolder
    ) throws(StoreError) -> UnfinishedTree {
        do throws(Errno) {
            return try walk.start(name.folderPath, in: root)
        } catch {
            if error.isNoSuchFile { throw .noSuchEntry(name) }
            throw StoreError(error)
        }
    }

    /// Whether a path ends as an entry's does, in upper or lower case.
    static func isEntry(_ path: Path) -> Bool {
        path.bytes.hasSuffix(Array(".gpg".utf8), ignoringCase: true)
    }
}
