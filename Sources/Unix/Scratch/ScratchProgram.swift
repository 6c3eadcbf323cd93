internal import CUnix
internal import Glibc
internal import SecretMemory

/// A small program file in a private folder of its own, both of which go away with the last reference, at the program's
/// exit or on a signal.
package final class ScratchProgram: Sendable {
    /// Where the file is.
    package let path: Path
    private let folder: ScratchFolder

    /// Writes a program of mode 0700 where programs may be run from.
    ///
    /// - Parameters:
    ///   - content: the bytes of the file.
    ///   - name: what the file is called.
    ///   - environment: says where temporary files may be.
    /// - Throws: ``Errno`` when no folder for temporary files will do.
    package init(_ content: [UInt8], named name: Path, _ environment: Environment) throws(Errno) {
        // The program would be another's where others can replace it: after su, these are those of the former user.
        let folders = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { environment.nonEmpty($0).map { Path($0) } }
            .filter { $0.isAbsolute && $0.isTrustedFolder == true }
        let records = RecordFolder.forWriting(environment)
        for folder in folders + ["/tmp", "/dev/shm"] {
            let prefix = Array("passchain.".utf8)
            // A folder that cannot be used is passed over for the next one. What it holds is no secret.
            let own = try? ScratchFolder(in: folder, prefix: prefix, isInMemory: true, records: records)
            guard let own else { continue }
            let file = own.path.appending(name)
            if ScratchProgram.write(content, to: file) {
                path = file
                self.folder = own
                return
            }
        }
        throw Errno(
            .write,
            "a private program file; set TMPDIR to a folder that programs can run from",
            code: EACCES
        )
    }

    /// False where the file cannot be written, or not be run: folders may be mounted so.
    private static func write(_ content: [UInt8], to path: Path) -> Bool {
        let number = withCString(path.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o700)
        }
        guard number >= 0, (try? FileDescriptor(owning: number).write(content)) != nil else { return false }
        waitUntilClosed(path)
        return withCString(path.bytes) { access($0, X_OK) } == 0
    }

    /// Waits until nobody has the file open for writing, as a program has to be before it can be run.
    ///
    /// A child that another thread starts just now has, until it runs its own program.
    private static func waitUntilClosed(_ path: Path) {
        let number = withCString(path.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY, 0) }
        guard number >= 0 else { return }
        let file = FileDescriptor(owning: number)
        // The kernel gives a lease for reading once there is no writer. Without leases, a moment has to do.
        for _ in 0..<1000 where fcntl(file.number, cunix_set_lease, F_RDLCK) != 0 {
            guard errno == EAGAIN else { return Interruption.sleep(seconds: 0.01) }
            Interruption.sleep(seconds: 0.001)
        }
        _ = fcntl(file.number, cunix_set_lease, F_UNLCK)
    }
}
