internal import GPGME
internal import SecretMemory
internal import Unix

/// Encryption by one gpg that is asked no more than that.
///
/// It needs no secret key, so that there is nothing to ask the user. What is wrong with a recipient GPGME finds out.
final class DirectEncryption {
    private let gpg: RunningChild

    static let expectation = DirectGPG.Expectation(
        needed: ["BEGIN_ENCRYPTION", "END_ENCRYPTION"],
        refused: ["INV_RECP", "NO_RECP", "ERROR", "FAILURE", "UNEXPECTED"]
    )

    /// Starts gpg; `nil` where only GPGME will do.
    init?(of plaintext: SecretBytes, to recipients: [[UInt8]], _ settings: Settings) {
        guard !recipients.isEmpty, recipients.allSatisfy(isPossibleRecipient) else { return nil }
        // As with GPGME: a user's `encrypt-to` adds no reader, and the length tells nothing of the contents.
        var command = [
            "--encrypt", "--no-encrypt-to", "--compress-algo", "none", "--output", "-",
        ].map { Array($0.utf8) }
        for recipient in recipients { command += [Array("--recipient".utf8), trimmed(recipient)] }
        guard let gpg = DirectGPG(command, reading: .secret(plaintext), settings)?.start() else { return nil }
        self.gpg = gpg
    }

    /// Waits for the same message that ``Context/encrypt(_:to:armor:)`` makes; `nil` when it takes that to find out why
    /// there is none.
    func finish() -> [UInt8]? {
        guard let outcome = try? gpg.outcome(), Self.expectation.isMet(by: outcome),
            MessagePackets.isFinished(outcome.output.span)
        else { return nil }
        return outcome.output
    }
}
