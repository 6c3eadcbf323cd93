public import Foundation
internal import Glibc

/// A scratch home folder with room for a keyring and a store; removed when the last reference goes away.
///
/// Its path is short, because the path of gpg-agent's socket below it may have at most 107 bytes.
public final class TemporaryStore: Sendable {
    /// The scratch home: `HOME` of the programs that use the store.
    public let home: URL

    /// Where the store is looked for by default; made by whoever initializes it.
    public var root: URL { home.appending(path: ".password-store") }

    /// GnuPG's folder, `GNUPGHOME`.
    public var gnupgHome: URL { home.appending(path: ".gnupg") }

    /// - Throws: `POSIXError` when no folder can be made below `/tmp`.
    public init() throws {
        var template = Array("/tmp/pc.XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let path else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        home = URL(filePath: path, directoryHint: .isDirectory)
    }

    deinit {
        // A failing test may leave folders without write permission; nothing depends on this removal.
        try? FileManager.default.removeItem(at: home)
    }
}
