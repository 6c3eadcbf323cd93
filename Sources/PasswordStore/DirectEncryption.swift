internal import GPGME
internal import SecretMemory
internal import Unix

/// Encryption by one gpg that is asked no more than that.
///
/// It needs no secret key, so that there is nothing to ask the user. What is wrong with a recipient GPGME finds out.
struct DirectEncryption {
    let settings: Settings

    static let expectation = DirectGPG.Expectation(
        needed: ["BEGIN_ENCRYPTION", "END_ENCRYPTION"],
        refused: ["INV_RECP", "NO_RECP", "ERROR", "FAILURE", "UNEXPECTED"]
    )

    /// The same message that ``Context/encrypt(_:to:armor:)`` makes; `nil` when it takes that to find out why not.
    func encrypt(_ plaintext: SecretBytes, to recipients: [[UInt8]]) -> [UInt8]? {
        guard !recipients.isEmpty, recipients.allSatisfy(isPossibleRecipient) else { return nil }
        // As with GPGME: a user's `encrypt-to` adds no reader, and the length tells nothing of the contents.
        var command = [
            "--encrypt", "--no-encrypt-to", "--compress-algo", "none", "--output", "-",
        ].map { Array($0.utf8) }
        for recipient in recipients { command += [Array("--recipient".utf8), trimmed(recipient)] }
        let outcome = DirectGPG(command, reading: .secret(plaintext), settings)?.run(Self.expectation)
        guard let message = outcome?.output, MessagePackets.isFinished(message.span) else { return nil }
        return message
    }
}
