internal import Unix

/// What a change would encrypt anew, with nothing changed.
public struct ReencryptionPreview: Sendable, Hashable {
    /// The entries that would be encrypted anew.
    public let reencryptions: [Reencryption]
    /// How many entries there are in all.
    public let total: Int
}

extension Store {
    /// What ``initialize(_:recipients:messages:keepingGoing:)`` would encrypt anew, or with no recipients
    /// ``deinitialize(_:messages:)``.
    ///
    /// - Throws: ``StoreError``, as far as that can be told without decrypting anything.
    public func previewInitialization(
        of folder: EntryName,
        recipients ids: [[UInt8]]?
    ) throws(StoreError) -> ReencryptionPreview {
        var list: RecipientList?
        if let ids { list = try RecipientList(checking: ids) }
        guard let root = try openRootIfPresent() else {
            return ReencryptionPreview(reencryptions: [], total: 0)
        }
        let path = folder.folderPath.appending(Path(RecipientList.fileName))
        if list == nil, try kind(of: path, in: root) != .file { throw .noSuchEntry(folder) }
        let context = gnuPG.lazyContext()
        var recipients = Recipients(of: self, in: root, planned: (folder.folderPath, list))
        if let list { _ = try recipients.wantedKeys(for: list, with: context) }
        let files = try entryFiles(below: folder.folderPath, in: root)
        if let list { try checkEncryption(to: list, checking: &recipients, for: path, with: context) }
        return try preview(files, &recipients, context, in: root)
    }

    /// What ``move(_:messages:)`` or ``copy(_:keeping:message:)`` would encrypt anew.
    ///
    /// - Parameters:
    ///   - relocation: from ``planRelocation(of:to:)``.
    ///   - isMove: whether it is a move.
    /// - Returns: what would be encrypted anew.
    /// - Throws: ``StoreError``, as far as that can be told without decrypting anything.
    public func previewRelocation(
        _ relocation: Relocation,
        moving isMove: Bool = false
    ) throws(StoreError) -> ReencryptionPreview {
        let root = try openRoot()
        try checkPlaces(relocation, in: root)
        let source = try locateItself(relocation.source, of: relocation.old, in: root)
        if isMove { try checkMovable(source, in: root) }
        var recipients = Recipients(of: self, in: root)
        recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
        let found = try preview(
            try movedEntries(source, relocation, in: root),
            &recipients,
            gnuPG.lazyContext(),
            in: root
        )
        let moved = found.reencryptions.map { $0.moved(by: relocation) }
        return ReencryptionPreview(reencryptions: moved, total: found.total)
    }

    /// What ``removeFolder(_:message:)`` or ``remove(_:message:)`` would remove, in its order.
    ///
    /// - Throws: ``StoreError/noSuchEntry(_:)`` and others.
    public func previewRemoval(of name: EntryName, isFolder: Bool) throws(StoreError) -> [Removal] {
        let root = try openRoot()
        let path = isFolder ? name.folderPath : name.filePath
        let place = try locateItself(path, of: name, in: root)
        let isRealFolder = try asStoreError { () throws(Errno) in try place.status()?.kind } == .folder
        guard isRealFolder else { return [Removal(path: path, isFolder: false)] }
        let items = try asStoreError { () throws(Errno) in try root.contents(below: path) }
        return items.reversed().map { Removal(path: $0.path, isFolder: $0.kind == .folder) }
            + [Removal(path: path, isFolder: true)]
    }

    private func preview(
        _ files: [EntryFile],
        _ recipients: inout Recipients,
        _ context: LazyContext,
        in root: ConfinedFolder
    ) throws(StoreError) -> ReencryptionPreview {
        let plan = try planReencryption(
            of: files,
            for: &recipients,
            with: context,
            in: root,
            isPreview: true
        )
        return ReencryptionPreview(reencryptions: plan.map(\.report), total: files.count)
    }
}
