internal import Unix

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
        let top = try asStoreError { () throws(Errno) in try root.locate(folder) }
        let skipped = [".git", ".extensions", ".public-keys"].map { Array($0.utf8) }
        let items = try asStoreError { () throws(Errno) in
            try root.contents(below: top, skipping: skipped)
        }
        return items.filter { !$0.isFolder && !$0.isLink && Store.isEntry($0.place.path) }
            .map { EntryFile(location: $0.place) }
    }

    /// Whether a path ends as an entry's does, in upper or lower case.
    static func isEntry(_ path: Path) -> Bool {
        path.bytes.suffix(4).map { $0 == UInt8(ascii: ".") ? $0 : $0 | 0x20 } == Array(".gpg".utf8)
    }
}
