// swift-format-ignore-file: NeverUseForceTry
import GPGME
import SecretMemory
import TestSupport
import Testing

@Suite struct RoundTripTests {
    static let keyring = try! TestKeyring()
    static let alice = try! keyring.makeKey("Alice <alice@example.org>")
    static let bob = try! keyring.makeKey("Bob <bob@example.org>")

    @Test(
        arguments: [
            NamedBytes("nothing", []),
            NamedBytes("a line feed", [0x0A]),
            NamedBytes("a password and a line", [UInt8]("secret\nuser: me\n")),
            NamedBytes("no final line feed", [UInt8]("secret")),
            NamedBytes("a NUL", [0]),
            NamedBytes("a NUL within, and no UTF-8", [0x61, 0x00, 0x62, 0xFF]),
            NamedBytes("every byte", Array(0...255)),
            NamedBytes("a line of 1 MiB", Array(repeating: 0x78, count: 1 << 20)),
        ],
        [false, true]
    )
    func returnsTheBytesThatWereEncrypted(_ plaintext: NamedBytes, armor: Bool) throws {
        let context = try Context(Self.keyring.options)
        let secret = SecretBytes(copying: plaintext.bytes.span)
        let message = try context.encrypt(secret, to: [[UInt8](Self.alice)], armor: armor)
        #expect(message.starts(with: "-----BEGIN PGP MESSAGE-----".utf8) == armor)
        #expect(try context.decrypt(message.span).plaintext.exposed == plaintext.bytes)
    }

    @Test func returns32MiB() throws {
        let context = try Context(Self.keyring.options)
        let bytes = [UInt8](unsafeUninitializedCapacity: 32 << 20) { buffer, count in
            for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3) }
            count = buffer.count
        }
        let secret = SecretBytes(copying: bytes.span)
        let message = try context.encrypt(secret, to: [[UInt8](Self.alice)])
        #expect(try context.decrypt(message.span).plaintext.isEqual(to: secret))
    }

    @Test func gpgReadsWhatIsWrittenHere() throws {
        let context = try Context(Self.keyring.options)
        let message = try context.encrypt(SecretBytes("secret\n"), to: [[UInt8](Self.alice)])
        #expect(try Self.keyring.gpg(["-d"], input: message).text == "secret\n")
    }

    @Test(arguments: [
        [], ["--armor"], ["--compress-algo", "zlib"], ["--compress-algo", "bzip2"], ["--textmode"],
        ["--set-filename", "x"], ["--sign"], ["--rfc4880"], ["--throw-keyids"], ["--for-your-eyes-only"],
    ])
    func readsWhatGPGWrites(_ options: [String]) throws {
        let message = try Self.keyring.encrypted("secret\n", to: [Self.alice], options)
        let decryption = try Context(Self.keyring.options).decrypt(message.span)
        // Text mode writes the line ends of the network, and gpg turns them back.
        #expect(decryption.plaintext.exposed == [UInt8]("secret\n"))
    }

    @Test func namesTheSubkeysOfAllRecipients() throws {
        let context = try Context(Self.keyring.options)
        let expected = try [Self.alice, Self.bob].map { key in
            try #require(Fingerprint(Self.keyring.fingerprints(of: key)[1])).keyID
        }
        let message = try context.encrypt(
            SecretBytes("x"),
            to: [[UInt8](Self.alice), [UInt8]("bob@example.org")]
        )
        #expect(try Set(context.decrypt(message.span).recipients) == Set(expected))
        #expect(try Set(MessagePackets.recipients(of: message.span)) == Set(expected))
    }

    @Test func oneContextServesManyOperations() throws {
        let context = try Context(Self.keyring.options)
        for round in 0..<5 {
            #expect(throws: GPGMEError.self) { _ = try context.decrypt([UInt8]("no message").span) }
            #expect(throws: EncryptionFailure.self) {
                _ = try context.encrypt(SecretBytes("x"), to: [[UInt8]("nobody@example.org")])
            }
            let message = try context.encrypt(SecretBytes("\(round)"), to: [[UInt8](Self.alice)])
            #expect(try context.decrypt(message.span).plaintext.exposed == [UInt8]("\(round)"))
        }
    }
}
