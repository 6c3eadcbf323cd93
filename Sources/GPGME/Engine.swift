internal import CGPGME
internal import Glibc

/// The one-time start of GPGME, and what a program may choose before it.
public enum Engine {
    /// The oldest GPGME that has everything this module calls.
    static let oldestVersion = "1.18.0"

    /// Starts GPGME once in a process.
    ///
    /// Calls `gpgme_check_version_internal`.
    ///
    /// The offset is GPGME's own check that header and library agree. As a side effect GPGME sets `SIGPIPE` to
    /// ignored for the process; whoever starts children has to restore it for them.
    private static let isStarted: Bool = {
        guard let offset = MemoryLayout<_gpgme_signature>.offset(of: \.validity) else { return false }
        return gpgme_check_version_internal(oldestVersion, offset) != nil
    }()

    /// Makes GPGME skip `gpgconf`: the first context starts one child instead of five.
    ///
    /// Call it once, from `main`, before the first ``Context``. `gpg` is then looked up in `PATH`, as pass
    /// does, and there is no S/MIME. Calls `gpgme_set_global_flag` with `disable-gpgconf`.
    ///
    /// - Returns: whether GPGME took the flag.
    @discardableResult
    public static func useOpenPGPOnly() -> Bool {
        gpgme_set_global_flag("disable-gpgconf", "") == 0
    }

    /// Whether `version` is that of GnuPG 2.2 or a later one.
    ///
    /// When GPGME cannot run a program it makes up the version 1.0.0 and carries on: the keyring would look empty.
    static func isSupported(_ version: [UInt8]) -> Bool {
        let numbers = version.split(separator: UInt8(ascii: ".")).map {
            Int(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        return !numbers.lexicographicallyPrecedes([2, 2])
    }

    /// Makes sure that GPGME is started.
    static func start() throws(GPGMEError) {
        guard isStarted else { throw GPGMEError(.start, .notSupported) }
    }
}

/// Which GnuPG a context works with; what is `nil` is GnuPG's default.
public struct EngineOptions: Sendable, Hashable {
    /// GnuPG's home folder, in place of `GNUPGHOME` or `~/.gnupg`.
    public var home: [UInt8]?

    /// The program that is run, in place of the `gpg` that GPGME finds.
    public var program: [UInt8]?

    /// Makes options; a context with any of them set starts one more `gpg --version`.
    public init(home: [UInt8]? = nil, program: [UInt8]? = nil) {
        self.home = home
        self.program = program
    }
}
