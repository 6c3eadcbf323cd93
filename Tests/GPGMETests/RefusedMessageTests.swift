// swift-format-ignore-file: NeverUseForceTry
import GPGME
import SecretMemory
import TestSupport
import Testing

/// A kind of file that must not be shown, and the reason given.
struct RefusedMessage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: GPGMEError.Code
    let make: @Sendable (_ good: [UInt8]) throws -> [UInt8]

    static let secret = "the secret\n"

    static func made(
        _ name: String,
        _ code: GPGMEError.Code,
        _ make: @escaping @Sendable (_ good: [UInt8]) throws -> [UInt8]
    ) -> RefusedMessage {
        RefusedMessage(testDescription: name, code: code, make: make)
    }

    static func byGPG(_ name: String, _ code: GPGMEError.Code, _ options: [String]) -> RefusedMessage {
        made(name, code) { _ in
            try RefusedMessageTests.keyring.gpg(options, input: [UInt8](secret)).output
        }
    }

    static let all = [
        made("an empty file", .noData) { _ in [] },
        made("a text", .noData) { _ in [UInt8](secret) },
        made("only the start of the armour", .noData) { _ in [UInt8]("-----BEGIN PGP MESSAGE-----") },
        made("the last byte missing", .truncated) { $0.dropLast() },
        made("half of it", .truncated) { Array($0.prefix($0.count / 2)) },
        made("a byte behind it", .badData) { $0 + [0] },
        made("a line feed behind it", .badData) { $0 + [0x0A] },
        made("itself behind it", .badData) { $0 + $0 },
        made("a literal packet behind it", .badData) {
            try $0 + RefusedMessageTests.keyring.gpg(["--store"], input: [UInt8](secret)).output
        },
        made("a flipped bit near the end", .decryptionFailed) { good in
            var message = good
            message[good.count - 5] ^= 1
            return message
        },
        made("armour with a text behind it", .badData) { _ in
            let options = ["--armor"]
            let armor = try RefusedMessageTests.encrypted(options)
            return armor + [UInt8]("text\n")
        },
        made("without integrity protection", .unsupportedProtection) { _ in
            try RefusedMessageTests.encrypted(["--rfc2440", "--cipher-algo", "3DES"])
        },
        byGPG("signed only", .noData, ["--sign"]),
        byGPG("signed only, not compressed", .noData, ["--sign", "--compress-algo", "none"]),
        byGPG("signed in clear text", .noData, ["--clear-sign"]),
        byGPG("neither signed nor encrypted", .noData, ["--store"]),
        byGPG("neither, and armoured", .noData, ["--store", "--armor"]),
        byGPG(
            "for a passphrase only",
            .notSupported,
            ["--passphrase", "x", "--pinentry-mode", "loopback", "--symmetric"]
        ),
    ]
}

@Suite struct RefusedMessageTests {
    static let keyring = try! TestKeyring()
    static let alice = try! keyring.makeKey("Alice <alice@example.org>")
    static let message = try! encrypted([])

    static func encrypted(_ options: [String]) throws -> [UInt8] {
        try keyring.encrypted(RefusedMessage.secret, to: [alice], options)
    }

    @Test(arguments: RefusedMessage.all)
    func refuses(_ kind: RefusedMessage) throws {
        let message = try kind.make(Self.message)
        let context = try Context(Self.keyring.options)
        let error = thrown { () throws(GPGMEError) in _ = try context.decrypt(message.span) }
        #expect(error == GPGMEError(.decrypt, kind.code))
    }

    @Test func refusesEveryPart() throws {
        let context = try Context(Self.keyring.options)
        for length in Self.message.indices {
            let part = Array(Self.message.prefix(length))
            #expect(throws: GPGMEError.self, "\(length) bytes") { _ = try context.decrypt(part.span) }
        }
    }

    /// A few bits do not matter to gpg, such as those of the version of a session key packet.
    @Test func neverReturnsAnythingElseWhenABitIsFlipped() throws {
        let context = try Context(Self.keyring.options)
        var successes = 0
        for index in Self.message.indices {
            var message = Self.message
            message[index] ^= 1 << UInt8(index % 8)
            guard let decryption = try? context.decrypt(message.span) else { continue }
            successes += 1
            #expect(decryption.plaintext.exposed == [UInt8](RefusedMessage.secret), "byte \(index)")
        }
        #expect(successes < 5)
    }

    @Test func refusesMoreThanTheLimit() throws {
        let zeroes = String(repeating: "\0", count: 4 << 20)
        let bomb = try Self.keyring.encrypted(zeroes, to: [Self.alice], ["--compress-algo", "bzip2"])
        #expect(bomb.count < 10_000)
        let context = try Context(Self.keyring.options)
        let error = thrown { () throws(GPGMEError) in
            _ = try context.decrypt(bomb.span, limit: 4 << 20 - 1)
        }
        #expect(error == GPGMEError(.decrypt, .tooLarge))
        #expect(try context.decrypt(bomb.span, limit: 4 << 20).plaintext.count == 4 << 20)
    }

    @Test func refusesAMessageForOthers() throws {
        let stranger = try TestKeyring()
        try stranger.makeKey("Stranger <stranger@example.org>")
        let context = try Context(stranger.options)
        let error = thrown { () throws(GPGMEError) in _ = try context.decrypt(Self.message.span) }
        #expect(error == GPGMEError(.decrypt, .noSecretKey))
        #expect(error?.description == "decryption failed: No secret key")

        let hidden = try Self.encrypted(["--throw-keyids"])
        let second = thrown { () throws(GPGMEError) in _ = try context.decrypt(hidden.span) }
        #expect(second == GPGMEError(.decrypt, .noSecretKey))
    }
}
