internal import CUnix
internal import Glibc

/// A small program file in a private folder of its own, both of which go away with the last reference or on a signal.
public final class ScratchFile: Sendable {
    /// Where the file is.
    public let path: Path
    private let slots: Slots

    /// The slots of the file and its folder, which the signal handler removes; touched by nobody else.
    private struct Slots: @unchecked Sendable {
        let file: OpaquePointer?
    }

    /// Writes a program of mode 0700 where programs may be run from.
    ///
    /// - Throws: ``Errno`` when no folder for temporary files will do.
    public init(executable content: [UInt8], _ environment: Environment) throws(Errno) {
        let folders = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { environment.nonEmpty($0).map { Path($0) } }
        for folder in folders + ["/tmp", "/dev/shm"] where folder.isAbsolute {
            guard let private_ = try? ScratchFile.makeFolder(in: folder) else { continue }
            let file = private_.appending("gpg")
            if ScratchFile.write(content, to: file) {
                path = file
                slots = Slots(file: withCString(file.bytes) { cunix_interruption_register(-1, $0) })
                return
            }
            _ = withCString(file.bytes) { unlink($0) }
            _ = withCString(private_.bytes) { rmdir($0) }
        }
        throw Errno(
            .write,
            "a private program file; set TMPDIR to a folder that programs can run from",
            code: EACCES
        )
    }

    deinit {
        _ = withCString(path.bytes) { unlink($0) }
        _ = withCString(path.parent.bytes) { rmdir($0) }
        cunix_interruption_unregister(slots.file)
    }

    private static func makeFolder(in folder: Path) throws(Errno) -> Path {
        var template = folder.appending("passchain.XXXXXXXXXXXX").bytes.map(CChar.init(bitPattern:)) + [0]
        guard mkdtemp(&template) != nil else { throw Errno(.makeFolder, folder) }
        return Path(template.dropLast().map(UInt8.init(bitPattern:)))
    }

    /// False where the file cannot be written, or not be run: folders may be mounted so.
    private static func write(_ content: [UInt8], to path: Path) -> Bool {
        let number = withCString(path.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o700)
        }
        guard number >= 0, (try? FileDescriptor(owning: number).write(content)) != nil else { return false }
        return withCString(path.bytes) { access($0, X_OK) } == 0
    }
}
