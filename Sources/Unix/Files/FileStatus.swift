internal import Glibc

/// What kind of thing a name stands for, and the facts that show whether it changed.
public struct FileStatus: Sendable, Hashable {
    /// What kind of thing it is.
    public let kind: FileMode.Kind
    /// Its size in bytes.
    public let size: Int
    /// Its permission bits, at most 0o7777.
    public let mode: UInt32
    /// Who owns it.
    public let owner: UInt32
    /// The group that it belongs to.
    public let group: UInt32
    /// Its number on its device.
    public let inode: UInt64
    /// When its content last changed, in nanoseconds since 1970.
    public let modified: Int64
    /// When its content or its facts last changed, in nanoseconds since 1970.
    public let changed: Int64

    /// Whether it belongs to the user of this process.
    public var isOwn: Bool { owner == geteuid() }

    init(_ status: stat) {
        kind = FileMode(bits: status.st_mode).kind
        size = Int(status.st_size)
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        inode = UInt64(status.st_ino)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}
