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
    /// Links, and what lies behind a link, are left out: each entry has one path. Nobody may change the store meanwhile;
    /// see ``entriesAtOneMoment()``.
    package func entries() throws(StoreError) -> [ListedEntry] {
        try listedEntries(below: Path([]), in: try openRoot())
    }

    func listedEntries(
        below folder: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> [ListedEntry] {
        var entries: [ListedEntry] = []
        for file in try entryFiles(below: folder, in: root) {
            let place = try file.locate(in: root)
            // One that has gone since the folder was read is no entry any more.
            let version = try asStoreError { () throws(Errno) in try place.status() }
            guard let version, version.kind == .file, place.path == place.realPath else { continue }
            entries.append(ListedEntry(path: place.path.withoutSuffix(".gpg"), version: version))
        }
        return entries
    }

    /// The entries of the store as they were at one moment, though folders are not read in one step.
    ///
    /// An entry that is renamed while folders are read could be missed at both of its names. So they are read again
    /// until neither an entry nor a folder changed between two readings; a store that never rests is locked.
    package func entriesAtOneMoment() throws(StoreError) -> [ListedEntry] {
        let root = try openRoot()
        var last: (entries: [ListedEntry], folders: [Path: FileStatus])?
        for _ in 0..<Store.mostReadings {
            do throws(StoreError) {
                let entries = try listedEntries(below: Path([]), in: root)
                let folders = try folderFacts(in: root)
                if let last, last.entries == entries, last.folders == folders { return entries }
                last = (entries, folders)
            } catch .file(let error) where error.isNoSuchFile {
                // A folder went away while it was read.
                last = nil
            }
        }
        return try locked { (root) throws(StoreError) in try listedEntries(below: Path([]), in: root) }
    }

    private static let mostReadings = 8

    /// The facts of every folder that is there now.
    private func folderFacts(in root: ConfinedFolder) throws(StoreError) -> [Path: FileStatus] {
        var walk = FolderWalk()
        walk.includesHidden = true
        walk.skippedNames = [Array(".git".utf8)]
        return try asStoreError { () throws(Errno) in
            var facts: [Path: FileStatus] = [:]
            facts["."] = try root.locate(".").status()
            let tree = try walk.read(Path([]), in: root)
            for path in tree.paths(where: { node, _ in node.mode.kind == .folder }) {
                facts[path] = try root.locate(path, followingLast: false).status()
            }
            return facts
        }
    }

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
