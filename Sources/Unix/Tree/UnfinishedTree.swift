/// A tree that is whole but for the permissions of its files, which are still being read.
package struct UnfinishedTree {
    /// The tree, in which files have their type and no permissions.
    package let tree: FolderTree
    private let permissionReader: PermissionReader

    init(tree: FolderTree, permissionReader: PermissionReader) {
        self.tree = tree
        self.permissionReader = permissionReader
    }

    /// Whether all files are still there, and have no permissions but to be read and written.
    ///
    /// It waits for them. Who only asks whether a file is executable, or sets its user or group, can then go
    /// by ``tree``.
    package var isPlain: Bool {
        permissionReader.finish().allSatisfy { FileMode(bits: $0).isPlainFile }
    }

    /// Waits for the permissions.
    ///
    /// - Returns: the tree with them, and without the files that have gone meanwhile.
    package func finish() -> FolderTree {
        let bits = permissionReader.finish()
        var nodes: [FolderTree.Node] = []
        nodes.reserveCapacity(tree.nodes.count)
        for var node in tree.nodes {
            if let number = node.permissions, !node.takePermissions(bits[Int(number)]) { continue }
            nodes.append(node)
        }
        return FolderTree(nodes: nodes, text: tree.text)
    }
}
