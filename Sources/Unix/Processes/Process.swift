internal import CUnix
internal import Glibc
internal import SecretMemory

/// Settings of the whole process, for `main.swift` only.
package enum Process {
    /// Keeps secrets out of core files and away from debuggers.
    ///
    /// Calls `prctl` and `setrlimit`.
    package static func forbidCoreDumps() { cunix_forbid_core_dumps() }

    /// Has a file that grows beyond the user's limit be an error of the write (`EFBIG`), and not the end of
    /// the process.
    ///
    /// Calls `signal`. Children of ``Subprocess`` have the default action.
    package static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// Has a reader of our output that has gone be an error of the write (`EPIPE`), and not the end of the process.
    ///
    /// Calls `signal`. Children of ``Subprocess`` have the default action.
    package static func ignorePipeSignal() { signal(SIGPIPE, SIG_IGN) }

    /// Opens what is closed of the three standard descriptors, so that no other file gets its number.
    ///
    /// Reading from the first, and writing to the others, fails as before.
    package static func fillClosedDescriptors() {
        for number in 0..<Int32(3) where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is the one that was closed.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Removes from the environment what a static executable set there to start without `/proc`.
    package static func forgetRoot() { cunix_forget_root() }

    /// Sets which permission bits new files do not get.
    ///
    /// Calls `umask`.
    package static func setUmask(_ mask: UInt32) { umask(mask) }

    /// Sets or unsets a variable of this process, for children that a library starts.
    ///
    /// Calls `setenv`; no other thread may run yet.
    package static func setVariable(_ name: String, _ value: [UInt8]?) {
        guard let value else {
            unsetenv(name)
            return
        }
        _ = withCString(value) { setenv(name, $0, 1) }
    }

    /// A text that no other thread, of this process or of another one, ever has.
    package static var threadMark: String {
        "\(getpid())-\(String(UInt(pthread_self()), radix: 36))-\(randomMark)"
    }

    /// Numbers are given again after a process's end.
    private static let randomMark = String(UInt64.random(in: 0...(.max)), radix: 36)

    /// The number of this process.
    package static var id: Int32 { getpid() }

    /// The number of the user whose files this process makes.
    package static var userID: UInt32 { geteuid() }

    /// Whether there is a process of this number, whoever owns it.
    package static func isRunning(_ process: Int32) -> Bool {
        process > 0 && (kill(process, 0) == 0 || errno != ESRCH)
    }

    /// Whether a process is this one's parent, or a parent of that, as `/proc` tells.
    package static func descends(from ancestor: Int32) -> Bool {
        var process = getppid()
        // A chain of numbers that are given again while they are looked at could be one without an end.
        for _ in 0..<1000 where process > 1 {
            if process == ancestor { return true }
            // A process that has gone by now is nobody's parent.
            guard let parent = parent(of: process) else { return false }
            process = parent
        }
        return false
    }

    /// The parent of a process, as `/proc` tells.
    static func parent(of process: Int32) -> Int32? {
        // 4711 (name with ) and blanks) S 4242 …
        guard let text = try? readFile(Path("/proc/\(process)/stat")),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: text[(end + 1)...], as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }

    /// The absolute path of the current folder; `nil` when it has gone.
    package static func currentFolder() -> Path? {
        guard let text = getcwd(nil, 0) else { return nil }
        return Path(taking: text)
    }

    /// The program's own file, through `/proc`.
    package static let executable: Path = "/proc/self/exe"

    /// The words that the process was started with, as bytes; the first is its name.
    package static func arguments() -> [[UInt8]] {
        var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = Int(cunix_arguments(&words))
        return (0..<count).compactMap { index in
            words?[index].map { text in Array(UnsafeRawBufferPointer(start: text, count: strlen(text))) }
        }
    }
}
