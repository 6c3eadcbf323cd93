internal import CUnix
internal import Glibc

/// Settings of the whole process, for `main.swift` only.
public enum Process {
    /// Keeps secrets out of core files and away from debuggers.
    ///
    /// Calls `prctl` and `setrlimit`.
    public static func forbidCoreDumps() { cunix_forbid_core_dumps() }

    /// Opens what is closed of the three standard descriptors, so that no other file gets its number.
    ///
    /// Reading from the first, and writing to the others, fails as before.
    public static func fillClosedDescriptors() {
        for number in 0..<Int32(3) where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is the one that was closed.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Sets which permission bits new files do not get.
    ///
    /// Calls `umask`.
    public static func setUmask(_ mask: UInt32) { umask(mask) }

    /// Sets or unsets a variable of this process, for children that a library starts.
    ///
    /// Calls `setenv`; no other thread may run yet.
    public static func setVariable(_ name: String, _ value: [UInt8]?) {
        guard let value else {
            unsetenv(name)
            return
        }
        _ = withCString(value) { setenv(name, $0, 1) }
    }

    /// A text that no other thread, of this process or another one that runs now, has.
    public static var threadMark: String { "\(getpid())-\(String(UInt(pthread_self()), radix: 36))" }

    /// The absolute path of the current folder; `nil` when it has gone.
    public static func currentFolder() -> Path? {
        guard let text = getcwd(nil, 0) else { return nil }
        defer { free(text) }
        return Path(String(cString: text))
    }

    /// The program's own file, through `/proc`.
    public static let executable: Path = "/proc/self/exe"

    /// The words that the process was started with, as bytes; the first is its name.
    public static func arguments() -> [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { text in
                Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
            }
        }
    }
}
