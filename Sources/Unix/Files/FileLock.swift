internal import CUnix
internal import Glibc
internal import SecretMemory

/// An exclusive lock on a folder, held until the value goes away.
///
/// Calls `flock`.
///
/// It lies on the folder itself and so leaves nothing in it, but where the system locks no folders, as NFS does not:
/// there it lies on a file. The kernel drops it when its holder ends, however that happens.
///
/// A holder that waits for a child lends it: see ``ConfinedFolder/tryTurn()`` for what keeps them apart.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Whether another process holds it, and lends it; see ``init(onFolder:orFile:waiting:lentBy:turnIn:)``.
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
    ///   - lenders: ancestor processes, the eldest first, that hold the lock, or borrowed it, while they wait for a
    ///     child, which may use the store meanwhile. When one of them holds it the lock is borrowed: waiting for
    ///     the lock itself would be a deadlock.
    ///   - folder: the folder, opened for this change alone, which takes the turn to write and keeps it.
    /// - Throws: ``Failure``.
    package init(
        onFolder path: Path,
        orFile file: (() -> Path)? = nil,
        waiting seconds: Double,
        lentBy lenders: [Int32] = [],
        turnIn folder: ConfinedFolder? = nil
    ) throws(Failure) {
        var descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try openFolderFile(AT_FDCWD, path.bytes, showing: path)
        } catch {
            throw .system(error)
        }
        var file = file
        var wait = Pauses(seconds: seconds)
        var isHeld = false
        while true {
            if !isHeld, flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { isHeld = true }
            if isHeld {
                // Whoever borrowed it from a holder that was killed may still be writing.
                if folder?.tryTurn(atDepth: 0) != .taken { break }
            } else if errno == EINTR {
                continue
            } else if errno != EWOULDBLOCK {
                let problem = Errno(.lock, path)
                guard let place = file?(), FileLock.signsOfNoLocks.contains(problem.code) else {
                    throw .system(problem)
                }
                descriptor = try FileLock.open(place)
                file = nil
                continue
            } else if let folder, FileLock.isBorrowable(descriptor, lenders, folder) {
                break
            }
            guard wait.pause() else {
                let holder = isHeld ? nil : FileLock.holder(of: descriptor)
                throw .held(by: holder?.0, command: holder?.1 ?? "")
            }
        }
        self.descriptor = descriptor
        isBorrowed = !isHeld
    }

    /// Whether the lock's holder lends it to this process, which then has the turn.
    ///
    /// Asked once more when the turn is had: the one that waits for this process goes on only after that.
    private static func isBorrowable(
        _ descriptor: FileDescriptor,
        _ lenders: [Int32],
        _ folder: ConfinedFolder
    ) -> Bool {
        /// How many lenders wait for this process; `nil` when the holder is none of them.
        func depth() -> Int? {
            guard let (holder, _) = holder(of: descriptor), lenders.contains(holder),
                Process.descends(from: holder)
            else { return nil }
            return lenders.lastIndex(where: Process.descends(from:)).map { $0 + 1 }
        }
        guard !lenders.isEmpty, let before = depth(), folder.tryTurn(atDepth: before) == .had else {
            return false
        }
        if depth() == before { return true }
        folder.yieldTurn()
        return false
    }

    /// What `flock` says where it locks no folders: NFS wants them open for writing.
    private static let signsOfNoLocks: Set<Int32> = [EBADF, ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL]

    private static func open(_ file: Path) throws(Failure) -> FileDescriptor {
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666)
        }
        guard number >= 0 else { throw .system(Errno(.lock, file)) }
        giveToOwnerOfFolder(file)
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
