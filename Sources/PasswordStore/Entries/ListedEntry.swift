package import SecretMemory
package import Unix

/// An entry as a listing finds it.
package struct ListedEntry: Sendable, Hashable {
    /// Its path below the root, without `.gpg`.
    package let path: Path
    /// The facts of its file.
    package let version: FileStatus
}

extension Store {
    /// The entries of the store, sorted by path.
    ///
    /// Links, and what lies behind a link, are left out: each entry has one path. Nobody may change the store
    /// meanwhile; see ``entriesAtOneMoment()``.
    package func entries() throws(StoreError) -> [ListedEntry] {
        entries(try facts(in: try openRoot()))
    }

    private func entries(_ facts: [FolderTree.Facts]) -> [ListedEntry] {
        facts.filter { $0.status.kind == .file }
            .map { ListedEntry(path: $0.path.withoutSuffix(".gpg"), version: $0.status) }
    }

    /// The facts of the store's entries and folders.
    private func facts(in root: ConfinedFolder) throws(StoreError) -> [FolderTree.Facts] {
        guard let tree = try entryTree(of: Path([]), in: root) else { return [] }
        return try asStoreError { () throws(Errno) in try tree.facts(in: root, filesEndingIn: ".gpg") }
    }

    /// The entries of the store as they were at one moment, though folders are not read in one step.
    ///
    /// An entry that is renamed while folders are read could be missed at both of its names. So they are read again
    /// until neither an entry nor a folder changed between two readings; a store that never rests is locked.
    package func entriesAtOneMoment() throws(StoreError) -> [ListedEntry] {
        let root = try openRoot()
        var last: [FolderTree.Facts]?
        for _ in 0..<Store.mostReadings {
            do throws(StoreError) {
                // A folder's facts are newer than its names: when they are the last reading's, then these are the
                // names that it had when that reading ended.
                let facts = try facts(in: root)
                if facts == last { return entries(facts) }
                last = facts
            } catch .file(let error) where error.isNoSuchFile {
                // A folder went away while it was read.
                last = nil
            }
        }
        return try locked { (root) throws(StoreError) in entries(try facts(in: root)) }
    }

    private static let mostReadings = 8

    /// The entry at exactly `path`, below the root and without `.gpg`; `nil` when there is none, or only a link.
    package func entry(at path: Path) throws(StoreError) -> ListedEntry? {
        try listedEntry(at: path, in: try openRoot())
    }

    func listedEntry(at path: Path, in root: ConfinedFolder) throws(StoreError) -> ListedEntry? {
        do throws(Errno) {
            let place = try root.locate(path.withSuffix(".gpg"), followingLast: false)
            guard place.realPath == place.path, let version = try place.status(), version.kind == .file
            else { return nil }
            return ListedEntry(path: path, version: version)
        } catch {
            if error.isNoSuchFile || error.leavesFolder { return nil }
            throw .file(error)
        }
    }

    /// Decrypts the entry at exactly `path`, and says which version of its file that was.
    ///
    /// - Throws: ``StoreError``; ``StoreError/file(_:)`` with `isNoSuchFile` when it has gone.
    package func decryptEntry(
        at path: Path
    ) throws(StoreError) -> (contents: SecretBytes, version: FileStatus) {
        let root = try openRoot()
        let place = try asStoreError { () throws(Errno) in
            try root.locate(path.withSuffix(".gpg"), followingLast: false)
        }
        let (contents, version) = try decryptVersioned(place)
        return (contents.bytes, version)
    }
}
