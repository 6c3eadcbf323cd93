import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore

/// Encryption by one gpg, which is believed only if it read everything and made a message of it.
@Suite struct DirectEncryptionTests {
    private let gpg = FalseGPG()
    private static let real = "exec /usr/bin/gpg \"$@\""

    private func encrypt(
        _ text: [UInt8] = Array("secret\n".utf8),
        to recipients: [String] = [Keys.alice],
        by commands: String,
        _ variables: [String: String] = [:]
    ) throws -> [UInt8]? {
        let (secret, ids) = (SecretBytes(copying: text.span), recipients.map { Array($0.utf8) })
        return DirectEncryption(of: secret, to: ids, try gpg.settings(commands, variables))?.finish()
    }

    @Test(arguments: [0, 1, 5000, 300_000])
    func theRealOneIsStartedOnce(count: Int) throws {
        var generator = SeededGenerator.forTest()
        let text = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let message = try #require(try encrypt(text, to: [Keys.alice, Keys.bob], by: Self.real))
        #expect(try gpg.starts.count == 1)
        #expect(try Keys.ring.gpg(["--decrypt"], input: message).output == text, "\(generator)")
        let keys = try [Keys.alice, Keys.bob].map(Keys.encryptionKey).sorted()
        #expect(try MessagePackets.recipients(of: message.span).map(\.description).sorted() == keys)
    }

    /// A user's `gpg.conf` may have gpg read something besides the message, and so may a script in the place of gpg.
    @Test(arguments: [
        "exec /usr/bin/gpg --passphrase-fd 0 \"$@\"", "exec /usr/bin/gpg --command-fd 0 \"$@\"",
        "read line; exec /usr/bin/gpg \"$@\"", "exec 3<&1; exec /usr/bin/gpg \"$@\"",
    ])
    func nothingTakesAPartOfTheSecret(_ commands: String) throws {
        let text = Array("password\ny\nuser\n".utf8)
        let message = try #require(try encrypt(text, by: commands))
        #expect(try Keys.ring.gpg(["--decrypt"], input: message).output == text)
    }

    /// Whatever a user's `gpg.conf` says, it is the message that GPGME would get, or none.
    @Test func gpgConfCountsAsWithGPGME() throws {
        let ring = try TestKeyring()
        let (alice, bob) = (try ring.makeKey("Alice"), try ring.makeKey("Bob"))
        let cases: [(line: String, isMade: Bool)] = [
            ("", true), ("armor", true), ("armor\ncomment hello", true), ("textmode", true),
            ("throw-keyids", true), ("cipher-algo 3DES", true), ("compress-algo zip", true),
            ("rfc4880", true),
            ("encrypt-to \(bob)", true), ("hidden-encrypt-to \(bob)", true), ("recipient \(bob)", true),
            ("default-recipient \(bob)", true), ("group \(alice)=\(bob)", true), ("sign", true),
            ("status-fd 1", true), ("logger-fd 1", false), ("log-file \(ring.home)/log", true),
            ("output \(ring.home)/output", true), ("no-such-option", true), ("max-output 10", true),
            ("rfc2440", false), ("recipient nobody@example.org", false), ("dry-run", false),
            ("multifile", false), ("symmetric", false), ("store", false),
            ("disable-pubkey-algo ECDH", false), ("faked-system-time 20010101T000000", false),
        ]
        let settings = try gpg.settings(Self.real, ["GNUPGHOME": ring.home])
        for (line, isMade) in cases {
            try ring.write("no-random-seed-file\n\(line)\n", to: "gpg.conf")
            let text = SecretBytes(copying: Array("secret\n".utf8).span)
            let recipients = [Array(alice.utf8)]
            let direct = DirectEncryption(of: text, to: recipients, settings)?.finish()
            let context = try Context(EngineOptions(home: Array(ring.home.utf8)))
            let usual = try? context.encrypt(text, to: recipients)
            #expect((direct != nil) == isMade && (usual != nil) == isMade, "\(line)")
            guard let direct, let usual else { continue }
            #expect(try MessagePackets(direct.span) == MessagePackets(usual.span), "\(line)")
            #expect(direct.starts(with: "-----".utf8) == usual.starts(with: "-----".utf8), "\(line)")
            try ring.write("", to: "gpg.conf")
            #expect(try ring.gpg(["--decrypt"], input: direct).output == Array("secret\n".utf8), "\(line)")
        }
    }

    /// Compression would tell something of the contents by the length.
    @Test func theLengthTellsNothingOfTheContents() throws {
        let dull = try #require(try encrypt([UInt8](repeating: 0, count: 100_000), by: Self.real))
        #expect(dull.count > 100_000)
    }

    /// Recipients are texts, whatever they look like, and the same as for GPGME.
    @Test func recipientsAreNoOptions() throws {
        #expect(try encrypt(to: [" \(Keys.alice)\t"], by: Self.real) != nil)
        #expect(try encrypt(to: ["<alice@example.org>"], by: Self.real) != nil)
        for recipient in ["--version", "-e", "--", "nobody@example.org"] {
            #expect(try encrypt(to: [Keys.alice, recipient], by: Self.real) == nil, "\(recipient)")
        }
    }

    @Test func whatNoRecipientCanBeStartsNothing() throws {
        for recipients in [[], [""], ["\t"], ["a\0b"], ["a\nb"]] {
            #expect(try encrypt(to: recipients, by: "exit 0") == nil)
        }
        #expect(try encrypt(by: "exit 0", ["PASSWORD_STORE_GPG_OPTS": "--armor"]) == nil)
        #expect(try gpg.starts.isEmpty)
    }

    @Test(arguments: [
        // Says nothing, says it without doing it, does it without saying it.
        "cat <&100 >/dev/null",
        "cat <&100; echo '[GNUPG:] BEGIN_ENCRYPTION 2 9' >&2; echo '[GNUPG:] END_ENCRYPTION' >&2",
        "/usr/bin/gpg \"$@\" 2>/dev/null",
        // Does it and fails, or is killed, or leaves something out.
        "/usr/bin/gpg \"$@\"; exit 2",
        "/usr/bin/gpg \"$@\"; kill -9 $$",
        "/usr/bin/gpg \"$@\"; echo '[GNUPG:] INV_RECP 0 somebody' >&2",
        "/usr/bin/gpg \"$@\" | head -c 100",
        "/usr/bin/gpg \"$@\"; echo more",
        // Asks for a passphrase where a key should do.
        "/usr/bin/gpg --batch --pinentry-mode loopback --passphrase x --status-fd 2 --symmetric <&100",
    ])
    func aFalseOneIsNotBelieved(_ commands: String) throws {
        #expect(try encrypt(by: commands) == nil)
        #expect(try gpg.starts.count == 1)
    }

    /// A message of a part of the secret is as whole as any.
    @Test func oneThatReadsOnlyAPartIsNotBelieved() throws {
        let text = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(try encrypt(text, by: "head -c 100 <&100 | /usr/bin/gpg \"$@\" 100<&0") == nil)
        #expect(try encrypt(text, by: Self.real) != nil)
    }

    @Test func everyStatusLineIsNeeded() {
        func isMet(_ lines: [String]) -> Bool {
            DirectEncryption.expectation.isMet(by: Array(lines.map { "[GNUPG:] \($0)\n" }.joined().utf8))
        }
        let good = ["KEY_CONSIDERED 0123 0", "BEGIN_ENCRYPTION 2 9", "END_ENCRYPTION"]
        #expect(isMet(good))
        for line in good.dropFirst() { #expect(!isMet(good.filter { $0 != line }), "without \(line)") }
        for line in ["INV_RECP 1 0123", "NO_RECP 0", "ERROR x 1", "FAILURE encrypt 53", "UNEXPECTED 0"] {
            #expect(!isMet(good + [line]), "with \(line)")
        }
    }
}
