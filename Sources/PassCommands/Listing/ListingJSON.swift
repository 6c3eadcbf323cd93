internal import PasswordStore
internal import Unix

/// The trees that `ls` and `find` print, in JSON.
///
/// A folder has the members `type`, `name` and `children`, an entry `type` and `name`; `name` is the full name. A link
/// has a `target`. The children of a folder that is not read, or not again, are `null`. What is neither an entry nor a
/// folder is left out.
enum ListingJSON {
    /// Prints the tree of a folder.
    static func print(_ name: EntryName, in session: Session) throws(Failure) {
        try write(try read(name, session), of: name.folderPath, in: session)
    }

    /// Prints the tree of what any of `terms` matches in the whole store.
    static func printMatches(of terms: [[UInt8]], in session: Session) throws(Failure) {
        let tree = try read(try session.entryName([]), session)
        try write(NamePattern(terms: terms).search(tree), of: Path([]), in: session)
    }

    private static func read(_ name: EntryName, _ session: Session) throws(Failure) -> FolderTree {
        var walk = FolderWalk()
        walk.order = session.locale
        walk.followsLinks = true
        return try session.asFailure { [walk] () throws(StoreError) in try session.store.tree(of: name, walk)
        }
    }

    private static func write(_ tree: FolderTree, of folder: Path, in session: Session) throws(Failure) {
        var json = JSONText()
        json.beginObject()
        describe(folder, type: "folder", &json)
        json.key("children")
        json.beginArray()
        // The folders that are open, outermost first.
        var folders = [folder]
        for node in tree.nodes {
            while folders.count > node.depth + 1 {
                folders.removeLast()
                json.endArray()
                json.endObject()
            }
            let path = folders[node.depth].appending(Path(Array(tree.name(of: node))))
            if write(node, at: path, of: tree, &json) { folders.append(path) }
        }
        for _ in folders {
            json.endArray()
            json.endObject()
        }
        try session.output.write(json.finish())
    }

    /// Writes a node; the answer is whether its children follow, and its object is still open.
    private static func write(
        _ node: FolderTree.Node,
        at path: Path,
        of tree: FolderTree,
        _ json: inout JSONText
    ) -> Bool {
        let kind = (node.targetMode ?? node.mode).kind
        let isEntry = kind == .file && path.withoutSuffix(".gpg") != path
        guard isEntry || kind == .folder else { return false }
        json.beginObject()
        describe(isEntry ? path.withoutSuffix(".gpg") : path, type: isEntry ? "entry" : "folder", &json)
        if let target = tree.target(of: node) {
            json.member("target", Path(Array(target)).withoutSuffix(".gpg").bytes)
        }
        if kind == .folder {
            json.key("children")
            if node.contents == .listed {
                json.beginArray()
                return true
            }
            json.null()
        }
        json.endObject()
        return false
    }

    private static func describe(_ path: Path, type: String, _ json: inout JSONText) {
        json.key("type")
        json.string(type)
        json.member("name", path.bytes)
    }
}
