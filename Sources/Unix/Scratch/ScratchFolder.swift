internal import CUnix
internal import Glibc
package import SecretMemory

/// A private folder for a short time, removed with all that is in it when the last reference goes away, or the process
/// exits, or a signal ends it.
///
/// A ``ScratchRecord`` in a place of the user's own knows it, so that it goes after a kill, too; see
/// ``removeAbandoned(_:)``. A lock on the folder, which children inherit that work in it, tells that it is in use.
package final class ScratchFolder: Sendable {
    /// Where the folder is.
    package let path: Path
    private let isInMemory: Bool
    /// The folder itself, held open for its lock.
    package let descriptor: FileDescriptor
    private let identity: FileIdentity
    private let record: Path?
    private let removal: RemovalOnSignal

    /// Makes a folder of mode 0700 with a name of `prefix` and 13 random letters.
    ///
    /// - Parameters:
    ///   - parent: where it is made.
    ///   - prefix: what its name begins with.
    ///   - isInMemory: whether files below `parent` never reach a disk; if they may, they are overwritten before they
    ///     are removed.
    ///   - records: where it is written down; without that it stays when this process is killed.
    /// - Throws: ``Errno``; then nothing is left.
    package init(
        in parent: Path,
        prefix: [UInt8],
        isInMemory: Bool,
        records: RecordFolder?
    ) throws(Errno) {
        self.isInMemory = isInMemory
        // In between a signal would leave what nobody knows.
        (path, descriptor, identity, record, removal) = try Interruption.held { () throws(Errno) in
            let path = try ScratchFolder.makeFolder(in: parent, prefix: prefix)
            do throws(Errno) {
                let descriptor = try openFolderFile(AT_FDCWD, path.bytes, showing: path)
                guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { throw Errno(.lock, path) }
                let identity = try FileIdentity(of: descriptor)
                let record = ScratchFolder.write(path, identity, isInMemory: isInMemory, to: records)
                let removal = RemovalOnSignal(path, isInMemory ? .folder : .folderOnDisk, record: record)
                return (path, descriptor, identity, record, removal)
            } catch {
                _ = withCString(path.bytes) { rmdir($0) }
                throw error
            }
        }
    }

    deinit { remove() }

    private static func makeFolder(in parent: Path, prefix: [UInt8]) throws(Errno) -> Path {
        for _ in 0..<100 {
            let candidate = parent.appending(Path(prefix + randomMark(length: markLength)))
            if withCString(candidate.bytes, { mkdir($0, 0o700) }) == 0 { return candidate }
            guard errno == EEXIST else { throw Errno(.makeFolder, parent) }
        }
        throw Errno(.makeFolder, parent, code: EEXIST)
    }

    private static func write(
        _ path: Path,
        _ identity: FileIdentity,
        isInMemory: Bool,
        to records: RecordFolder?
    ) -> Path? {
        // A relative path means another folder to another process.
        guard let records, path.isAbsolute, let machine = ScratchRecord.Machine.here,
            let maker = ProcessMark(ofRunning: getpid())
        else { return nil }
        return records.keep(
            ScratchRecord(
                path: path,
                identity: identity,
                isInMemory: isInMemory,
                machine: machine,
                users: [maker]
            )
        )
    }

    private static let markLength = 13
    private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    /// Random letters and digits, for a name.
    package static func randomMark(length: Int) -> [UInt8] {
        (0..<length).map { _ in letters[Int.random(in: letters.indices)] }
    }

    /// Writes down that a child works in the folder, so that it keeps its files when this process is killed.
    package func addUser(_ child: Int32) {
        guard let record, let mark = ProcessMark(ofRunning: child) else { return }
        RecordFolder.add(mark, to: record)
    }

    /// Makes a file of mode 0600 that did not exist, at a path in the folder.
    package func write(_ contents: SecretBytes, to file: Path) throws(Errno) {
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        }
        guard number >= 0 else { throw Errno(.write, file) }
        let descriptor = FileDescriptor(owning: number)
        do throws(Errno) {
            try descriptor.write(contents)
        } catch {
            throw Errno(.write, file, code: error.code)
        }
    }

    /// What a regular file in the folder holds.
    package func read(_ file: Path, limit: Int) throws(Errno) -> SecretBytes {
        let number = withCString(file.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK, 0) }
        guard number >= 0 else { throw Errno(.open, file) }
        let descriptor = FileDescriptor(owning: number)
        guard try descriptor.status().kind == .file else { throw Errno.notAFile(file) }
        return try descriptor.readSecret(limit: limit)
    }

    /// Leaves the folder, with what is in it, to the user.
    package func keep() {
        guard removal.cancel() else { return }
        forget()
    }

    /// Removes the folder and what is in it now, unless it was left to the user.
    package func remove() {
        guard removal.isActive else { return }
        // What cannot be removed now stays known, and goes with a later change.
        if ScratchFolder.removeAll(path, identity, isInMemory: isInMemory) { forget() }
        removal.cancel()
    }

    private func forget() {
        guard let record else { return }
        _ = withCString(record.bytes) { unlink($0) }
    }
}

// MARK: What is left behind

extension ScratchFolder {
    /// Removes the folders that processes of this user made and then did not live to remove, as records tell.
    ///
    /// - Returns: the folders that were removed.
    @discardableResult
    package static func removeAbandoned(_ folders: [RecordFolder]) -> [Path] {
        folders.flatMap { $0.records() }.compactMap { file, record in
            guard record.isAbandoned else { return nil }
            let isThere = FileIdentity(at: record.path) == record.identity
            guard !isThere || removeIfUnused(record) else { return nil }
            _ = withCString(file.bytes) { unlink($0) }
            return isThere ? record.path : nil
        }
    }

    private static func removeIfUnused(_ record: ScratchRecord) -> Bool {
        // It may be locked by a child of its maker, or by somebody who is removing it.
        guard let folder = try? openFolderFile(AT_FDCWD, record.path.bytes, showing: record.path),
            (try? FileIdentity(of: folder)) == record.identity, let status = try? folder.status(),
            // As it was made: whoever forged a record, in a backup that was restored for instance, does not get more.
            status.isOwn, status.mode & 0o7777 == 0o700, endsInMark(record.path),
            flock(folder.number, LOCK_EX | LOCK_NB) == 0
        else { return false }
        return removeAll(record.path, record.identity, isInMemory: record.isInMemory)
    }

    /// Whether a path ends as those of the folders do.
    private static func endsInMark(_ path: Path) -> Bool {
        let mark = path.lastComponent.suffix(markLength)
        return mark.count == markLength && mark.allSatisfy(letters.contains)
    }

    /// Removes what is in a folder, and the folder, as long as that is the one that it was.
    private static func removeAll(_ path: Path, _ identity: FileIdentity, isInMemory: Bool) -> Bool {
        if let folder = try? ConfinedFolder(path), (try? FileIdentity(of: folder.descriptor)) == identity,
            let items = try? folder.contents(below: Path([]))
        {
            for item in items.reversed() {
                guard let place = try? folder.locate(item.path, followingLast: false) else { continue }
                if item.kind == .folder {
                    try? place.removeFolder()
                } else {
                    if !isInMemory, item.kind == .file { try? place.overwrite() }
                    try? place.remove()
                }
            }
        }
        guard FileIdentity(at: path) == identity else { return true }
        return withCString(path.bytes) { rmdir($0) } == 0
    }
}

extension Location {
    /// Overwrites a file with zeroes, and makes sure that they reach the disk.
    ///
    /// A file that has another name too is somebody's there, and stays as it is.
    fileprivate func overwrite() throws(Errno) {
        let number = withCString(name) {
            cunix_openat(folder.number, $0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0)
        }
        guard number >= 0 else { throw Errno(.write, path) }
        let file = FileDescriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            return
        }
        try file.write([UInt8](repeating: 0, count: Int(status.st_size)))
        try file.synchronize(path)
    }
}

extension Subprocess {
    /// Runs a program that talks to the user on the terminal and works in `folder`, and waits for its end.
    ///
    /// When this process is killed meanwhile, the program keeps the folder for as long as it lives.
    package func runInteractively(in folder: ScratchFolder?) throws(Errno) -> Outcome {
        var child = self
        child.heldFile = folder?.descriptor
        return try child.runInteractively { folder?.addUser($0) }
    }
}
