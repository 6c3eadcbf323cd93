extension FolderTree {
    /// The same tree with the permissions of its files, for a walk that left them out.
    ///
    /// A file that has gone since is left out.
    ///
    /// - Parameters:
    ///   - folder: the folder that was read.
    ///   - root: what `folder` lies in.
    /// - Returns: the tree, with types and permissions as in `st_mode`.
    package func withPermissions(of folder: Path, in root: ConfinedFolder) -> FolderTree {
        var open: (path: Path, descriptor: FileDescriptor)?
        var nodes: [Node] = []
        nodes.reserveCapacity(self.nodes.count)
        for (var node, place) in zip(self.nodes, paths { _, _ in true }) {
            if node.mode.kind == .file {
                let path = folder.appending(place.parent)
                if open?.path != path {
                    // A folder that cannot be opened any more has gone, and its files with it.
                    open = (try? root.openFolder(path)).map { (path, $0) }
                }
                guard let open else { continue }
                let bits = PermissionReader.read(Array(name(of: node)) + [0], in: open.descriptor.number)
                guard node.takePermissions(bits[0]) else { continue }
            }
            nodes.append(node)
        }
        return FolderTree(nodes: nodes, text: text)
    }
}

extension FolderTree.Node {
    /// Takes the permissions of a file, unless it has become something else; `false` when it has gone.
    mutating func takePermissions(_ bits: UInt32) -> Bool {
        guard bits != 0 else { return false }
        let mode = FileMode(bits: bits)
        if mode.kind == .file { self.mode = mode }
        return true
    }
}
