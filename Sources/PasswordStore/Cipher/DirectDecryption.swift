internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// Decryption by one gpg that is asked no more than that, where no question to the user can come up.
///
/// Without `--quiet`, which GPGME cannot say, gpg looks up and verifies the key of each recipient only to name it. With
/// `--pinentry-mode error` a locked key is no answer; then GPGME has the user asked for the passphrase. The packets are
/// looked at before, and the status lines say that gpg decrypted the message and found it whole.
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

    static let expectation = DirectGPG.Expectation(
        needed: ["ENC_TO", "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"],
        refused: ["DECRYPTION_FAILED", "BADMDC", "ERROR", "FAILURE", "NODATA", "UNEXPECTED"]
    )

    init(_ settings: Settings) { self.settings = settings }

    /// What a message holds; `nil` when it takes more than this to find out.
    func decrypt(_ message: [UInt8]) -> SecretBytes? {
        guard settings.sizeLimit > 0, message.count <= Self.longestMessage, isDue,
            let gpg = DirectGPG(command, reading: .bytes(message), settings),
            // What is armoured, or not acceptable, is GPGME's to say.
            (try? MessagePackets(acceptable: message.span)) != nil
        else { return nil }
        guard let outcome = gpg.runStreaming(limit: settings.sizeLimit, Self.expectation) else {
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

    /// Does not count the last failure: it had a reason that passes, and says nothing about the next message.
    func forgetFailure() {
        vain.withLock { $0 = (max(0, $0.failures - 1), 0) }
    }

    /// Whether it is to be tried now; asked once for each message.
    private var isDue: Bool {
        vain.withLock { vain in
            guard vain.rest > 0 else { return true }
            vain.rest -= 1
            return false
        }
    }

    private var command: [[UInt8]] {
        [
            "--pinentry-mode", "error", "--max-output", "\(settings.sizeLimit)", "--output", "-", "--decrypt",
        ].map { Array($0.utf8) }
    }
}
