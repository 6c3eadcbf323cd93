internal import Unix

extension Store {
    /// Everything below a folder but files that have the name of a temporary one.
    ///
    /// A ``PendingChange`` knows its own, and removes them. Others, such as a power cut may leave, must not be taken for
    /// a part of the folder; but whose they are nobody knows, and so they stay.
    func contentsWithoutTemporaries(
        below folder: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> [ConfinedFolder.Item] {
        try asStoreError { () throws(Errno) in try root.contents(below: folder) }
            .filter { !Store.isTemporary($0) }
    }

    private static func isTemporary(_ item: ConfinedFolder.Item) -> Bool {
        item.kind != .folder && isTemporary(item.path.lastComponent)
    }

    /// The commits of a folder that is moved, without files in it that have the name of a temporary one: they move
    /// along, and stay out of the history.
    func sparingTemporaries(
        of source: Path,
        movedTo target: Path,
        in commits: [PendingChange.Commit],
        _ root: ConfinedFolder
    ) throws(StoreError) -> [PendingChange.Commit] {
        guard try kind(of: source, in: root, followingLast: false) == .folder else { return commits }
        let items = try asStoreError { () throws(Errno) in try root.contents(below: source) }
        guard items.contains(where: Store.isTemporary) else { return commits }
        let files = items.filter { $0.kind != .folder && !Store.isTemporary($0) }
        let added = files.map { $0.path.moved(from: source, to: target) }
        return commits.map { commit in
            guard commit.added == [target] else { return commit }
            let paths = added + commit.paths.filter { $0 != target }
            return .init(paths: paths, added: added, message: commit.message)
        }
    }
}
