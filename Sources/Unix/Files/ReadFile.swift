internal import CUnix
internal import Glibc
internal import SecretMemory

/// All bytes of the file at an absolute path.
package func readFile(_ path: Path, limit: Int = .max) throws(Errno) -> [UInt8] {
    let number = withCString(path.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK, 0) }
    guard number >= 0 else { throw Errno(.open, path) }
    return try FileDescriptor(owning: number).readAll(limit: limit, path: path)
}

/// Whether the file at a path, or what a link there leads to, can be read.
package enum FileAccess: Sendable, Hashable {
    /// It is a regular file, and can be.
    case readable
    /// Nothing has the name, and the folder it would be in could be looked at.
    case absent
    /// It is there and cannot be, or nobody can tell.
    case unreadable(Errno)

    /// Finds it out; `path` is taken as the system takes it, through any link.
    package init(_ path: Path) {
        let number = withCString(path.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK, 0) }
        guard number >= 0 else {
            let error = Errno(.open, path)
            self = error.code == ENOENT && !FileAccess.isDangling(path) ? .absent : .unreadable(error)
            return
        }
        let file = FileDescriptor(owning: number)
        guard let status = try? file.status() else {
            self = .unreadable(Errno(.inspect, path))
            return
        }
        self = status.kind == .file ? .readable : .unreadable(.notAFile(path))
    }

    /// Whether a link at `path`, or at the folder it is in, leads to nothing, as to a disk that is not mounted.
    private static func isDangling(_ path: Path) -> Bool {
        var status = stat()
        if withCString(path.bytes, { lstat($0, &status) }) == 0 { return true }
        let folder = path.parent
        return withCString(folder.bytes) { lstat($0, &status) } == 0
            && withCString(folder.bytes) { stat($0, &status) } != 0
    }
}
