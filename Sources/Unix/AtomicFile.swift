internal import CUnix
internal import Glibc

/// New content for a file that is complete and on disk beside it, but not yet in its place.
///
/// ``commit(replacing:)`` puts it there in one step, so that a reader, a crash or a full disk finds the old content or
/// the new one. Without a commit the temporary file goes away with this value, also when a signal ends the process.
public struct AtomicFile: ~Copyable {
    private let target: Location
    private let temporary: Location
    private let slot: OpaquePointer?
    private var committed = false

    /// What every temporary file's name begins with; the dot keeps it out of listings.
    public static let temporaryPrefix: [UInt8] = Array(".passchain-tmp.".utf8)

    private init(_ target: Location, _ temporary: Location) {
        self.target = target
        self.temporary = temporary
        slot = withCString(temporary.name) { cunix_interruption_register(temporary.folder.number, $0) }
    }

    /// Writes `content` beside `target` and makes it survive a power cut.
    ///
    /// The mode is that of the file which is replaced, else `mode` less the umask.
    public static func prepare(
        _ content: [UInt8],
        for target: Location,
        mode: UInt32 = 0o666
    ) throws(Errno) -> AtomicFile {
        let existing = try target.status()
        let (temporary, descriptor) = try create(beside: target, mode: mode)
        let file = AtomicFile(target, temporary)
        do throws(Errno) {
            if let existing, existing.kind == .file, fchmod(descriptor.number, existing.mode) != 0 {
                throw Errno(.write, target.path)
            }
            try descriptor.write(content)
            try descriptor.synchronize(target.path)
        } catch {
            throw Errno(error.operation, target.path, code: error.code)
        }
        return file
    }

    deinit {
        if !committed {
            // Best effort: a leftover has a name that no listing shows and that the next write cleans.
            _ = withCString(temporary.name) { unlinkat(temporary.folder.number, $0, 0) }
        }
        cunix_interruption_unregister(slot)
    }

    /// Puts the content in its place and makes that survive a power cut.
    ///
    /// - Throws: ``Errno/isExisting`` when `replacing` is false and something has the name already.
    public consuming func commit(replacing: Bool = true) throws(Errno) {
        try temporary.rename(to: target, replacing: replacing)
        committed = true
        try target.synchronizeFolder()
    }

    private static func create(
        beside target: Location,
        mode: UInt32
    ) throws(Errno) -> (Location, FileDescriptor) {
        var attempts = 100
        while true {
            var generator = SystemRandomNumberGenerator()
            let mark = String(generator.next(), radix: 36)
            let temporary = target.sibling(temporaryPrefix + Array(mark.utf8))
            do throws(Errno) {
                return (temporary, try temporary.createExclusively(mode: mode))
            } catch {
                attempts -= 1
                guard error.isExisting, attempts > 0 else {
                    throw Errno(.write, target.path, code: error.code)
                }
            }
        }
    }
}
