internal import Foundation
internal import Unix

/// The facts of a file that change whenever its contents do.
struct FileFacts: Hashable, Sendable {
    let inode: UInt64
    let size: Int
    /// Nanoseconds since 1970.
    let modified: Int64
    /// Nanoseconds since 1970.
    let changed: Int64

    init(inode: UInt64, size: Int, modified: Int64, changed: Int64) {
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    init(_ status: FileStatus) {
        self.init(inode: status.inode, size: status.size, modified: status.modified, changed: status.changed)
    }

    /// The date of an entry that has none of its own.
    var date: ItemDate { ItemDate(microseconds: modified / 1_000) }

    /// Whether, at `time`, the file's clock had already moved on since its last change.
    ///
    /// Until then another change may leave every fact as it is (git calls such an entry racy).
    func areSettled(at time: Date) -> Bool {
        Double(changed) / 1e9 < time.timeIntervalSince1970 - 0.02
    }
}
