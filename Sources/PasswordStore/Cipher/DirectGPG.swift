internal import Unix

/// One gpg that is started without GPGME, for an operation in which no question to the user can come up.
///
/// GPGME starts `gpg --version` before its first operation, and forks twice for each gpg. Here gpg gets what GPGME
/// gives it, and `--quiet` besides. It is believed under the same conditions: what its status lines say, and what the
/// packets of the message show, which is for the caller to look at.
///
/// Whatever is no success counts as no answer: then GPGME does it, asks what has to be asked, and explains.
struct DirectGPG {
    /// What an operation is known by to have succeeded, besides its status: the status lines.
    struct Expectation {
        /// The keywords that have to be there.
        let needed: Set<String>
        /// The keywords that must not be there.
        let refused: Set<String>

        /// Whether gpg took all of its input and succeeded.
        func isMet(by outcome: Subprocess.Outcome) -> Bool {
            outcome.status == 0 && outcome.isInputTaken && isMet(by: outcome.errorOutput)
        }

        /// Whether `lines`, all that gpg wrote, meet it.
        func isMet(by lines: [UInt8]) -> Bool {
            var seen: Set<String> = []
            for line in lines.split(separator: UInt8(ascii: "\n")) {
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
                guard words.count >= 2, words[0].elementsEqual("[GNUPG:]".utf8) else { continue }
                seen.insert(String(decoding: words[1], as: UTF8.self))
            }
            return seen.isSuperset(of: needed) && seen.isDisjoint(with: refused)
        }
    }

    private let child: Subprocess

    /// Prepares an operation; `nil` where there is no gpg, and where there are options for it.
    ///
    /// Only GPGME's engine is given these options, and they may change everything.
    ///
    /// - Parameters:
    ///   - command: what gpg is to do: options and a command, behind those that every operation has.
    ///   - input: what gpg reads.
    ///   - settings: where gpg is found, and its environment.
    init?(_ command: [[UInt8]], reading input: Subprocess.Input, _ settings: Settings) {
        guard settings.gpgOptions.isEmpty, let gpg = GnuPG.find(in: settings.environment) else { return nil }
        var child = Subprocess(
            gpg,
            Self.options + command + Self.file,
            environment: settings.environment
        )
        child.name = Array("gpg".utf8)
        child.input = input
        child.inputNumber = Self.inputNumber
        self.child = child
    }

    /// The descriptor at which gpg finds its input.
    ///
    /// Not 0, as with GPGME: `passphrase-fd 0` in a `gpg.conf` would take the first line of a secret away. And none that
    /// a script in the place of gpg has a use for.
    private static let inputNumber: Int32 = 100
    private static let file = ["--enable-special-filenames", "--", "-&\(inputNumber)"].map { Array($0.utf8) }

    private static let options = [
        "--batch", "--no-tty", "--quiet", "--disable-dirmngr", "--no-sk-comments", "--charset", "utf8",
        "--status-fd", "2", "--logger-file", "/dev/null", "--exit-on-status-write-error",
    ].map { Array($0.utf8) }

    /// Starts it; `nil` when that cannot be done.
    func start() -> RunningChild? { try? child.start() }

    /// Runs it, with what it writes, at most `limit` bytes, in memory that is wiped.
    ///
    /// - Returns: the outcome; `nil` unless it is as expected.
    func runStreaming(limit: Int, _ expectation: Expectation) -> Subprocess.Outcome? {
        // It could not be started or read from: GPGME says why.
        guard let outcome = try? child.runStreaming(limit: limit), expectation.isMet(by: outcome)
        else { return nil }
        return outcome
    }
}
