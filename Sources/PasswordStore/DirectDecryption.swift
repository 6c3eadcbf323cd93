internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// Decryption by one gpg that is asked no more than that, where no question to the user can come up.
///
/// GPGME starts `gpg --version` before its first operation, and has gpg look up and verify the key of each recipient
/// only to name it: together as much as half of what the decryption itself costs. Here gpg gets what GPGME gives it,
/// and `--quiet` and `--pinentry-mode error` besides. It is believed under the same conditions: the packets were looked
/// at before, and its status lines say that it decrypted the message and found it whole.
///
/// Whatever else it says, a locked key for one, counts as no answer: then GPGME decrypts, asks, and explains.
final class DirectDecryption: Sendable {
    private let settings: Settings
    /// How often in a row there was no answer, and how often it is left out before it is tried again.
    private let vain = Mutex((failures: 0, rest: 0))

    /// After so many failures in a row it is left out for a while, for twice as long after each further one: the key is
    /// not here, or locked for good; but it may be unlocked one day.
    private static let mostFailures = 3
    private static let longestRest = 64
    /// The longest message, in bytes: 8 MiB.
    ///
    /// It is held twice, here and in the file that gpg reads.
    private static let longestMessage = 8 << 20

    init(_ settings: Settings) { self.settings = settings }

    /// What a message holds; `nil` when it takes more than this to find out.
    func decrypt(_ message: [UInt8]) -> SecretBytes? {
        // Options for gpg are known to GPGME's engine only, and it may take them all.
        guard settings.gpgOptions.isEmpty, settings.sizeLimit > 0, message.count <= Self.longestMessage,
            isDue,
            let gpg = GnuPG.find(in: settings.environment),
            // What is armoured, or not acceptable, is GPGME's to say.
            (try? MessagePackets(acceptable: message.span)) != nil
        else { return nil }
        var child = Subprocess(gpg, arguments, environment: settings.environment)
        child.name = Array("gpg".utf8)
        child.input = .bytes(message)
        // It could not be started or read from: GPGME says why.
        let outcome = try? child.runStreaming(limit: settings.sizeLimit)
        guard let outcome, outcome.status == 0, Self.isGood(outcome.errorOutput) else {
            vain.withLock { vain in
                vain.failures += 1
                guard vain.failures >= Self.mostFailures else { return }
                vain.rest = min(Self.longestRest, 2 << min(vain.failures - Self.mostFailures, 5))
            }
            return nil
        }
        vain.withLock { $0 = (0, 0) }
        return outcome.secretOutput
    }

    /// Whether it is to be tried now; asked once for each message.
    private var isDue: Bool {
        vain.withLock { vain in
            guard vain.rest > 0 else { return true }
            vain.rest -= 1
            return false
        }
    }

    private var arguments: [[UInt8]] {
        let words = [
            "--batch", "--no-tty", "--quiet", "--disable-dirmngr", "--no-sk-comments", "--pinentry-mode",
            "error",
            "--status-fd", "2", "--logger-file", "/dev/null", "--exit-on-status-write-error",
            "--max-output", "\(settings.sizeLimit)", "--output", "-", "--decrypt",
        ]
        return words.map { Array($0.utf8) }
    }

    /// Whether status lines say that a message was decrypted, and is whole and unchanged.
    static func isGood(_ lines: [UInt8]) -> Bool {
        var seen: Set<String> = []
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard words.count >= 2, words[0].elementsEqual("[GNUPG:]".utf8) else { continue }
            seen.insert(String(decoding: words[1], as: UTF8.self))
        }
        return seen.isSuperset(of: ["ENC_TO", "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"])
            && seen.isDisjoint(with: [
                "DECRYPTION_FAILED", "BADMDC", "ERROR", "FAILURE", "NODATA", "UNEXPECTED",
            ])
    }
}
