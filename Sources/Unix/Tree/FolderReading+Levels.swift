internal import Glibc

extension FolderReading {
    /// Goes back to the level above.
    mutating func leave() {
        let left = levels.removeLast()
        pending.removeSubrange(left.start...)
        defer {
            if left.descriptor >= 0 {
                close(left.descriptor)
                openFolders -= 1
            }
        }
        guard let above = levels.last, above.descriptor < 0, left.descriptor >= 0 else { return }
        // It was closed on the way down. If `..` is another folder by now, `left` was moved; what is left of the
        // level above then counts as unreadable.
        let place = levels.count - 1
        // What went wrong does not matter: it is unreadable then.
        guard let descriptor = try? openFolder(left.descriptor, "..", followingLink: false) else { return }
        guard (try? identity(of: descriptor)) == above.identity else {
            close(descriptor)
            return
        }
        levels[place].descriptor = descriptor
        openFolders += 1
        firstOpen = min(firstOpen, place)
    }

    /// Closes folders far above; `..` finds them again.
    ///
    /// A level that a followed link leads out of stays open, for `..` does not lead back there. There are at most
    /// `maximumLinks` of these.
    mutating func closeFarFolders() {
        while openFolders > Self.maximumOpenFolders, firstOpen < levels.count - 2 {
            if !levels[firstOpen + 1].isLinked, levels[firstOpen].descriptor >= 0 {
                close(levels[firstOpen].descriptor)
                levels[firstOpen].descriptor = -1
                openFolders -= 1
            }
            firstOpen += 1
        }
    }

    /// Whether an open folder lies in the root, which is found out by going up.
    ///
    /// Nobody can change the answer between this check and the use, for the folder stays open.
    func isInRoot(_ descriptor: Int32, _ identity: Identity) -> Bool {
        var here = descriptor
        var current = identity
        defer { if here != descriptor { close(here) } }
        for _ in 0..<walk.maximumDepth {
            if current == root || seen.contains(current) { return true }
            let above = openat(here, "..", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
            guard above >= 0 else { return false }
            if here != descriptor { close(here) }
            here = above
            // A folder that cannot be told from others is not in the root.
            guard let next = try? self.identity(of: above), next != current else { return false }
            current = next
        }
        return false
    }

    /// `O_PATH`, which Glibc's module hides: it needs no permission to read.
    private static let pathOnly: Int32 = 0o10_000_000

    func openFolder(
        _ at: Int32,
        _ path: UnsafePointer<CChar>,
        followingLink: Bool
    ) throws(Failure) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLink ? 0 : O_NOFOLLOW)
        let descriptor = openat(at, path, flags)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        return descriptor
    }

    func identity(of descriptor: Int32) throws(Failure) -> Identity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        return Identity(status)
    }

    func status(
        in folder: Int32,
        _ name: UnsafePointer<CChar>,
        followingLink: Bool
    ) throws(Failure) -> (identity: Identity, mode: FileMode) {
        var status = stat()
        guard fstatat(folder, name, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            throw Failure(code: errno)
        }
        return (Identity(status), FileMode(bits: status.st_mode))
    }

    /// Lends a name in `text` as a C string.
    func withName<Result>(
        _ name: Range<Int>,
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try text.span.withUnsafeBytes { (bytes) throws(Failure) in try body(cString(bytes, name)) }
    }

    /// The bytes in `range`, which a NUL must follow, as a C string.
    func cString(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafePointer<CChar> {
        guard let start = bytes.baseAddress, bytes[range.upperBound] == 0 else {
            preconditionFailure("a C string ends with a NUL")
        }
        return (start + range.lowerBound).assumingMemoryBound(to: CChar.self)
    }
}
