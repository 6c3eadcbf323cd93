internal import CUnix
internal import Glibc

/// A system call that failed: what was tried, on what, and the system's own number.
public struct Errno: Error, Hashable, Sendable {
    /// What was tried.
    public enum Operation: String, Sendable {
        case open, read, write, sync, rename, remove, list, resolve, lock, start, inspect
        case makeFolder = "create directory"
        case readLink = "read link"
        case wait = "wait for"
    }

    /// What was tried.
    public let operation: Operation

    /// The file, folder or program it was tried on.
    public let path: Path

    /// The number, as in `errno(3)`.
    public let code: Int32

    /// Makes an error of its three facts.
    public init(_ operation: Operation, _ path: Path, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Makes an error of `errno` as it is now.
    init(_ operation: Operation, _ path: Path) {
        self.init(operation, path, code: errno)
    }

    /// The system's text for the number, in English: `No space left on device`.
    ///
    /// Of a file of a wrong kind it says no more than `Invalid argument`, or that a device is missing.
    public var reason: String {
        operation == .open && (code == EINVAL || code == ENXIO)
            ? "Not a regular file" : String(cString: cunix_error_text(code))
    }
}

extension Errno: CustomStringConvertible {
    /// A half sentence: `cannot open a/b: Permission denied`.
    ///
    /// An empty path is the folder that other paths are relative to.
    public var description: String {
        "cannot \(operation.rawValue) \(path.isEmpty ? "the folder" : "\(path)"): \(reason)"
    }
}

extension Errno {
    /// The error of something that must be a regular file, and is none.
    public static func notAFile(_ path: Path) -> Errno { Errno(.open, path, code: EINVAL) }

    /// Whether something that must be a regular file is none.
    public var isWrongKind: Bool { operation == .open && (code == EINVAL || code == EISDIR || code == ENXIO) }

    /// The error of a name that nothing has.
    public static func noSuchFile(_ path: Path) -> Errno { Errno(.open, path, code: ENOENT) }

    /// `ENOTDIR`: a folder cannot take the place of something else.
    public static let notAFolderCode: Int32 = ENOTDIR

    /// `EISDIR`: something else cannot take the place of a folder.
    public static let isAFolderCode: Int32 = EISDIR

    /// Whether nothing has the name.
    public var isNoSuchFile: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether something has the name already, or a folder is not empty.
    public var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }

    /// The error of a link that leads to nothing where something has to be.
    public static func danglingLink(_ path: Path) -> Errno { Errno(.resolve, path, code: ENOENT) }

    /// Whether a link leads to nothing.
    public var isDanglingLink: Bool { operation == .resolve && code == ENOENT }

    /// `ENOTEMPTY`: a folder that is in the way holds something.
    public static let notEmptyCode: Int32 = ENOTEMPTY

    /// Whether something cannot get its new name because that is on another file system.
    public var crossesFileSystems: Bool { operation == .rename && code == EXDEV }

    /// Whether something is done, and only may not survive a power cut.
    public var isOfSynchronizing: Bool { operation == .sync }

    /// Whether a folder cannot go now: something is in it, or it is where a file system is mounted.
    public var isInUse: Bool { code == ENOTEMPTY || code == EEXIST || code == EBUSY }

    /// Whether a link leads out of the folder that it must stay in.
    public var leavesFolder: Bool { operation == .resolve && code == EXDEV }

    /// Whether there is more than fits, or than is allowed.
    public var isTooLarge: Bool { code == EFBIG }

    /// Whether the reader of a pipe has gone.
    public var isBrokenPipe: Bool { code == EPIPE }
}

/// Calls a function again for as long as it is interrupted by a signal.
func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Calls a function again for as long as it is interrupted by a signal, or `descriptor` is not ready for it.
///
/// Another program may have made what it shares with this one, such as the terminal or a pipe of the standard
/// descriptors, non-blocking. To make it blocking again would break that program, so this one waits by `poll`.
func retrying(on descriptor: Int32, until events: Int32, _ call: () -> Int) -> Int {
    while true {
        let result = retrying(call)
        guard result == -1, errno == EAGAIN else { return result }
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard retrying({ Int(poll(&request, 1, -1)) }) >= 0 else { return -1 }
    }
}
