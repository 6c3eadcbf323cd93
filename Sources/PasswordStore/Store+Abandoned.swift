internal import Unix

extension Store {
    /// Removes the temporary files below a folder that processes which were killed have left.
    ///
    /// A ``PendingChange`` knows its own. What has no such record any more, as after a power cut, must not be taken for
    /// a part of the folder when that is moved, copied or encrypted anew. The store is locked.
    func removeAbandonedTemporaries(below folder: Path, in root: ConfinedFolder) throws(StoreError) {
        guard try kind(of: folder, in: root, followingLast: false) == .folder else { return }
        _ = try contentsWithoutTemporaries(below: folder, in: root)
    }

    /// Everything below a folder but temporary files, of which those that nobody uses any more are removed.
    func contentsWithoutTemporaries(
        below folder: Path,
        in root: ConfinedFolder
    ) throws(StoreError) -> [ConfinedFolder.Item] {
        let items = try asStoreError { () throws(Errno) in try root.contents(below: folder) }
        return items.filter { item in
            let name = item.path.lastComponent
            guard Store.isTemporary(name), item.kind != .folder else { return true }
            if !Process.isRunning(Store.maker(ofTemporary: name)) {
                // One that cannot be removed is in nobody's way: no listing shows it.
                try? root.locate(item.path, followingLast: false).remove()
            }
            return false
        }
    }

    /// The process that made a temporary file, which its name begins with; 0 for none.
    private static func maker(ofTemporary name: [UInt8]) -> Int32 {
        let digits = name.dropFirst(temporaryPrefix.count).prefix { (0x30...0x39).contains($0) }
        return Int32(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}
