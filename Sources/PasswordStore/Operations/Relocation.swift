public import Unix

/// A move or copy, thought through before anything is touched.
public struct Relocation: Sendable, Hashable {
    /// The entry's file or the folder that is moved or copied, below the root.
    public let source: Path
    /// Where it will be, below the root.
    public let target: Path
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Whether it goes into the folder that the target's name stands for, under its own name.
    public let goesInside: Bool
    /// Whether something is at the target already.
    public let replaces: Bool
    /// The folder that will hold it, and has to be made with those above it if it does not exist.
    let targetFolder: Path

    let old: EntryName
    let new: EntryName
}

extension Store {
    /// The file or folder that a name stands for as the source of a move or copy, below the root; it may not exist.
    ///
    /// An entry comes first, unless the name ends in a slash and there is a folder too. Source: `cmd_copy_move` in
    /// pass 1.7.4.
    public func relocationSource(_ old: EntryName) throws(StoreError) -> Path {
        let presence = try presence(of: old)
        let takesFolder = !presence.isEntry || presence.isFolder && old.hasTrailingSlash
        return takesFolder ? old.folderPath : old.filePath
    }

    /// Thinks a move or copy through: what becomes what, by pass's rules.
    ///
    /// - Throws: ``StoreError/noSuchEntry(_:)``, ``StoreError/refusedName(_:_:)``.
    public func planRelocation(of old: EntryName, to new: EntryName) throws(StoreError) -> Relocation {
        guard !old.isRoot else { throw .refusedName(old.bytes, .empty) }
        guard !old.endsInDot else { throw .refusedName(old.bytes, .endsInDot) }
        let root = try openRoot()
        let source = try relocationSource(old)
        _ = try locateItself(source, of: old, in: root)
        // A link that leads out of the store is neither moved nor copied.
        guard let kind = try kind(of: source, in: root) else { throw .noSuchEntry(old) }
        let isFolder = kind == .folder
        let newKind = try self.kind(of: new.folderPath, in: root)
        let goesInside = new.isRoot || new.hasTrailingSlash || newKind == .folder
        let target: Path
        if goesInside {
            target = new.folderPath.appending(Path(source.lastComponent))
        } else {
            target = isFolder ? new.folderPath : new.filePath
        }
        return Relocation(
            source: source,
            target: target,
            isFolder: isFolder,
            goesInside: goesInside,
            replaces: try self.kind(of: target, in: root) != nil,
            targetFolder: target.parent,
            old: old,
            new: new
        )
    }

    /// The files that a copy of a folder would overwrite, below the root; for anything else the one at the target.
    public func overwrittenFiles(by relocation: Relocation) throws(StoreError) -> [Path] {
        guard relocation.replaces else { return [] }
        guard relocation.isFolder else { return [relocation.target] }
        let root = try openRoot()
        let items = try asStoreError { () throws(Errno) in try root.contents(below: relocation.source) }
        var files: [Path] = []
        for item in items where item.kind != .folder {
            let target = item.path.moved(from: relocation.source, to: relocation.target)
            if try kind(of: target, in: root, followingLast: false) != nil { files.append(target) }
        }
        return files
    }
}
