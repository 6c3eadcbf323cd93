import GPGME
import SecretMemory
import TestSupport
import Testing

/// A plaintext with a name that test output can show.
struct Plaintext: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        testDescription = name
        self.bytes = bytes
    }

    static let all = [
        Plaintext("nothing", []),
        Plaintext("a line feed", [0x0A]),
        Plaintext("a password and a line", Array("secret\nuser: me\n".utf8)),
        Plaintext("no final line feed", Array("secret".utf8)),
        Plaintext("a NUL", [0]),
        Plaintext("a NUL within, and no UTF-8", [0x61, 0x00, 0x62, 0xFF]),
        Plaintext("every byte", Array(0...255)),
        Plaintext("a line of 1 MiB", Array(repeating: 0x78, count: 1 << 20)),
    ]
}

@Suite struct RoundTripTests {
    static let keyring = try! TestKeyring()
    static let fingerprint = try! keyring.makeKey("Alice <alice@example.org>")
    static var options: EngineOptions { EngineOptions(home: Array(keyring.home.utf8)) }

    @Test(arguments: Plaintext.all, [false, true])
    func returnsTheBytesThatWereEncrypted(_ plaintext: Plaintext, armor: Bool) throws {
        let context = try Context(Self.options)
        let recipients = [Array(Self.fingerprint.utf8)]
        let message = try context.encrypt(
            SecretBytes(copying: plaintext.bytes.span),
            to: recipients,
            armor: armor
        )
        #expect(message.starts(with: "-----BEGIN PGP MESSAGE-----".utf8) == armor)
        #expect(try context.decrypt(message.span).plaintext.exposed == plaintext.bytes)
    }
}
