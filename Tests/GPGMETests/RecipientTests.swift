// swift-format-ignore-file: NeverUseForceTry
import Foundation
import GPGME
import SecretMemory
import TestSupport
import Testing

/// The keys of these suites: good ones, and one of each kind that must not be used.
struct RecipientKeys: Sendable {
    let keyring = try! TestKeyring()
    let alice, bob, expired, revoked, disabled, signing, first, second: String

    static let shared = try! RecipientKeys()

    init() throws {
        alice = try keyring.makeKey("Alice <alice@example.org>")
        bob = try keyring.makeKey("Bob <bob@example.org>")
        expired = try keyring.makeKey("Old <old@example.org>", at: 1_500_000_000, expires: "seconds=86400")
        revoked = try keyring.makeKey("Gone <gone@example.org>")
        let certificate = try String(
            contentsOfFile: keyring.home + "/openpgp-revocs.d/\(revoked).rev",
            encoding: .utf8
        )
        let armor = certificate.replacing(":-----BEGIN", with: "-----BEGIN")
        try keyring.gpg(["--import"], input: [UInt8](armor))
        disabled = try keyring.makeKey("Off <off@example.org>")
        try keyring.gpg(["--command-fd", "0", "--edit-key", disabled], input: [UInt8]("disable\nsave\n"))
        let options = ["--passphrase", "", "--pinentry-mode", "loopback"]
        try keyring.gpg(options + ["--quick-gen-key", "Sign <sign@example.org>", "ed25519", "sign", "never"])
        signing = try keyring.fingerprints(of: "sign@example.org")[0]
        first = try keyring.makeKey("Twin One <twin@example.org>")
        second = try keyring.makeKey("Twin Two <twin@example.org>")
        let stranger = try TestKeyring()
        try stranger.makeKey("Stranger <stranger@example.org>")
        try keyring.gpg(["--import"], input: stranger.gpg(["--export"]).output)
    }

    func subkey(of key: String, _ index: Int = 1) throws -> KeyID {
        try #require(Fingerprint(keyring.fingerprints(of: key)[index])).keyID
    }
}

/// A recipient that must be refused, and the reason.
struct RefusedRecipient: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: RecipientProblem.Reason

    var testDescription: String { text.debugDescription }

    static let all = [
        RefusedRecipient(text: "nobody@example.org", reason: .unknown),
        RefusedRecipient(text: "0xDEADBEEF", reason: .unknown),
        RefusedRecipient(text: "DEADBEEFDEADBEEF!", reason: .unknown),
        RefusedRecipient(text: "no:body 100%25 % \u{7}", reason: .unknown),
        RefusedRecipient(text: "old@example.org", reason: .expired(1_500_086_400)),
        RefusedRecipient(text: "gone@example.org", reason: .revoked),
        RefusedRecipient(text: "off@example.org", reason: .disabled),
        RefusedRecipient(text: "sign@example.org", reason: .cannotEncrypt),
        RefusedRecipient(text: "stranger@example.org", reason: .notTrusted),
    ]
}

@Suite struct RecipientTests {
    static let keys = RecipientKeys.shared
    static let secret = SecretBytes("x")

    let context = try! Context(keys.keyring.options)

    func failure(_ recipients: [[UInt8]]) -> EncryptionFailure? {
        thrown { () throws(EncryptionFailure) in _ = try context.encrypt(Self.secret, to: recipients) }
    }

    @Test(arguments: RefusedRecipient.all)
    func refuses(_ recipient: RefusedRecipient) {
        let text = [UInt8](recipient.text)
        let problem = RecipientProblem(text, recipient.reason)
        #expect(failure([[UInt8](Self.keys.alice), text])?.recipients == [problem])
        #expect(failure([text])?.recipients == [problem])
    }

    @Test(arguments: RefusedRecipient.all.filter { $0.reason != .notTrusted })
    func tellsWhyThereIsNoSubkey(_ recipient: RefusedRecipient) {
        let text = [UInt8](recipient.text)
        let error = thrown { () throws(RecipientProblem) in _ = try context.encryptionSubkeys(for: text) }
        #expect(error == RecipientProblem(text, recipient.reason))
    }

    @Test func namesEveryRecipientThatIsRefused() {
        let texts = RefusedRecipient.all.map { [UInt8]($0.text) }
        let problems = zip(texts, RefusedRecipient.all).map { RecipientProblem($0, $1.reason) }
        #expect(failure([[UInt8](Self.keys.bob)] + texts)?.recipients == problems)
    }

    @Test(arguments: ["", " ", "\t \t", "a\nb", "\n", "alice@example.org\n--file\nx", "alice\0bob", "\0"])
    func refusesWhatIsNoRecipient(_ text: String) {
        let problem = RecipientProblem([UInt8](text), .notARecipient)
        let expected = EncryptionFailure(GPGMEError(.encrypt, .invalidValue), recipients: [problem])
        #expect(failure([[UInt8](Self.keys.alice), [UInt8](text)]) == expected)
        let error = thrown { () throws(RecipientProblem) in
            _ = try context.encryptionSubkeys(for: [UInt8](text))
        }
        #expect(error == problem)
    }

    @Test func refusesAnEmptyList() {
        #expect(failure([]) == EncryptionFailure(GPGMEError(.encrypt, .missingKey)))
    }

    /// With `gpgme_op_encrypt_ext` alone the key in the file would be used, though nobody trusts it.
    @Test(arguments: [
        "--file", "--no-file", "--hidden", "--no-hidden", "--", "-", "-r", "--output=x",
        "--trust-model=always",
    ])
    func takesNoRecipientForAnOption(_ text: String) throws {
        let stranger = try TestKeyring()
        try stranger.makeKey("Stranger Two <stranger.two@example.org>")
        let path = stranger.home + "/key.gpg"
        try stranger.gpg(["--output", path, "--export"])
        let found = failure([[UInt8](Self.keys.alice), [UInt8](text), [UInt8](path)])
        #expect(
            found?.recipients == [
                RecipientProblem([UInt8](text), .unknown), RecipientProblem([UInt8](path), .unknown),
            ]
        )
        let behindAnother = failure([[UInt8]("--"), [UInt8]("--file"), [UInt8](path)])
        #expect(behindAnother?.recipients.count == 3)
    }

    @Test(arguments: [
        "alice@example.org", " alice@example.org\t", "<alice@example.org>", "Alice",
        "=Alice <alice@example.org>",
    ])
    func takesUserIDs(_ text: String) throws {
        let message = try context.encrypt(Self.secret, to: [[UInt8](text)])
        let expected = try Self.keys.subkey(of: Self.keys.alice)
        #expect(try MessagePackets.recipients(of: message.span) == [expected])
        #expect(try context.encryptionSubkeys(for: [UInt8](text)).map(\.keyID) == [expected])
    }

    @Test func takesFingerprintsAndKeyIDs() throws {
        let digits = Self.keys.alice
        let lower = digits.lowercased()
        for text in [digits, lower, "0x" + digits, String(digits.suffix(16)), String(digits.suffix(8))] {
            let message = try context.encrypt(Self.secret, to: [[UInt8](text)])
            let expected = try Self.keys.subkey(of: digits)
            #expect(try MessagePackets.recipients(of: message.span) == [expected], "\(text)")
            #expect(try context.encryptionSubkeys(for: [UInt8](text)).map(\.keyID) == [expected], "\(text)")
        }
    }

    @Test func reportsATextThatFitsSeveralKeys() throws {
        let keys = try [Self.keys.first, Self.keys.second].map { try #require(Fingerprint($0)) }
        for text in ["twin@example.org", "Twin"] {
            let error = thrown { () throws(RecipientProblem) in
                _ = try context.encryptionSubkeys(for: [UInt8](text))
            }
            guard case .ambiguous(let found) = error?.reason else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            #expect(Set(found) == Set(keys))
        }
    }

    @Test func anAmbiguousTextIsNoReasonForARefusalOfAnother() {
        let found = failure([[UInt8]("twin@example.org"), [UInt8]("nobody@example.org")])
        #expect(found?.recipients == [RecipientProblem([UInt8]("nobody@example.org"), .unknown)])
    }
}
