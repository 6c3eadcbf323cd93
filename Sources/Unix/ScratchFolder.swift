internal import CUnix
internal import Glibc
public import SecretMemory

/// A private folder for a short time, removed with all that is in it when the last reference goes away.
public final class ScratchFolder {
    /// Where the folder is.
    public let path: Path
    private let isInMemory: Bool
    private var isDone = false

    /// Makes a folder of mode 0700 with a name of `prefix` and 13 random letters.
    ///
    /// - Parameters:
    ///   - parent: the folder to make it in.
    ///   - prefix: what its name begins with.
    ///   - isInMemory: whether files below `parent` never reach a disk; if they may, they are overwritten before they
    ///     are removed.
    /// - Throws: ``Errno``.
    public init(in parent: Path, prefix: [UInt8], isInMemory: Bool) throws(Errno) {
        self.isInMemory = isInMemory
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        var attempts = 0
        while true {
            let mark = (0..<13).map { _ in letters[Int.random(in: letters.indices)] }
            let candidate = parent.appending(Path(prefix + mark))
            if withCString(candidate.bytes, { mkdir($0, 0o700) }) == 0 {
                path = candidate
                return
            }
            attempts += 1
            guard errno == EEXIST, attempts < 100 else { throw Errno(.makeFolder, parent) }
        }
    }

    deinit { if !isDone { removeAll() } }

    /// Random letters and digits, for a name.
    public func randomMark(length: Int) -> [UInt8] {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        return (0..<length).map { _ in letters[Int.random(in: letters.indices)] }
    }

    /// Makes a file of mode 0600 that did not exist, at a path in the folder.
    public func write(_ contents: SecretBytes, to file: Path) throws(Errno) {
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

    /// What a file in the folder holds.
    public func read(_ file: Path, limit: Int) throws(Errno) -> SecretBytes {
        let number = withCString(file.bytes) { cunix_openat(AT_FDCWD, $0, O_RDONLY | O_NONBLOCK, 0) }
        guard number >= 0 else { throw Errno(.open, file) }
        return try FileDescriptor(owning: number).readSecret(limit: limit)
    }

    /// Leaves the folder and what is in it.
    public func keep() { isDone = true }

    /// Removes the folder and what is in it now.
    public func remove() {
        removeAll()
        isDone = true
    }

    private func removeAll() {
        guard let folder = try? ConfinedFolder(path), let items = try? folder.contents(below: Path([])) else {
            return
        }
        for item in items.reversed() {
            guard let place = try? folder.locate(item.path, followingLast: false) else { continue }
            if item.kind == .folder {
                try? place.removeFolder()
            } else {
                if !isInMemory, item.kind == .file { try? place.overwrite() }
                try? place.remove()
            }
        }
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
