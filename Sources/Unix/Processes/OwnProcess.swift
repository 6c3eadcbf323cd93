internal import CUnix
internal import Glibc

/// Another process of this user's, as `/proc` tells.
package struct OwnProcess: Sendable {
    /// Its number.
    package let id: Int32
    /// What it was called with, its own name first.
    package let words: [[UInt8]]

    /// The processes of this user's whose name for themselves begins with `prefix`.
    ///
    /// Looks through `/proc` itself, as pkill(1) takes ten times as long.
    package static func all(named prefix: [UInt8]) -> [OwnProcess] {
        // Without /proc there is nothing to find.
        guard let processes = try? ConfinedFolder("/proc"), let names = try? processes.names() else {
            return []
        }
        var start = [UInt8](repeating: 0, count: prefix.count)
        return names.compactMap { name in
            guard let id = Int32(String(decoding: name, as: UTF8.self)), id != Process.id,
                readStart(ofCommandLine: id, &start), start == prefix, isOwn(id),
                let line = try? readFile(Path("/proc/\(id)/cmdline")), line.starts(with: prefix)
            else { return nil }
            let words = line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            return OwnProcess(id: id, words: words.map { Array($0) })
        }
    }

    /// Fills `start` with the first bytes of a command line, by as few calls as can be: there may be many processes.
    private static func readStart(ofCommandLine process: Int32, _ start: inout [UInt8]) -> Bool {
        let number = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return read(number, &start, start.count) == start.count
    }

    private static func isOwn(_ process: Int32) -> Bool {
        var status = stat()
        return stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
    }

    /// Sends `TERM`, and waits until the parent of the process has ended too, which goes on then.
    ///
    /// - Returns: whether the parent has ended within `seconds`.
    @discardableResult
    package func terminateWithParent(seconds: Double) -> Bool {
        // A parent that is also this one's, or the first process, does not end.
        let parent = Process.parent(of: id).flatMap { $0 > 1 && $0 != getppid() ? $0 : nil } ?? id
        return signal(SIGTERM, awaiting: parent, seconds)
    }

    /// Sends `HUP`, and waits for the end of the process.
    ///
    /// - Returns: whether it has ended within `seconds`.
    package func hangUp(seconds: Double) -> Bool { signal(SIGHUP, awaiting: id, seconds) }

    /// Waits for the end of the process.
    ///
    /// - Returns: whether it has ended within `seconds`.
    package func hasEnded(within seconds: Double) -> Bool { signal(0, awaiting: id, seconds) }

    private func signal(_ number: Int32, awaiting process: Int32, _ seconds: Double) -> Bool {
        // Opened first: a number is given again after the end.
        let end = cunix_process(process)
        guard end >= 0 else { return errno == ESRCH }
        let descriptor = FileDescriptor(owning: end)
        // One that cannot be signalled has ended.
        _ = kill(id, number)
        return FileDescriptor.wait(for: [descriptor], seconds: seconds)[0]
    }
}
