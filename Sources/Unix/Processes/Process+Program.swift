internal import Glibc
internal import SecretMemory

extension Process {
    /// The file that this program was started from, without links; `nil` when `/proc` is not there.
    ///
    /// Calls `realpath`.
    package static func programFile() -> Path? { realPath(of: executable) }

    /// Whether `path` leads to the file that this program was started from.
    package static func isProgram(at path: Path) -> Bool {
        guard let file = programFile() else { return false }
        return realPath(of: path) == file
    }

    private static func realPath(of path: Path) -> Path? {
        guard let real = withCString(path.bytes, { realpath($0, nil) }) else { return nil }
        return Path(taking: real)
    }
}
