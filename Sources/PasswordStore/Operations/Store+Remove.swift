public import Unix

extension Store {
    /// One thing that was removed: its path below the root, and whether it was a folder.
    public struct Removal: Sendable, Hashable {
        /// The path below the root.
        public let path: Path
        /// Whether it was a folder.
        public let isFolder: Bool
    }

    /// What became of an entry or a folder that was to be removed.
    public struct RemovalReceipt: Sendable, Hashable {
        /// What was removed, in order.
        public let removals: [Removal]
        /// What stays, each with the reason; the folders around it stay with it.
        public let problems: [Errno]
        /// What the histories recorded.
        public let receipt: Receipt
    }

    /// Removes an entry, or the link that stands for it.
    ///
    /// - Throws: ``StoreError/noSuchEntry(_:)`` and others, with nothing removed.
    public func remove(
        _ name: EntryName,
        message: [UInt8]
    ) throws(StoreError) -> RemovalReceipt {
        guard !name.isRoot else { throw .refusedName(name.bytes, .empty) }
        let (removals, receipt) = try removing(name, at: name.filePath, message: message) {
            (place, _) throws(Errno) in
            try place.remove()
            return [Removal(path: place.path, isFolder: false)]
        }
        return RemovalReceipt(removals: removals, problems: [], receipt: receipt)
    }

    /// Removes a folder and everything below it.
    ///
    /// A link to a folder is removed itself; what it points to stays. What cannot be removed stays too, as with rm(1),
    /// and the rest goes.
    ///
    /// - Returns: what was removed, what could not be, and what the histories recorded.
    /// - Throws: ``StoreError/noSuchEntry(_:)`` and others, with nothing removed.
    public func removeFolder(
        _ name: EntryName,
        message: [UInt8]
    ) throws(StoreError) -> RemovalReceipt {
        guard !name.isRoot else { throw .refusedName(name.bytes, .empty) }
        guard !name.endsInDot else { throw .refusedName(name.bytes, .endsInDot) }
        var problems: [Errno] = []
        let (removals, receipt) = try removing(name, at: name.folderPath, message: message) {
            (place, root) throws(Errno) in
            let (removals, found) = try Store.removeTree(place, in: root)
            problems = found
            // With nothing removed nothing has happened.
            if removals.isEmpty, let first = found.first { throw first }
            return removals
        }
        return RemovalReceipt(removals: removals, problems: problems, receipt: receipt)
    }

    private func removing(
        _ name: EntryName,
        at path: Path,
        message: [UInt8],
        _ remove: (Location, ConfinedFolder) throws(Errno) -> [Removal]
    ) throws(StoreError) -> (removals: [Removal], receipt: Receipt) {
        try locked { (root) throws(StoreError) in
            let place = try locateItself(path, of: name, in: root)
            var removals: [Removal] = []
            let change = PendingChange(
                kind: .remove,
                commits: [.init(paths: [place.realPath], added: [], message: message)]
            )
            let outcomes = try carryOut(change, on: path, in: root, prepare: {}) {
                (_, _) throws(StoreError) in
                removals = try asStoreError { () throws(Errno) in
                    let removals = try remove(place, root)
                    try place.synchronizeFolder()
                    return removals
                }
                return []
            }
            // As with pass, a folder that is removed leaves the one above it, empty or not.
            if removals.last?.isFolder == false { root.removeEmptyFolders(from: path.parent) }
            return (removals, Receipt(commits: outcomes))
        }
    }

    /// The place of what has this name, which may be a link, also one that leads nowhere or out of the store.
    func locateItself(
        _ path: Path,
        of name: EntryName,
        in root: ConfinedFolder
    ) throws(StoreError) -> Location {
        do throws(Errno) {
            let place = try root.locate(path, followingLast: false)
            guard try place.status() != nil else { throw Errno.noSuchFile(path) }
            return place
        } catch {
            if error.isNoSuchFile { throw .noSuchEntry(name) }
            throw StoreError(error)
        }
    }

    /// Removes what is at a place and, if it is a folder, everything below it; deepest first.
    private static func removeTree(
        _ top: Location,
        in root: ConfinedFolder
    ) throws(Errno) -> (removals: [Removal], problems: [Errno]) {
        guard try top.status()?.kind == .folder else {
            try top.remove()
            return ([Removal(path: top.path, isFolder: false)], [])
        }
        var removals: [Removal] = []
        var problems: [Errno] = []
        var kept: Set<Path> = []
        let items = try root.contents(below: top.path).reversed().map { ($0.path, $0.kind == .folder) }
        for (path, isFolder) in items + [(top.path, true)] {
            if kept.contains(path) {
                // Something in it stays, and so does what it lies in.
                kept.insert(path.parent)
                continue
            }
            do throws(Errno) {
                let place = try root.locate(path, followingLast: false)
                try isFolder ? place.removeFolder() : place.remove()
                removals.append(Removal(path: path, isFolder: isFolder))
            } catch {
                problems.append(Errno(.remove, path, code: error.code))
                kept.insert(path.parent)
            }
        }
        return (removals, problems)
    }
}
