internal import Glibc

/// The type and the permission bits of a file, as in `st_mode`.
public struct FileMode: Hashable, Sendable {
    /// What kind of file it is.
    public enum Kind: Sendable {
        case file, folder, link, pipe, socket, characterDevice, blockDevice, other
    }

    /// The bits.
    public let bits: UInt32

    /// Makes a mode of the bits of `st_mode`.
    public init(bits: UInt32) { self.bits = bits }

    /// What kind of file it is.
    public var kind: Kind {
        switch bits & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        case S_IFIFO: .pipe
        case S_IFSOCK: .socket
        case S_IFCHR: .characterDevice
        case S_IFBLK: .blockDevice
        default: .other
        }
    }

    /// Whether anyone may execute it.
    public var isExecutable: Bool { bits & 0o111 != 0 }
    /// Whether it is a file with no permissions but to be read and written.
    var isPlainFile: Bool { bits & ~0o666 == S_IFREG }
    /// Whether it runs as its owner.
    public var setsUser: Bool { bits & S_ISUID != 0 }
    /// Whether it runs as its group.
    public var setsGroup: Bool { bits & S_ISGID != 0 }
    /// Whether only owners may remove what is in it.
    public var isSticky: Bool { bits & S_ISVTX != 0 }
    /// Whether everyone may write to it.
    public var isWritableByOthers: Bool { bits & S_IWOTH != 0 }
}
