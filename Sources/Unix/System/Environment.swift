internal import CUnix
internal import Glibc
internal import SecretMemory

/// The variables that a program was started with, or that a child will be started with.
///
/// Names are text, values are bytes. A library gets one from its caller; only the keychain, whose calls have no room
/// for it, reads the process's own.
public struct Environment: Sendable, Hashable {
    private var values: [String: [UInt8]] = [:]

    /// What this process was started with under names that are not text; children get it unchanged.
    private var others: [[UInt8]] = []

    /// Names of variables that were set to what no variable can be, and so are not set at all.
    ///
    /// A value holds no NUL; a name is not empty, and holds neither NUL nor `=`. Whoever goes by such a variable must
    /// refuse to work: without it another default would hold.
    public private(set) var unusableNames: Set<String> = []

    /// Makes an environment of names and values; see ``unusableNames``.
    public init(_ values: [String: String] = [:]) {
        for (name, value) in values { self[name] = Array(value.utf8) }
    }

    /// The environment of this process, as it is now.
    ///
    /// For the tool's start, the keychain and tests, and to see whether GPGME, which goes by these, has to be told of
    /// others.
    public static func ofThisProcess() -> Environment {
        var result = Environment()
        guard var entry = cunix_environment() else { return result }
        while let text = entry.pointee {
            let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
            if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
                if let name = String(validating: bytes[..<equals], as: UTF8.self) {
                    result.values[name] = Array(bytes[(equals + 1)...])
                } else {
                    result.others.append(Array(bytes))
                }
            }
            entry += 1
        }
        return result
    }

    /// The bytes of a variable; set one to `nil` to unset it.
    public subscript(name: String) -> [UInt8]? {
        get { values[name] }
        set {
            values[name] = nil
            unusableNames.remove(name)
            guard let newValue else { return }
            let isName = !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }
            if isName, !newValue.holdsNUL { values[name] = newValue } else { unusableNames.insert(name) }
        }
    }

    /// The bytes of a variable that is set and not empty.
    public func nonEmpty(_ name: String) -> [UInt8]? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// The words of a variable, as a shell splits them: at blanks, tabs and line ends.
    public func words(_ name: String) -> [[UInt8]] {
        (values[name] ?? []).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }.map(Array.init)
    }

    /// `NAME=value` for each variable, in the order of their names.
    var assignments: [[UInt8]] {
        values.sorted { $0.key < $1.key }.map { Array($0.key.utf8) + [UInt8(ascii: "=")] + $0.value } + others
    }

    /// Takes empty and relative folders out of `PATH`, so that nothing in the current folder is run by accident.
    public mutating func removeRelativeFolders() {
        let colon = UInt8(ascii: ":")
        guard let path = values["PATH"] else { return }
        let folders = path.split(separator: colon).filter { $0.first == UInt8(ascii: "/") }
        values["PATH"] = Array(folders.joined(separator: [colon]))
    }

    /// The absolute path of the program that the name stands for, found in the folders of `PATH`.
    ///
    /// Empty and relative folders in `PATH` are passed over: a file in the current folder is never run by accident. A
    /// name with a slash stands for itself.
    public func findProgram(_ name: [UInt8]) -> Path? {
        guard let name = Path(checking: name) else { return nil }
        if name.bytes.contains(UInt8(ascii: "/")) { return isExecutable(name) ? name : nil }
        let folders = nonEmpty("PATH") ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)
        return folders.split(separator: UInt8(ascii: ":")).lazy
            .map { Path(Array($0)) }
            .filter(\.isAbsolute)
            .map { $0.appending(name) }
            .first(where: isExecutable)
    }

    private func isExecutable(_ path: Path) -> Bool {
        var status = stat()
        return withCString(path.bytes) { stat($0, &status) == 0 && access($0, X_OK) == 0 }
            && status.st_mode & S_IFMT == S_IFREG
    }
}
