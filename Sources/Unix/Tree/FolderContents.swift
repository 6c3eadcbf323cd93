internal import CUnix
internal import Glibc

extension ConfinedFolder {
    /// One name below a folder, hidden ones included.
    package struct Item: Sendable, Hashable {
        /// Its path below this confined folder.
        package let path: Path
        /// What it is itself; a link is a link, wherever it leads.
        package let kind: FileMode.Kind
    }

    /// Everything below a folder, each folder before what is in it, names sorted by their bytes; no link is entered.
    ///
    /// Nothing is held open for it, so that there may be any number of folders.
    ///
    /// - Parameter folder: its path below this confined folder.
    /// - Returns: everything, in that order.
    /// - Throws: ``Errno`` when a folder cannot be read.
    package func contents(below folder: Path) throws(Errno) -> [Item] {
        var walk = FolderWalk()
        walk.includesHidden = true
        let tree = try walk.read(folder, in: self)
        if let unreadable = tree.unreadableFolders.first {
            throw Errno(.list, folder.appending(unreadable.path), code: unreadable.code)
        }
        var kinds: [FileMode.Kind] = []
        let paths = tree.paths { node, _ in
            kinds.append(node.mode.kind)
            return true
        }
        return zip(paths, kinds).map { Item(path: folder.appending($0), kind: $1) }
    }

    /// The names in this folder itself, in no particular order.
    package func names() throws(Errno) -> [[UInt8]] { try names { _ in true } }

    /// Those of the names that `isWanted` chooses; the others, which may be very many, take no memory.
    func names(where isWanted: (UnsafeRawBufferPointer) -> Bool) throws(Errno) -> [[UInt8]] {
        let copy = cunix_openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY, 0)
        guard copy >= 0 else { throw Errno(.list, path) }
        defer { close(copy) }
        var names: [[UInt8]] = []
        do throws(FolderReading.Failure) {
            try FolderEntries().forEach(in: copy) { entry in
                if !entry.isDots, isWanted(entry.name) { names.append(Array(entry.name)) }
            }
        } catch {
            throw Errno(.list, path, code: error.code)
        }
        return names
    }
}
