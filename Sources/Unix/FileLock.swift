internal import CUnix
internal import Glibc

/// An exclusive lock on a folder, held until the value goes away.
///
/// Calls `flock`.
///
/// It lies on the folder itself and so leaves nothing in it, but where the system locks no folders, as NFS does not:
/// there it lies on a file. The kernel drops it when its holder ends, however that happens.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Whether another process holds it, and lends it; see ``init(onFolder:orFile:waiting:lentBy:)``.
    package let isBorrowed: Bool

    /// Why a lock could not be had.
    package enum Failure: Error, Hashable, Sendable {
        /// Another process holds it: its id and command, where the system tells.
        case held(by: Int32?, command: String)
        /// The system does not lock here.
        case system(Errno)
    }

    /// Waits for the lock on the folder at `path`, `seconds` at most.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - file: the file that is made and locked where folders cannot be.
    ///   - seconds: how long to wait.
    ///   - lenders: ancestor processes that hold the lock while they wait for a child, which may use the
    ///     store meanwhile. When one of them holds it the lock is borrowed: to wait for it would be to wait
    ///     for ever.
    /// - Throws: ``Failure``.
    package init(
        onFolder path: Path,
        orFile file: (() -> Path)? = nil,
        waiting seconds: Double,
        lentBy lenders: Set<Int32> = []
    ) throws(Failure) {
        var descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try openFolderFile(AT_FDCWD, path.bytes, showing: path)
        } catch {
            throw .system(error)
        }
        var file = file
        var wait = Wait(seconds: seconds)
        var isBorrowed = false
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno != EWOULDBLOCK {
                let problem = Errno(.lock, path)
                guard let place = file?(), FileLock.signsOfNoLocks.contains(problem.code) else {
                    throw .system(problem)
                }
                descriptor = try FileLock.open(place)
                file = nil
                continue
            }
            if !lenders.isEmpty, let (holder, _) = FileLock.holder(of: descriptor), lenders.contains(holder),
                Process.descends(from: holder)
            {
                isBorrowed = true
                break
            }
            guard wait.pause() else {
                let holder = FileLock.holder(of: descriptor)
                throw .held(by: holder?.0, command: holder?.1 ?? "")
            }
        }
        self.descriptor = descriptor
        self.isBorrowed = isBorrowed
    }

    /// Pauses that grow from half a millisecond to 20, for some time.
    private struct Wait {
        private var left: Int64
        private var next: UInt32 = 500

        init(seconds: Double) { left = Int64(seconds * 1_000_000) }

        /// Pauses, or answers that the time is over.
        mutating func pause() -> Bool {
            guard left > 0 else { return false }
            usleep(next)
            left -= Int64(next)
            next = min(2 * next, 20_000)
            return true
        }
    }

    /// What `flock` says where it locks no folders: NFS wants them open for writing.
    private static let signsOfNoLocks: Set<Int32> = [EBADF, ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL]

    private static func open(_ file: Path) throws(Failure) -> FileDescriptor {
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
        }
        guard number >= 0 else { throw .system(Errno(.lock, file)) }
        return FileDescriptor(owning: number)
    }

    /// Who holds the lock, as `/proc/locks` tells.
    private static func holder(of descriptor: FileDescriptor) -> (Int32, String)? {
        var status = stat()
        // Who it is only makes a message better.
        guard fstat(descriptor.number, &status) == 0,
            let table = try? readFile("/proc/locks")
        else { return nil }
        for line in String(decoding: table, as: UTF8.self).split(separator: "\n") {
            // 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", let process = Int32(fields[4]),
                fields[5].split(separator: ":").last.flatMap({ UInt64($0) }) == UInt64(status.st_ino)
            else { continue }
            let command = (try? readFile(Path("/proc/\(process)/comm"))) ?? []
            return (process, String(decoding: command, as: UTF8.self).trimmingNewline)
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingNewline: String { last == "\n" ? String(dropLast()) : self }
}
