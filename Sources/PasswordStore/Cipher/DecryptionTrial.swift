internal import GPGME
internal import Unix

/// One more try to decrypt a message, for the reason alone why that fails.
///
/// With `quiet` gpg leaves the reason out of its status lines, and no option takes `quiet` back. So this gpg reads no
/// `gpg.conf`, and starts no agent, which that file may forbid. It asks nobody for a passphrase, and what it decrypts is
/// thrown away.
struct DecryptionTrial {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// The reason; `nil` when gpg cannot be run, or does not say.
    func reason(of message: [UInt8]) -> GPGMEError.Code? {
        guard let gpg = GnuPG.find(in: settings.environment) else { return nil }
        var child = Subprocess(gpg, userOptions + Self.options, environment: settings.environment)
        child.name = Array("gpg".utf8)
        child.input = .bytes(message)
        child.output = .nowhere
        guard let outcome = try? child.run() else { return nil }
        // What failed before has passed.
        return outcome.status == 0 ? .tryAgain : StatusLog.decryptionFailure(in: outcome.errorOutput)
    }

    private var userOptions: [[UInt8]] {
        let quiet = ["--quiet", "-q"].map { Array($0.utf8) }
        return GnuPGOptions(settings.gpgOptions).words.filter { !quiet.contains($0) }
    }

    private static let options = [
        "--no-options", "--no-autostart", "--batch", "--no-tty", "--disable-dirmngr", "--pinentry-mode",
        "error", "--status-fd", "2",
        "--logger-file", "/dev/null", "--output", "-", "--decrypt",
    ].map { Array($0.utf8) }
}
