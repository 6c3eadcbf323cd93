internal import GPGME
internal import SecretMemory
internal import Unix

/// One gpg that is started without GPGME, for an operation in which no question to the user can come up.
///
/// GPGME starts `gpg --version` before its first operation, forks twice for each gpg, gives it no options, and does not
/// tell its exit status. What is encrypted and decrypted comes from here alone.
///
/// gpg has its input, its output and its status lines at descriptors that no `gpg.conf` means: with `logger-fd 1` there
/// gpg would close its standard output and write what comes next into a file of its own.
struct DirectGPG {
    private let child: Subprocess

    /// Prepares an operation; `nil` where there is no gpg.
    ///
    /// - Parameters:
    ///   - command: what gpg is to do: options and a command, behind those that every operation has, and the user's.
    ///   - input: what gpg reads.
    ///   - secret: what it finds at ``secretNumber`` besides.
    ///   - settings: where gpg is found, its environment, and the user's options.
    init?(
        _ command: [[UInt8]],
        reading input: Subprocess.Input,
        and secret: SecretBytes? = nil,
        _ settings: Settings
    ) {
        guard let gpg = GnuPG.find(in: settings.environment) else { return nil }
        let own = settings.gpgOptions.isEmpty ? [] : GnuPGOptions(settings.gpgOptions).words
        let words = own + Self.options + command + Self.file
        var child = Subprocess(gpg, words, environment: settings.environment)
        child.name = Array("gpg".utf8)
        child.input = input
        child.inputNumber = Self.inputNumber
        child.secondInput = secret
        child.secondInputNumber = Self.secretNumber
        child.outputNumber = Self.outputNumber
        child.errorNumber = Self.statusNumber
        self.child = child
    }

    /// The descriptors at which gpg finds its input, a secret besides, and where its output and its status lines go.
    ///
    /// None is a standard one, and none that a script in the place of gpg has a use for: `passphrase-fd 0` in a
    /// `gpg.conf` would take the first line of a secret away.
    private static let inputNumber = Subprocess.firstFarNumber
    private static let outputNumber = inputNumber + 1
    private static let statusNumber = inputNumber + 2
    static let secretNumber = inputNumber + 3

    private static let file = ["--enable-special-filenames", "--", "-&\(inputNumber)"].map { Array($0.utf8) }

    private static let options = [
        "--batch", "--no-tty", "--quiet", "--disable-dirmngr", "--no-sk-comments", "--charset", "utf8",
        "--status-fd", "\(statusNumber)", "--exit-on-status-write-error", "--output", "-&\(outputNumber)",
    ].map { Array($0.utf8) }

    /// Starts it; `nil` when that cannot be done.
    func start() -> RunningChild? { try? child.start() }

    /// Runs it, with what it writes, at most `limit` bytes, in memory that is wiped.
    ///
    /// - Returns: the outcome; `nil` when there was more than `limit`.
    /// - Throws: ``Errno`` when it could not be started or read from.
    func runStreaming(limit: Int) throws(Errno) -> Subprocess.Outcome? {
        try child.runStreaming(limit: limit)
    }
}
