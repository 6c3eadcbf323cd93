internal import CUnix
internal import Glibc
internal import SecretMemory

/// A name in an open folder.
///
/// The name is one component, and is never followed when it is a link.
package struct Location: Sendable {
    /// The open folder.
    let folder: FileDescriptor

    /// The name in it.
    package let name: [UInt8]

    /// How the caller named the place, for messages.
    package let path: Path

    /// Where the place really is below the confined folder: the same as `path` when no link is on the way.
    package let realPath: Path

    /// The facts of what is there; `nil` when there is nothing.
    package func status() throws(Errno) -> FileStatus? {
        var status = stat()
        if withCString(name, { fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
            return FileStatus(status)
        }
        guard errno == ENOENT else { throw Errno(.inspect, path) }
        return nil
    }

    /// Where a link points to.
    package func linkTarget() throws(Errno) -> Path {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = withCString(name) { name in
            target.withUnsafeMutableBytes { bytes in
                guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return -1 }
                return readlinkat(folder.number, name, start, bytes.count)
            }
        }
        guard length >= 0 else { throw Errno(.readLink, path) }
        // What fills all of the room may have been cut.
        guard length < target.count else { throw Errno(.readLink, path, code: ENAMETOOLONG) }
        guard let target = Path(checking: Array(target[..<length])) else {
            throw Errno(.readLink, path, code: EINVAL)
        }
        return target
    }

    /// Another name in the same folder.
    package func sibling(_ name: [UInt8]) -> Location {
        Location(folder: folder, name: name, path: path, realPath: realPath.parent.appending(Path(name)))
    }

    func openAsFolder() throws(Errno) -> FileDescriptor {
        let number = withCString(name) {
            cunix_openat(folder.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0)
        }
        guard number >= 0 else { throw Errno(.open, path) }
        return FileDescriptor(owning: number)
    }

    /// Opens a regular file for reading.
    ///
    /// A pipe, socket or device is refused (`EINVAL`) without waiting for it.
    package func openForReading() throws(Errno) -> FileDescriptor {
        let number = withCString(name) {
            cunix_openat(folder.number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0)
        }
        guard number >= 0 else { throw Errno(.open, path) }
        let descriptor = FileDescriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Errno(.inspect, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Errno(.open, path, code: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        return descriptor
    }

    /// All bytes of a regular file; more than `limit` is `EFBIG`.
    package func read(limit: Int = .max) throws(Errno) -> [UInt8] {
        try openForReading().readAll(limit: limit, path: path)
    }

    /// Makes a folder there; `mode` are its permission bits, less the umask.
    ///
    /// One that root makes belongs to the owner of the folder around it.
    package func makeFolder(mode: UInt32 = 0o777) throws(Errno) {
        guard withCString(name, { mkdirat(folder.number, $0, mode) }) == 0 else {
            throw Errno(.makeFolder, path)
        }
        giveToOwnerOfFolder()
    }

    /// Gives what root has just made there to the owner of the folder around it.
    ///
    /// Where the system does not let root do so, as in some containers, it stays root's.
    func giveToOwnerOfFolder() {
        withCString(name) { cunix_give_to_owner_of_folder(folder.number, $0) }
    }

    /// Removes an empty folder.
    package func removeFolder() throws(Errno) {
        guard withCString(name, { unlinkat(folder.number, $0, AT_REMOVEDIR) }) == 0 else {
            throw Errno(.remove, path)
        }
    }

    /// Removes a file or link.
    package func remove() throws(Errno) {
        guard withCString(name, { unlinkat(folder.number, $0, 0) }) == 0 else { throw Errno(.remove, path) }
    }

    /// Gives what is there the name `target`, over a file that has it already if `replacing` says so.
    package func rename(to target: Location, replacing: Bool) throws(Errno) {
        let result = withCString(name) { old in
            withCString(target.name) { new in
                replacing
                    ? renameat(folder.number, old, target.folder.number, new)
                    : cunix_rename_no_replace(folder.number, old, target.folder.number, new)
            }
        }
        guard result == 0 else { throw Errno(.rename, path) }
    }

    /// Makes a link there that points to `target`; one that root makes belongs to the owner of the folder.
    package func makeLink(to target: Path) throws(Errno) {
        let result = withCString(target.bytes) { target in
            withCString(name) { symlinkat(target, folder.number, $0) }
        }
        guard result == 0 else { throw Errno(.write, path) }
        giveToOwnerOfFolder()
    }

    /// Makes renames, new names and removals in the folder survive a power cut.
    package func synchronizeFolder() throws(Errno) {
        try folder.synchronize(path)
    }

    /// Creates a file there that did not exist, open for writing.
    ///
    /// Only permissions count of `mode`: nothing here is to run as its owner.
    func createExclusively(mode: UInt32) throws(Errno) -> FileDescriptor {
        let number = withCString(name) {
            cunix_openat(folder.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode & 0o777)
        }
        guard number >= 0 else { throw Errno(.open, path) }
        return FileDescriptor(owning: number)
    }
}
