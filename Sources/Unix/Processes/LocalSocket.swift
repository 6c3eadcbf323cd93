internal import CUnix
internal import Glibc
internal import SecretMemory

/// Sockets between processes of one user on one machine, by names in a private folder.
package enum LocalSocket {
    /// Makes a socket called `name`, which nothing else may be called, and listens there.
    ///
    /// The name stays when the descriptor is closed.
    ///
    /// - Throws: ``Errno``.
    package static func listen(in folder: Path, as name: String) throws(Errno) -> FileDescriptor {
        try open(folder, name) { cunix_listen($0, $1) }
    }

    /// Connects to the process that listens at `name`.
    ///
    /// - Throws: ``Errno``; `ECONNREFUSED` where there is the name and no such process any more.
    package static func connect(in folder: Path, to name: String) throws(Errno) -> FileDescriptor {
        try open(folder, name) { cunix_connect($0, $1) }
    }

    /// Takes a connection that waits; `nil` for one of another user.
    package static func accept(_ listener: FileDescriptor) -> FileDescriptor? {
        let number = cunix_accept(listener.number)
        return number < 0 ? nil : FileDescriptor(owning: number)
    }

    /// Gives a socket another name, in place of what has it.
    ///
    /// - Throws: ``Errno``.
    package static func rename(in folder: Path, _ old: String, to new: String) throws(Errno) {
        let (old, new) = (folder.appending(Path(old)), folder.appending(Path(new)))
        let result = withCString(old.bytes) { old in withCString(new.bytes) { Glibc.rename(old, $0) } }
        guard result == 0 else { throw Errno(.rename, new) }
    }

    /// Removes a socket's name, where it is there.
    package static func remove(_ name: String, in folder: Path) {
        _ = withCString(folder.appending(Path(name)).bytes) { unlink($0) }
    }

    private static func open(
        _ folder: Path,
        _ name: String,
        _ call: (Int32, UnsafePointer<CChar>) -> Int32
    ) throws(Errno) -> FileDescriptor {
        let path = folder.appending(Path(name))
        let descriptor = try openFolderFile(AT_FDCWD, folder.bytes, showing: folder)
        let number = withCString(Array(name.utf8)) { call(descriptor.number, $0) }
        guard number >= 0 else { throw Errno(.open, path) }
        return FileDescriptor(owning: number)
    }
}

extension FileDescriptor {
    /// Ends what is sent on a connection, which can still be read.
    package func endWriting() { _ = cunix_end_writing(number) }

    /// Waits until there is something to read, or the end, on one of several descriptors.
    ///
    /// - Returns: for each whether it is so; none is when the time is over.
    package static func wait(for descriptors: [FileDescriptor?], seconds: Double) -> [Bool] {
        var requests = descriptors.map { pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0) }
        let milliseconds = Int32(min(max(0, seconds), 1_000_000) * 1000)
        guard poll(&requests, nfds_t(requests.count), milliseconds) > 0 else {
            return descriptors.map { _ in false }
        }
        return requests.map { $0.revents != 0 }
    }

    /// A descriptor that can be read once `TERM` or `HUP` has come, which have no other effect from now on.
    package static func endSignals() throws(Errno) -> FileDescriptor {
        let number = cunix_hold_end_signals()
        guard number >= 0 else { throw Errno(.open, "signals") }
        return FileDescriptor(owning: number)
    }
}
