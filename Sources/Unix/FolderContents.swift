extension ConfinedFolder {
    /// One name below a folder, hidden ones included.
    public struct Item: Sendable, Hashable {
        /// Its path below this confined folder.
        public let path: Path
        /// What it is itself; a link is a link, wherever it leads.
        public let kind: FileMode.Kind
    }

    /// Everything below a folder, each folder before what is in it, names sorted by their bytes; no link is entered.
    ///
    /// Nothing is held open for it, so that there may be any number of folders.
    ///
    /// - Parameter folder: its path below this confined folder.
    /// - Returns: everything, in that order.
    /// - Throws: ``Errno`` when a folder cannot be read.
    public func contents(below folder: Path) throws(Errno) -> [Item] {
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
}
