public import Unix

/// A `.gpg` file of the store.
struct EntryFile {
    /// Where it is; its path is the one below the root.
    let location: Location
    /// The folder, below the root, whose recipients it is for.
    let folder: Path

    init(location: Location, folder: Path? = nil) {
        self.location = location
        self.folder = folder ?? location.realPath.parent
    }
}

extension Store {
    /// The `.gpg` files below `folder`, sorted by their paths; no links, and nothing in `.git`, `.extensions` and
    /// `.public-keys`.
    func entryFiles(below folder: Path, in root: ConfinedFolder) throws(StoreError) -> [EntryFile] {
        guard try kind(of: folder, in: root) == .folder else { return [] }
        let top = try asStoreError { () throws(Errno) in try root.locate(folder) }
        let skipped = [".git", ".extensions", ".public-keys"].map { Array($0.utf8) }
        let items = try asStoreError { () throws(Errno) in
            try root.contents(below: top, skipping: skipped)
        }
        return items.filter { !$0.isFolder && !$0.isLink && Store.isEntry($0.place.path) }
            .map { EntryFile(location: $0.place) }
    }

    /// The tree of a folder, for drawing.
    ///
    /// - Throws: ``StoreError/noSuchEntry(_:)`` when there is no such folder.
    public func tree(of name: EntryName, _ walk: FolderWalk) throws(StoreError) -> FolderTree {
        let root = try openRoot()
        do throws(Errno) {
            return try walk.read(name.folderPath, in: root)
        } catch {
            if error.isNoSuchFile { throw .noSuchEntry(name) }
            throw StoreError(error)
        }
    }

    /// The `.gpg` files of the store, links to files and files below links to folders too, sorted by their paths.
    func entryFilesFollowingLinks(in root: ConfinedFolder) throws(StoreError) -> [EntryFile] {
        var walk = FolderWalk()
        walk.includesHidden = true
        walk.followsLinks = true
        walk.skippedNames = [".git", ".extensions", ".public-keys"].map { Array($0.utf8) }
        return try asStoreError { () throws(Errno) in
            let tree = try walk.read(Path([]), in: root)
            var files: [EntryFile] = []
            for path in tree.files(endingIn: ".gpg", ignoringCase: true, withLinks: true) {
                files.append(EntryFile(location: try root.locate(path)))
            }
            return files
        }
    }

    /// Whether a path ends as an entry's does, in upper or lower case.
    static func isEntry(_ path: Path) -> Bool {
        path.bytes.suffix(4).map { $0 == UInt8(ascii: ".") ? $0 : $0 | 0x20 } == Array(".gpg".utf8)
    }
}
