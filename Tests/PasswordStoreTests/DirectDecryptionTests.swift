import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore

/// Decryption by one gpg, which is believed under conditions only, and not at all where it may have to ask.
@Suite struct DirectDecryptionTests {
    private let gpg = FalseGPG()

    private func message(_ text: [UInt8] = Array("secret\n".utf8)) throws -> [UInt8] {
        let arguments = ["--batch", "--trust-model", "always", "-r", Keys.alice, "--encrypt"]
        return Array(try Keys.ring.gpg(arguments, input: text).output)
    }

    private func decryption(
        by commands: String,
        _ variables: [String: String] = [:]
    ) throws -> DirectDecryption {
        DirectDecryption(try gpg.settings(commands, variables))
    }

    /// What came of a message; `nil` for no answer.
    private func text(_ decryption: DirectDecryption, _ message: [UInt8]) throws -> SecretBytes? {
        guard case .plaintext(let text) = decryption.decrypt(try AcceptableMessage(message)) else {
            return nil
        }
        return text
    }

    private func code(_ decryption: DirectDecryption, _ message: [UInt8]) throws -> GPGMEError.Code? {
        guard case .refused(let code) = decryption.decrypt(try AcceptableMessage(message)) else { return nil }
        return code
    }

    private var starts: Int { get throws { try gpg.starts.count } }

    @Test func theRealOneIsStartedOnce() throws {
        let decryption = try decryption(by: "exec /usr/bin/gpg \"$@\"")
        let secret = try #require(try text(decryption, try message()))
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("secret\n".utf8))
        #expect(try starts == 1)
    }

    /// A pipe takes 64 KiB; what comes out is longer than that too.
    @Test func aLongMessageIsNoExceptionToThat() throws {
        var generator = SeededGenerator.forTest()
        let text = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let decryption = try decryption(by: "exec /usr/bin/gpg \"$@\"")
        let secret = try #require(try self.text(decryption, try message(text)))
        #expect(secret.isEqual(to: SecretBytes(copying: text.span)), "\(generator)")
        #expect(try starts == 1)
    }

    /// It is no part of the message that a `gpg.conf` may have gpg read first.
    @Test func aPassphraseIsNotReadFromTheMessage() throws {
        let decryption = try decryption(by: "exec /usr/bin/gpg --passphrase-fd 0 \"$@\"")
        #expect(try text(decryption, try message()) != nil)
    }

    @Test(arguments: [
        "cat <&100 >/dev/null; echo secret >&101",
        "cat <&100 >/dev/null; echo secret >&101; exit 2",
        "cat <&100 >/dev/null; echo secret >&101; echo '[GNUPG:] DECRYPTION_OKAY' >&102",
        "cat <&100 >/dev/null; echo secret >&101; kill -9 $$",
        "/usr/bin/gpg \"$@\"; exit 1",
    ])
    func aFalseOneIsNotBelieved(_ commands: String) throws {
        #expect(try text(decryption(by: commands), message()) == nil)
    }

    @Test func itIsNotTriedForEver() throws {
        let decryption = try decryption(by: "exit 2")
        for _ in 0..<5 { #expect(try text(decryption, try message()) == nil) }
        #expect(try starts == 3)
    }

    /// A server whose key was locked when it started.
    @Test func aKeyThatIsUnlockedLaterIsNoticed() throws {
        let decryption = try decryption(
            by: "test -e \(gpg.path("unlocked")) && exec /usr/bin/gpg \"$@\"; exit 2"
        )
        let message = try message()
        for _ in 0..<100 { #expect(try text(decryption, message) == nil) }
        #expect(try starts == 8)
        gpg.makeFile("unlocked")
        let vain = try (0..<70).prefix { _ in try text(decryption, message) == nil }.count
        #expect(vain < 65)
        let before = try starts
        for _ in 0..<3 { #expect(try text(decryption, message) != nil) }
        #expect(try starts == before + 3)
    }

    @Test func moreThanTheLimitIsNoAnswer() throws {
        let real = "exec /usr/bin/gpg \"$@\""
        let (small, enough) = (["PASSCHAIN_SIZE_LIMIT": "6"], ["PASSCHAIN_SIZE_LIMIT": "7"])
        #expect(try code(decryption(by: real, small), message()) == .tooLarge)
        #expect(try text(decryption(by: real, enough), message()) != nil)
        #expect(try code(decryption(by: real, ["PASSCHAIN_SIZE_LIMIT": "0"]), message()) == .tooLarge)
        #expect(try text(decryption(by: real, ["PASSCHAIN_SIZE_LIMIT": "0"]), message([])) != nil)
    }

    /// A message that holds something else needs no question to be refused.
    @Test func whatIsRefusedIsNotCountedAsVain() throws {
        let decryption = try decryption(by: "/usr/bin/gpg \"$@\"; exit 1")
        for _ in 0..<10 { #expect(try code(decryption, try message()) == .badData) }
        #expect(try starts == 10)
    }

    @Test func everyStatusLineIsNeeded() {
        let needed = ["DECRYPTION_INFO 2 9", "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"]
        let good = needed + ["ENC_TO 0123", "PLAINTEXT 62 0 ", "PLAINTEXT_LENGTH 7"]
        func isGood(_ lines: [String], status: Int32 = 0, size: Int = 7, mark: String = "[GNUPG:] ") -> Bool {
            let text = lines.map { "\(mark)\($0)\n" }.joined()
            return DecryptionReport(lines: Array(text.utf8)).problem(status: status, size: size) == nil
        }
        #expect(isGood(good))
        for line in needed + ["PLAINTEXT 62 0 "] {
            #expect(!isGood(good.filter { $0 != line }), "without \(line)")
            #expect(!isGood(good + [line]), "two of \(line)")
        }
        for line in [
            "DECRYPTION_FAILED", "BADMDC", "ERROR proc_pkt.plaintext 89", "FAILURE x 1", "NODATA 1",
            "UNEXPECTED 1",
            "NEED_PASSPHRASE_SYM 9 3 2", "BADSIG 0123 x", "PLAINTEXT_LENGTH 7",
        ] {
            #expect(!isGood(good + [line]), "with \(line)")
        }
        #expect(!isGood(good, status: 2) && !isGood(good, size: 6) && !isGood(good, size: 8))
        // Another recipient's key is locked, and what is said of the length is left out, or of a text.
        #expect(isGood(good + ["ERROR pkdecrypt_failed 85"]))
        #expect(isGood(good.dropLast(), size: 100))
        let text = good.map { $0.replacing("PLAINTEXT 62", with: "PLAINTEXT 74") }
        #expect(isGood(text, size: 5) && !isGood(text, size: 8))
        #expect(!isGood(good, mark: "gpg: [GNUPG:] "))
        // A list of keys, which gpg writes to its standard output.
        let listed = good.map { "[GNUPG:] \($0)\n" }.joined()
        for line in ["gpg: a message of the log", "pub   ed25519 2026-01-01 [SC]"] {
            let report = DecryptionReport(lines: Array("\(listed)\(line)\n".utf8))
            #expect((report.problem(status: 0, size: 7) == nil) == line.hasPrefix("gpg"))
        }
    }
}
