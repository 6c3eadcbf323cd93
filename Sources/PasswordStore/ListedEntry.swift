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
    /// The entries below `folder`, sorted by path; none when there is no such folder.
    ///
    /// Links, and what lies behind a link, are left out: each entry has one path.
    package func entries(below folder: Path = Path([])) throws(StoreError) -> [ListedEntry] {
        let root = try openRoot()
        do throws(StoreError) {
            return try listedEntries(below: folder, in: root)
        } catch .file(let error) where error.isNoSuchFile {
            return []
        }
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
        try decryptedEntry(at: path, in: try openRoot())
    }

    func decryptedEntry(
        at path: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> (contents: SecretBytes, version: FileStatus) {
        let (ciphertext, version) = try asStoreError { () throws(Errno) in
            let place = try root.locate(path.withSuffix(".gpg"), followingLast: false)
            let file = try place.openForReading()
            return (try file.readAll(limit: Store.largestFile, path: place.path), try file.status())
        }
        let contents = try decrypt(ciphertext, at: path.withSuffix(".gpg"), with: try gnuPG.context())
        return (contents.bytes, version)
    }
}
