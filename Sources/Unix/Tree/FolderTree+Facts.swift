internal import SecretMemory

extension FolderTree {
    /// A folder or file of a tree, and what could be seen of it later.
    package struct Facts: Hashable, Sendable {
        /// Its path, from the folder that the tree is of; empty for that folder itself.
        package let path: Path
        /// Its facts; those of a folder are newer than the names that the tree has of it.
        package let status: FileStatus
    }

    /// The facts, as they are now, of all folders and of the regular files whose names end in `suffix`.
    ///
    /// A file that has gone since the tree was read, or has become a link, is left out.
    ///
    /// - Parameters:
    ///   - root: the folder that the tree is of, which was read without following links.
    ///   - suffix: in lower case; each of its letters stands for its upper case too.
    /// - Returns: the facts, in the order of the tree; those of `root` itself come first.
    /// - Throws: ``Errno`` when a folder cannot be opened, or a file cannot be inspected; `isNoSuchFile` for a folder
    ///   that has gone or has become a link.
    package func facts(in root: ConfinedFolder, filesEndingIn suffix: String) throws(Errno) -> [Facts] {
        let suffix = Array(suffix.utf8)
        // Only one folder is held open, however many lie in each other.
        var open = root.descriptor
        var openPath = Path([])
        var facts = [Facts(path: openPath, status: try open.status())]
        // For each depth the folder that nodes of that depth lie in.
        var parents = [openPath]
        for node in nodes {
            parents.removeSubrange((node.depth + 1)...)
            let parent = parents[node.depth]
            let name = name(of: node)
            let isFolder = node.mode.kind == .folder
            guard isFolder || node.mode.kind == .file && name.hasSuffix(suffix, ignoringCase: true)
            else { continue }
            let path = parent.appending(Path(Array(name)))
            if isFolder {
                open = try Self.open(path, in: root)
                openPath = path
                parents.append(path)
                facts.append(Facts(path: path, status: try open.status()))
                continue
            }
            if openPath != parent {
                open = try Self.open(parent, in: root)
                openPath = parent
            }
            let file = Location(folder: open, name: Array(name), path: path, realPath: path)
            guard let status = try file.status(), status.kind == .file else { continue }
            facts.append(Facts(path: path, status: status))
        }
        return facts
    }

    /// Opens a folder unless a link has come to stand in the way to it: then what was read has gone.
    private static func open(_ path: Path, in root: ConfinedFolder) throws(Errno) -> FileDescriptor {
        guard !path.isEmpty else { return root.descriptor }
        let place = try root.locate(path, followingLast: false)
        guard place.realPath == path, try place.status()?.kind != .link else {
            throw Errno.noSuchFile(path)
        }
        return try place.openAsFolder()
    }
}
