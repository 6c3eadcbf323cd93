internal import GPGME
internal import SecretMemory
internal import Synchronization
internal import Unix

/// Decryption by one gpg that is asked no more than that, where no question to the user can come up.
///
/// Without `--quiet`, which GPGME cannot say, gpg looks up and verifies the key of each recipient only to name it. With
/// `--pinentry-mode error` a locked key is no answer; then GPGME finds the session key, and has the user asked for the
/// passphrase.
final class DirectDecryption: Sendable {
    /// What came of one message.
    enum Answer {
        /// What it holds.
        case plaintext(SecretBytes)
        /// It holds nothing that is to be believed.
        case refused(GPGMEError.Code)
        /// No secret key could be used without a question.
        case noSessionKey
    }

    private let settings: Settings
    /// Is handed gpg's status lines.
    private let statusLines: (@Sendable ([UInt8]) -> Void)?
    /// How often in a row there was no answer, and how often it is left out before it is tried again.
    private let vain = Mutex((failures: 0, rest: 0))

    /// After so many failures in a row it is left out for a while, for twice as long after each further one: the key is
    /// not here, or locked for good; but it may be unlocked one day.
    private static let mostFailures = 3
    private static let longestRest = 64

    init(_ settings: Settings, statusLines: (@Sendable ([UInt8]) -> Void)? = nil) {
        self.settings = settings
        self.statusLines = statusLines
    }

    /// What a message holds, as far as that can be found out without a question.
    func decrypt(_ message: AcceptableMessage) -> Answer {
        guard isDue else { return .noSessionKey }
        let answer = run(message.bytes, with: nil, isHidden: message.packets.recipients.contains(.hidden))
        vain.withLock { vain in
            guard case .noSessionKey = answer else {
                vain = (0, 0)
                return
            }
            vain.failures += 1
            guard vain.failures >= Self.mostFailures else { return }
            vain.rest = min(Self.longestRest, 2 << min(vain.failures - Self.mostFailures, 5))
        }
        return answer
    }

    /// What a message holds whose session key was found.
    func decrypt(_ message: AcceptableMessage, with sessionKey: SecretBytes) -> Answer {
        run(message.bytes, with: sessionKey)
    }

    /// Hands on gpg's status lines about bytes that are no message to decrypt.
    func report(_ bytes: [UInt8]) {
        if statusLines != nil { _ = run(bytes, with: nil, reportsAll: true) }
    }

    private func run(
        _ bytes: [UInt8],
        with sessionKey: SecretBytes?,
        isHidden: Bool = false,
        reportsAll: Bool = false
    ) -> Answer {
        let gpg = DirectGPG(command(with: sessionKey), reading: .bytes(bytes), and: sessionKey, settings)
        let outcome: Subprocess.Outcome
        do throws(Errno) {
            guard let gpg else { return .noSessionKey }
            guard let complete = try gpg.runStreaming(limit: settings.sizeLimit) else {
                return .refused(.tooLarge)
            }
            outcome = complete
        } catch {
            return sessionKey == nil ? .noSessionKey : .refused(GPGMEError.Code(errno: error.code))
        }
        let report = DecryptionReport(lines: outcome.errorOutput)
        guard sessionKey != nil || report.hasSessionKey || reportsAll else { return .noSessionKey }
        let problem = report.problem(status: outcome.status, size: outcome.secretOutput.count)
        // gpg tries each secret key for a recipient that is not named, and ends with status 2 where one of them does not
        // fit. With the session key its status is about the contents alone.
        let isOfStatus = report.problem(status: 0, size: outcome.secretOutput.count) == nil
        if problem != nil, isHidden, isOfStatus { return .noSessionKey }
        forward(outcome.errorOutput, from: sessionKey == nil ? nil : "BEGIN_DECRYPTION")
        // gpg writes nothing then.
        if report.length > settings.sizeLimit { return .refused(.tooLarge) }
        if let problem { return .refused(problem) }
        // A part of the message may be as whole as any.
        return outcome.isInputTaken ? .plaintext(outcome.secretOutput) : .refused(.general)
    }

    /// Hands on the status lines from the first one of a keyword on, or all of them.
    private func forward(_ lines: [UInt8], from keyword: String?) {
        guard let statusLines else { return }
        let all = lines.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: "[GNUPG:] ".utf8) }
            .map { Array($0.dropFirst(9)) }
        all.drop { line in keyword.map { !line.starts(with: $0.utf8) } ?? false }.forEach(statusLines)
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

    private func command(with sessionKey: SecretBytes?) -> [[UInt8]] {
        // With these of the user's own gpg has no question either.
        let isLoopback = settings.gpgOptions.contains { $0.suffix(8).elementsEqual("loopback".utf8) }
        let mode = isLoopback && sessionKey == nil ? [] : ["--pinentry-mode", "error"]
        // gpg writes the key into its log.
        let key =
            sessionKey.map { _ in
                ["--logger-file", "/dev/null", "--override-session-key-fd", "\(DirectGPG.secretNumber)"]
            } ?? []
        // One byte more tells that there is more.
        let limit = ["--max-output", "\(settings.sizeLimit + 1)"]
        return (mode + key + limit + ["--decrypt"]).map { Array($0.utf8) }
    }
}
