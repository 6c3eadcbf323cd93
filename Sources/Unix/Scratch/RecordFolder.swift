internal import CUnix
internal import Glibc
internal import SecretMemory

/// The private folder where this user's processes keep their ``ScratchRecord``s, and find one another.
///
/// It is `passchain` below `XDG_RUNTIME_DIR`, or below `XDG_STATE_HOME` (`~/.local/state`), and counts only if nobody
/// else can write there. Without such a folder there are no records, and nothing that was left is ever removed.
package struct RecordFolder: Sendable {
    let path: Path
    /// Which folder that is, in case others can put another one in its place.
    private let identity: FileIdentity

    private static let name: Path = "passchain"
    private static let prefix = Array("scratch-".utf8)
    private static let largest = 64 * 1024

    /// The folder that records go to now, made where it is missing; `nil` where there can be none.
    package static func forWriting(_ environment: Environment) -> RecordFolder? {
        if let runtime = runtimeFolder(environment), let folder = RecordFolder(in: runtime, making: true) {
            return folder
        }
        guard let state = stateFolder(environment), isInOwnHands(state),
            (try? Unix.makeFolders(at: state)) != nil
        else { return nil }
        return RecordFolder(in: state, making: true)
    }

    /// The folders that may hold records: with or without a session of the desktop, it may have been either.
    package static func forReading(_ environment: Environment) -> [RecordFolder] {
        [runtimeFolder(environment), stateFolder(environment)].compactMap { parent in
            parent.flatMap { RecordFolder(in: $0, making: false) }
        }
    }

    private static func runtimeFolder(_ environment: Environment) -> Path? {
        guard let folder = absolutePath("XDG_RUNTIME_DIR", environment),
            privateFolder(at: folder) != nil
        else { return nil }
        return folder
    }

    private static func stateFolder(_ environment: Environment) -> Path? {
        if let folder = absolutePath("XDG_STATE_HOME", environment) { return folder }
        // A home that is not there is not made.
        guard let home = absolutePath("HOME", environment), FileIdentity(at: home) != nil else { return nil }
        return home.appending(".local/state")
    }

    private static func absolutePath(_ name: String, _ environment: Environment) -> Path? {
        guard let path = environment.nonEmpty(name).map({ Path($0) }), path.isAbsolute else { return nil }
        return path
    }

    /// Whether the innermost folder on the way to a path that exists is this user's.
    private static func isInOwnHands(_ path: Path) -> Bool {
        var here = Path(Array("/".utf8)).appending(Path(components: path.components))
        var status = stat()
        while withCString(here.bytes, { stat($0, &status) }) != 0 {
            guard errno == ENOENT, here.components.count > 1 else { return false }
            here = here.parent
        }
        return status.st_uid == geteuid() && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Finds it in a folder of this user's; `nil` when it is missing, or somebody else could write there.
    private init?(in parent: Path, making: Bool) {
        path = parent.appending(RecordFolder.name)
        if making { _ = withCString(path.bytes) { mkdir($0, 0o700) } }
        guard RecordFolder.isOwn(parent), let identity = RecordFolder.privateFolder(at: path) else {
            return nil
        }
        self.identity = identity
    }

    private static func isOwn(_ folder: Path) -> Bool {
        var status = stat()
        return withCString(folder.bytes) { stat($0, &status) } == 0 && status.st_uid == geteuid()
    }

    /// What is at a path, if it is a folder, no link, of this user's, and for nobody else.
    private static func privateFolder(at path: Path) -> FileIdentity? {
        var status = stat()
        guard withCString(path.bytes, { lstat($0, &status) }) == 0, status.st_uid == geteuid(),
            status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o077 == 0
        else { return nil }
        return FileIdentity(status)
    }

    /// Makes a folder in it, where it is missing, for what processes tell each other: never for a secret.
    ///
    /// - Returns: its path; `nil` where it cannot be had.
    package func folder(_ name: Path) -> Path? {
        let folder = path.appending(name)
        _ = withCString(folder.bytes) { mkdir($0, 0o700) }
        return RecordFolder.privateFolder(at: folder) == nil ? nil : folder
    }

    /// Writes a record.
    ///
    /// - Returns: its file; `nil` when it could not be written.
    func keep(_ record: ScratchRecord) -> Path? {
        let file = path.appending(Path(RecordFolder.prefix + ScratchFolder.randomMark(length: 13)))
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        }
        guard number >= 0 else { return nil }
        guard (try? FileDescriptor(owning: number).write(record.text)) != nil else {
            _ = withCString(file.bytes) { unlink($0) }
            return nil
        }
        return file
    }

    /// Adds a process to those that a record names.
    static func add(_ user: ProcessMark, to file: Path) {
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_APPEND | O_NOFOLLOW, 0)
        }
        // Without it the folder's lock, which the process has inherited, says that it is in use.
        guard number >= 0 else { return }
        try? FileDescriptor(owning: number).write(ScratchRecord.line(for: user))
    }

    /// All records, each with its file.
    func records() -> [(file: Path, record: ScratchRecord)] {
        // What cannot be read is no record of ours.
        guard let folder = try? ConfinedFolder(path), (try? FileIdentity(of: folder.descriptor)) == identity,
            let names = try? folder.names()
        else { return [] }
        return names.filter { $0.starts(with: RecordFolder.prefix) }.compactMap { name in
            guard let place = try? folder.locate(Path(name), followingLast: false),
                let status = try? place.status(), status.kind == .file, status.isOwn,
                let record = (try? place.read(limit: RecordFolder.largest)).flatMap(ScratchRecord.init)
            else { return nil }
            return (path.appending(Path(name)), record)
        }
    }
}
