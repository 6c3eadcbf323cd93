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
        guard let outcome = run(Self.options, on: message) else { return nil }
        // What failed before has passed.
        return Self.isSuccess(outcome)
            ? .tryAgain : StatusLog.decryptionFailure(in: outcome.errorOutput)
    }

    /// Why a gpg ended without a word about the message in its status lines, as one that was killed, or whose `gpg.conf`
    /// names a file that is not there; so this gpg reads that.
    ///
    /// - Returns: `error` where the message is to blame; else `general`, with the last line that gpg wrote for people.
    func explain(_ error: GPGMEError, of message: [UInt8]) -> GPGMEError {
        guard let outcome = run(Self.talking, on: message) else { return GPGMEError(.decrypt, .general) }
        if Self.isSuccess(outcome) { return GPGMEError(.decrypt, .tryAgain) }
        // It ended by itself, within the message.
        if outcome.status < 128, StatusLog.hasSessionKey(in: outcome.errorOutput) {
            return error.code.concernsOneMessage ? error : GPGMEError(.decrypt, .badData)
        }
        let lines = outcome.errorOutput.split(separator: UInt8(ascii: "\n"))
        let prefix = Array("gpg: ".utf8)
        let line = lines.last { $0.starts(with: prefix) }?.dropFirst(prefix.count)
        return GPGMEError(.decrypt, .general, words: line.map { String(decoding: $0, as: UTF8.self) })
    }

    private func run(_ options: [[UInt8]], on message: [UInt8]) -> Subprocess.Outcome? {
        guard let gpg = GnuPG.find(in: settings.environment) else { return nil }
        var child = Subprocess(gpg, userOptions + options, environment: settings.environment)
        child.name = Array("gpg".utf8)
        child.input = .bytes(message)
        child.output = .nowhere
        // A gpg that cannot be run explains nothing.
        return try? child.run()
    }

    /// Whether gpg decrypted the message; with `list-only` it ends with status 0, too.
    private static func isSuccess(_ outcome: Subprocess.Outcome) -> Bool {
        outcome.status == 0 && DecryptionReport(lines: outcome.errorOutput).count("DECRYPTION_OKAY") == 1
    }

    private var userOptions: [[UInt8]] {
        let quiet = ["--quiet", "-q"].map { Array($0.utf8) }
        return GnuPGOptions(settings.gpgOptions).words.filter { !quiet.contains($0) }
    }

    private static let talking = [
        "--batch", "--no-tty", "--disable-dirmngr", "--pinentry-mode", "error", "--status-fd", "2",
        "--output", "-", "--decrypt",
    ].map { Array($0.utf8) }

    private static let options = [
        "--no-options", "--no-autostart", "--batch", "--no-tty", "--disable-dirmngr", "--pinentry-mode",
        "error", "--status-fd", "2",
        "--logger-file", "/dev/null", "--output", "-", "--decrypt",
    ].map { Array($0.utf8) }
}
