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
    /// How often in a row there was no answer.
    private let failures = Mutex(0)

    /// After so many failures in a row it is not tried again: the key is not here, or locked for good.
    private static let mostFailures = 3
    /// The longest message, in bytes: 8 MiB.
    ///
    /// It is held twice, here and in the file that gpg reads.
    private static let longestMessage = 8 << 20

    init(_ settings: Settings) { self.settings = settings }

    /// What a message holds; `nil` when it takes more than this to find out.
    func decrypt(_ message: [UInt8]) -> SecretBytes? {
        // Options for gpg are known to GPGME's engine only, and it may take them all.
        guard settings.gpgOptions.isEmpty, settings.sizeLimit > 0, message.count <= Self.longestMessage,
            failures.withLock({ $0 < Self.mostFailures }),
            let gpg = settings.environment.findProgram(GnuPG.program(settings)),
            // What is armoured, or not acceptable, is GPGME's to say.
            (try? MessagePackets(acceptable: message.span)) != nil
        else { return nil }
        var child = Subprocess(gpg, arguments, environment: settings.environment)
        child.name = Array("gpg".utf8)
        child.input = .bytes(message)
        // It could not be started or read from: GPGME says why.
        let outcome = try? child.runStreaming(limit: settings.sizeLimit)
        guard let outcome, outcome.status == 0, Self.isGood(outcome.errorOutput) else {
            failures.withLock { $0 += 1 }
            return nil
        }
        failures.withLock { $0 = 0 }
        return outcome.secretOutput
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
