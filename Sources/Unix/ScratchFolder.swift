internal import CUnix
internal import Glibc
package import SecretMemory

/// A private folder for a short time, removed with all that is in it when the last reference goes away, or the process
/// exits, or a signal ends it.
///
/// A lock on the folder, and a file in it that says so, tell folders whose owner was killed from those in use; see
/// ``removeAbandoned(in:areInMemory:)``.
package final class ScratchFolder: Sendable {
    /// Where the folder is.
    package let path: Path
    private let isInMemory: Bool
    /// The folder itself, held open for its lock.
    private let descriptor: FileDescriptor
    private let removal: RemovalOnSignal

    /// The file that marks a folder as one of ours.
    static let mark: Path = ".passchain-scratch"

    /// Makes a folder of mode 0700 with a name of `prefix` and 13 random letters.
    ///
    /// `isInMemory` says whether files below `parent` never reach a disk; if they may, they are overwritten before they
    /// are removed.
    package init(in parent: Path, prefix: [UInt8], isInMemory: Bool) throws(Errno) {
        self.isInMemory = isInMemory
        path = try ScratchFolder.makeFolder(in: parent, prefix: prefix)
        removal = RemovalOnSignal(path, isInMemory ? .folder : .folderOnDisk)
        do throws(Errno) {
            descriptor = try openFolderFile(AT_FDCWD, path.bytes, showing: path)
            guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else { throw Errno(.lock, path) }
            // Only now, so that whoever sees the mark without a lock knows that the owner has gone.
            _ = try ScratchFolder.create(path.appending(ScratchFolder.mark))
        } catch {
            _ = withCString(path.appending(ScratchFolder.mark).bytes) { unlink($0) }
            _ = withCString(path.bytes) { rmdir($0) }
            throw error
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

    private static let markLength = 13
    private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    /// Whether a folder of this class can have the name: most that is in a folder for temporary files cannot.
    private static func isPossible(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count >= markLength && name.suffix(markLength).allSatisfy { isLetter[Int($0)] }
    }

    private static let isLetter = (0...UInt8.max).map(letters.contains)

    /// Random letters and digits, for a name.
    package static func randomMark(length: Int) -> [UInt8] {
        (0..<length).map { _ in letters[Int.random(in: letters.indices)] }
    }

    private static func create(_ file: Path) throws(Errno) -> FileDescriptor {
        let number = withCString(file.bytes) {
            cunix_openat(AT_FDCWD, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        }
        guard number >= 0 else { throw Errno(.write, file) }
        return FileDescriptor(owning: number)
    }

    /// Makes a file of mode 0600 that did not exist, at a path in the folder.
    package func write(_ contents: SecretBytes, to file: Path) throws(Errno) {
        let descriptor = try ScratchFolder.create(file)
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
        removal.cancel()
        _ = withCString(path.appending(ScratchFolder.mark).bytes) { unlink($0) }
    }

    /// Removes the folder and what is in it now, unless it was left to the user.
    package func remove() {
        let mark = path.appending(ScratchFolder.mark)
        guard withCString(mark.bytes, { access($0, F_OK) }) == 0 else { return }
        ScratchFolder.removeAll(path, isInMemory: isInMemory)
        removal.cancel()
    }

    /// Removes the folders in `parent` that processes of this user made and then did not live to remove.
    ///
    /// - Returns: the folders that were removed.
    @discardableResult
    package static func removeAbandoned(in parent: Path, areInMemory: Bool) -> [Path] {
        // Where nothing can be listed nothing of ours can be found.
        guard let names = try? ConfinedFolder(parent).names(where: isPossible) else { return [] }
        return names.map { parent.appending(Path($0)) }.filter { path in
            guard isAbandoned(path) else { return false }
            removeAll(path, isInMemory: areInMemory)
            return true
        }
    }

    private static func isAbandoned(_ path: Path) -> Bool {
        var status = stat()
        guard withCString(path.bytes, { lstat($0, &status) }) == 0, status.st_uid == geteuid(),
            withCString(path.appending(mark).bytes, { lstat($0, &status) }) == 0,
            // Somebody else may be removing it.
            let folder = try? openFolderFile(AT_FDCWD, path.bytes, showing: path)
        else { return false }
        return flock(folder.number, LOCK_EX | LOCK_NB) == 0
    }

    private static func removeAll(_ path: Path, isInMemory: Bool) {
        if let folder = try? ConfinedFolder(path), let items = try? folder.contents(below: Path([])) {
            // The mark goes last: what cannot be removed now is found again, and so no failure is one for good.
            for item in items.reversed() where item.path != mark {
                guard let place = try? folder.locate(item.path, followingLast: false) else { continue }
                if item.kind == .folder {
                    try? place.removeFolder()
                } else {
                    if !isInMemory, item.kind == .file { try? place.overwrite() }
                    try? place.remove()
                }
            }
        }
        _ = withCString(path.appending(mark).bytes) { unlink($0) }
        _ = withCString(path.bytes) { rmdir($0) }
    }
}

extension Location {
    /// Overwrites a file with zeroes and makes sure that they reach the disk.
    fileprivate func overwrite() throws(Errno) {
        guard let status = try status(), status.kind == .file else { return }
        let number = withCString(name) { cunix_openat(folder.number, $0, O_WRONLY | O_NOFOLLOW, 0) }
        guard number >= 0 else { throw Errno(.write, path) }
        let file = FileDescriptor(owning: number)
        try file.write([UInt8](repeating: 0, count: status.size))
        try file.synchronize(path)
    }
}
