// swift-format-ignore-file: NeverUseForceTry
import Foundation
import GPGME
import SecretMemory
import TestSupport
import Testing

/// How a pinentry answers, and what is made of it with and without `quiet` in `gpg.conf`.
struct Prompt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    let code: GPGMEError.Code?
    let quietCode: GPGMEError.Code?

    static let all = [
        Prompt(
            testDescription: "the passphrase",
            answer: "echo 'D right'; echo OK",
            code: nil,
            quietCode: nil
        ),
        Prompt(
            testDescription: "a wrong passphrase",
            answer: "echo 'D wrong'; echo OK",
            code: .badPassphrase,
            quietCode: .badPassphrase
        ),
        Prompt(
            testDescription: "a press on Cancel",
            answer: "echo 'ERR 83886179 Operation cancelled <Pinentry>'",
            code: .canceled,
            quietCode: .badPassphrase
        ),
        Prompt(
            testDescription: "a crash at the start",
            answer: "",
            code: .noPinentry,
            quietCode: .noPinentry
        ),
    ]
}

/// Answers with one passphrase each time, or declines.
struct FixedPassphrase: PassphraseProvider {
    let answer: SecretBytes?

    init(_ text: String?) { answer = text.map { SecretBytes($0) } }

    func passphrase(for userID: [UInt8], previousWasBad: Bool) -> SecretBytes? { answer }
}

/// Notes what it was asked.
final class NotingProvider: PassphraseProvider {
    private(set) var userIDs: [[UInt8]] = []

    func passphrase(for userID: [UInt8], previousWasBad: Bool) -> SecretBytes? {
        userIDs.append(userID)
        return SecretBytes("right")
    }
}

@Suite(.serialized) struct FailureReasonTests {
    static let keyring = try! TestKeyring()
    static let key = try! keyring.makeKey("Locked <locked@example.org>", passphrase: "right")
    static let message = try! keyring.encrypted("secret", to: [key])

    /// Makes an agent that knows no passphrase and asks `pinentry`.
    func restartAgent(pinentry: String, quiet: Bool = false) throws {
        try Self.keyring.write("no-random-seed-file\n" + (quiet ? "quiet\n" : ""), to: "gpg.conf")
        try Self.keyring.write(
            "allow-loopback-pinentry\npinentry-program \(pinentry)\n",
            to: "gpg-agent.conf"
        )
        _ = try Self.keyring.run("gpg-connect-agent", ["--homedir", Self.keyring.home, "killagent", "/bye"])
    }

    func failure(_ context: Context) -> GPGMEError? {
        thrown { () throws(GPGMEError) in
            #expect(try context.decrypt(Self.message.span).plaintext.exposed == [UInt8]("secret"))
        }
    }

    @Test(arguments: Prompt.all, [false, true])
    func tellsAPromptFromAnother(_ prompt: Prompt, quiet: Bool) throws {
        _ = Self.message
        let path = Self.keyring.home + "/pinentry"
        let script = """
            #!/bin/sh
            \(prompt.answer.isEmpty ? "exit 1" : "echo OK")
            while read -r line; do
                case "$line" in
                    GETPIN*) \(prompt.answer.isEmpty ? "exit 1" : prompt.answer) ;;
                    BYE*) echo OK; exit ;;
                    *) echo OK ;;
                esac
            done
            """
        try writeFile(Data(script.utf8), to: URL(filePath: path), mode: 0o700)
        try restartAgent(pinentry: path, quiet: quiet)
        let error = try failure(Context(Self.keyring.options))
        #expect(error?.code == (quiet ? prompt.quietCode : prompt.code))
    }

    @Test(arguments: [false, true])
    func tellsThatNoPromptIsPossible(quiet: Bool) throws {
        _ = Self.message
        try restartAgent(pinentry: "/nonexistent", quiet: quiet)
        #expect(try failure(Context(Self.keyring.options)) == GPGMEError(.decrypt, .noPinentry))
    }

    @Test func aDamagedMessageIsNoMatterOfKeys() throws {
        var message = Self.message
        message[message.count - 5] ^= 1
        try restartAgent(pinentry: "/nonexistent", quiet: true)
        let context = try Context(Self.keyring.options, passphrases: FixedPassphrase("right"))
        let error = thrown { () throws(GPGMEError) in _ = try context.decrypt(message.span) }
        #expect(error == GPGMEError(.decrypt, .decryptionFailed))
    }

    @Test func aProviderAnswersInPlaceOfThePinentry() throws {
        _ = Self.message
        try restartAgent(pinentry: "/nonexistent")
        let provider = NotingProvider()
        #expect(try failure(Context(Self.keyring.options, passphrases: provider)) == nil)
        #expect(provider.userIDs.count == 1)
        #expect(String(decoding: provider.userIDs.joined(), as: UTF8.self).contains("<locked@example.org>"))
        // The agent remembers it.
        #expect(try failure(Context(Self.keyring.options, passphrases: provider)) == nil)
        #expect(provider.userIDs.count == 1)
    }

    @Test(
        arguments: [
            ("wrong", GPGMEError.Code.badPassphrase), (nil, .canceled), ("", .noPassphrase),
            ("right\nright", .canceled),
            ("right\0", .canceled),
        ] as [(String?, GPGMEError.Code)]
    )
    func aProviderMayFail(_ answer: String?, code: GPGMEError.Code) throws {
        _ = Self.message
        try restartAgent(pinentry: "/nonexistent")
        let context = try Context(Self.keyring.options, passphrases: FixedPassphrase(answer))
        #expect(failure(context) == GPGMEError(.decrypt, code))
    }

    @Test func signsWithAProvider() throws {
        let data = [UInt8]("x")
        let key = Self.key
        try restartAgent(pinentry: "/nonexistent")
        let context = try Context(Self.keyring.options, passphrases: FixedPassphrase("right"))
        let signature = try context.signDetached(data, by: [[UInt8](key)])
        let pinned = try Set([#require(Fingerprint(key))])
        #expect(try context.verifyDetached(signature, of: data).isSigned(by: pinned))
        try restartAgent(pinentry: "/nonexistent")
        let wrong = try Context(Self.keyring.options, passphrases: FixedPassphrase("wrong"))
        let error = thrown { () throws(GPGMEError) in _ = try wrong.signDetached(data, by: [[UInt8](key)]) }
        #expect(error == GPGMEError(.sign, .badPassphrase))
    }

    /// Neither the plaintext nor the passphrase may stand in what is thrown.
    @Test func noErrorHoldsASecret() throws {
        let marker = "hunter2-marker"
        let secret = SecretBytes(marker)
        try restartAgent(pinentry: "/nonexistent")
        let context = try Context(Self.keyring.options, passphrases: FixedPassphrase(marker))
        let ciphertext = try context.encrypt(secret, to: [[UInt8](Self.key)])
        let signed = try Self.keyring.gpg(["--store"], input: [UInt8](marker)).output
        var errors: [any Error] = []
        for message in [ciphertext, signed, ciphertext + [0], ciphertext.dropLast()] {
            errors +=
                thrown { () throws(GPGMEError) in _ = try context.decrypt(message.span) }.map { [$0] } ?? []
        }
        for recipients in [[], ["nobody@example.org"], ["a\nb"], [""]] {
            errors +=
                thrown { () throws(EncryptionFailure) in
                    _ = try context.encrypt(secret, to: recipients.map { [UInt8]($0) })
                }.map { [$0] } ?? []
        }
        errors +=
            thrown { () throws(GPGMEError) in
                _ = try context.signDetached([UInt8](marker), by: [[UInt8](Self.key)])
            }.map { [$0] } ?? []
        #expect(errors.count == 9)
        for error in errors {
            var dumped = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            dump(error, to: &dumped)
            #expect(!dumped.contains(marker))
        }
    }
}
