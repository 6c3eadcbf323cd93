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

    private var starts: Int { get throws { try gpg.starts.count } }

    @Test func theRealOneIsStartedOnce() throws {
        let decryption = try decryption(by: "exec /usr/bin/gpg \"$@\"")
        let secret = try #require(decryption.decrypt(try message()))
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("secret\n".utf8))
        #expect(try starts == 1)
    }

    /// A pipe takes 64 KiB; what comes out is longer than that too.
    @Test func aLongMessageIsNoExceptionToThat() throws {
        var generator = SeededGenerator.forTest()
        let text = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let decryption = try decryption(by: "exec /usr/bin/gpg \"$@\"")
        let secret = try #require(decryption.decrypt(try message(text)))
        #expect(secret.isEqual(to: SecretBytes(copying: text.span)), "\(generator)")
        #expect(try starts == 1)
    }

    /// It is no part of the message that a `gpg.conf` may have gpg read first.
    @Test func aPassphraseIsNotReadFromTheMessage() throws {
        let decryption = try decryption(by: "exec /usr/bin/gpg --passphrase-fd 0 \"$@\"")
        #expect(decryption.decrypt(try message()) != nil)
    }

    @Test(arguments: [
        "cat <&100 >/dev/null; echo secret",
        "cat <&100 >/dev/null; echo secret; exit 2",
        "cat <&100 >/dev/null; echo secret; echo '[GNUPG:] DECRYPTION_OKAY' >&2",
        "cat <&100 >/dev/null; echo secret; kill -9 $$",
        "/usr/bin/gpg \"$@\"; exit 1",
    ])
    func aFalseOneIsNotBelieved(_ commands: String) throws {
        #expect(try decryption(by: commands).decrypt(message()) == nil)
    }

    @Test func itIsNotTriedForEver() throws {
        let decryption = try decryption(by: "exit 2")
        for _ in 0..<5 { #expect(decryption.decrypt(try message()) == nil) }
        #expect(try starts == 3)
    }

    /// A server whose key was locked when it started.
    @Test func aKeyThatIsUnlockedLaterIsNoticed() throws {
        let decryption = try decryption(
            by: "test -e \(gpg.path("unlocked")) && exec /usr/bin/gpg \"$@\"; exit 2"
        )
        let message = try message()
        for _ in 0..<100 { #expect(decryption.decrypt(message) == nil) }
        #expect(try starts == 8)
        gpg.makeFile("unlocked")
        let vain = (0..<70).prefix { _ in decryption.decrypt(message) == nil }.count
        #expect(vain < 65)
        let before = try starts
        for _ in 0..<3 { #expect(decryption.decrypt(message) != nil) }
        #expect(try starts == before + 3)
    }

    @Test func whatIsNotItsAffairStartsNothing() throws {
        let message = try message()
        let decryption = try decryption(by: "exit 0")
        #expect(decryption.decrypt(Array(message.dropLast())) == nil)
        #expect(decryption.decrypt(message + message) == nil)
        #expect(decryption.decrypt(Array("-----BEGIN PGP MESSAGE-----\n".utf8)) == nil)
        let withOptions = try self.decryption(by: "exit 0", ["PASSWORD_STORE_GPG_OPTS": "--armor"])
        #expect(withOptions.decrypt(message) == nil)
        #expect(try starts == 0)
    }

    @Test func moreThanTheLimitIsNoAnswer() throws {
        let real = "exec /usr/bin/gpg \"$@\""
        #expect(try decryption(by: real, ["PASSCHAIN_SIZE_LIMIT": "6"]).decrypt(message()) == nil)
        #expect(try decryption(by: real, ["PASSCHAIN_SIZE_LIMIT": "7"]).decrypt(message()) != nil)
    }

    @Test func everyStatusLineIsNeeded() {
        let needed = ["ENC_TO 0123", "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"]
        let good = needed + ["DECRYPTION_INFO 2 9"]
        func isGood(_ lines: [String]) -> Bool {
            DirectDecryption.expectation.isMet(by: Array(lines.map { "[GNUPG:] \($0)\n" }.joined().utf8))
        }
        #expect(isGood(good))
        for line in needed {
            #expect(!isGood(good.filter { $0 != line }), "without \(line)")
        }
        for line in ["DECRYPTION_FAILED", "BADMDC", "ERROR pkdecrypt_failed 1", "FAILURE x 1", "NODATA 1"] {
            #expect(!isGood(good + [line]), "with \(line)")
        }
        let quoted = good.map { "gpg: [GNUPG:] \($0)\n" }.joined()
        #expect(!DirectDecryption.expectation.isMet(by: Array(quoted.utf8)))
    }
}
