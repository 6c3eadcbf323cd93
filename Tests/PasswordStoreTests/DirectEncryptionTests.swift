import Foundation
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
            .message?.bytes
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

    /// Whatever a user's `gpg.conf` says, it is a message of all that was to be encrypted, byte for byte, or none.
    @Test func gpgConfChangesNoContents() throws {
        let ring = try TestKeyring()
        let (alice, bob) = (try ring.makeKey("Alice"), try ring.makeKey("Bob"))
        let cases: [(line: String, isMade: Bool)] = [
            ("", true), ("armor", true), ("armor\ncomment hello", true), ("textmode", true),
            ("mimemode", true),
            ("throw-keyids", true), ("cipher-algo 3DES", true), ("compress-algo zip", true),
            ("rfc4880", true), ("rfc2440-text", true), ("escape-from-lines", true),
            ("encrypt-to \(bob)", true), ("hidden-encrypt-to \(bob)", true), ("recipient \(bob)", true),
            ("default-recipient \(bob)", true), ("group \(alice)=\(bob)", true), ("sign", true),
            ("status-fd 1", true), ("log-file \(ring.home)/log", true), ("attribute-fd 1", true),
            ("logger-fd 1", true), ("logger-fd 2", true), ("status-file \(ring.home)/status", true),
            ("output \(ring.home)/output", true), ("no-such-option", true), ("max-output 10", true),
            ("set-filesize 3", true), ("set-filesize 100", true), ("input-size-hint 2", true),
            ("set-filename x", true), ("for-your-eyes-only", true), ("unwrap", true), ("list-only", true),
            ("passphrase-fd 0", true), ("command-fd 0", true), ("no-batch", true), ("interactive", true),
            ("rfc2440", false), ("recipient nobody@example.org", false), ("dry-run", false),
            ("multifile", false), ("symmetric", false), ("store", false), ("no-literal", false),
            ("clearsign", false),
            ("disable-pubkey-algo ECDH", false), ("faked-system-time 20010101T000000", false),
        ]
        let settings = try gpg.settings(Self.real, ["GNUPGHOME": ring.home])
        let plaintext = Array("secret\r\n\u{1}\0 \n\r\rend \t".utf8) + [0xFF, 0xFE]
        let trust = try contents(of: "\(ring.home)/trustdb.gpg")
        for (line, isMade) in cases {
            try ring.write("no-random-seed-file\n\(line)\n", to: "gpg.conf")
            let text = SecretBytes(copying: plaintext.span)
            let outcome = DirectEncryption(of: text, to: [Array(alice.utf8)], settings)?.finish()
            let message = outcome?.message
            #expect((message != nil) == isMade, "\(line): \(String(describing: outcome?.report))")
            try ring.write("", to: "gpg.conf")
            guard let message else { continue }
            #expect(try ring.gpg(["--decrypt"], input: message.bytes).output == plaintext, "\(line)")
        }
        #expect(try contents(of: "\(ring.home)/trustdb.gpg") == trust)
    }

    private func contents(of file: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: file)))
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
        #expect(try gpg.starts.isEmpty)
    }

    /// What they may not change comes behind them.
    @Test func theOptionsOfTheUserComeFirst() throws {
        let options = ["PASSWORD_STORE_GPG_OPTS": "--armor --textmode --set-filesize 3 --status-fd 77"]
        let text = Array("a\r\nb\r\n".utf8)
        let message = try #require(try encrypt(text, by: Self.real, options))
        #expect(message.starts(with: "-----BEGIN".utf8))
        #expect(try Keys.ring.gpg(["--decrypt"], input: message).output == text)
        #expect(try gpg.starts[0].hasPrefix("--armor --textmode --set-filesize 3 --batch"))
    }

    @Test(arguments: [
        // Says nothing, says it without doing it, does it without saying it.
        "cat <&100 >/dev/null",
        "cat <&100 >&101; echo '[GNUPG:] BEGIN_ENCRYPTION 2 9' >&102; echo '[GNUPG:] END_ENCRYPTION' >&102",
        "/usr/bin/gpg \"$@\" 102>/dev/null",
        // Does it and fails, or is killed, or leaves something out.
        "/usr/bin/gpg \"$@\"; exit 2",
        "/usr/bin/gpg \"$@\"; kill -9 $$",
        "/usr/bin/gpg \"$@\"; echo '[GNUPG:] INV_RECP 0 somebody' >&102",
        "exec 3>&101; /usr/bin/gpg \"$@\" 101>&1 | head -c 100 >&3",
        "/usr/bin/gpg \"$@\"; echo more >&101",
        // Asks for a passphrase where a key should do.
        "/usr/bin/gpg --batch --pinentry-mode loopback --passphrase x --status-fd 102 --symmetric <&100 >&101",
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
            EncryptionReport(lines: Array(lines.map { "[GNUPG:] \($0)\n" }.joined().utf8)).isSuccess
        }
        let good = ["KEY_CONSIDERED 0123 0", "BEGIN_ENCRYPTION 2 9", "END_ENCRYPTION"]
        #expect(isMet(good))
        for line in good.dropFirst() { #expect(!isMet(good.filter { $0 != line }), "without \(line)") }
        for line in ["INV_RECP 1 0123", "NO_RECP 0", "ERROR x 1", "FAILURE encrypt 53", "UNEXPECTED 0"] {
            #expect(!isMet(good + [line]), "with \(line)")
        }
    }
}
