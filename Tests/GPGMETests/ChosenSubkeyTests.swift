// swift-format-ignore-file: NeverUseForceTry
import Glibc
import GPGME
import SecretMemory
import TestSupport
import Testing

/// Which subkeys a message is encrypted to; gpg itself is the judge.
@Suite(.serialized) struct ChosenSubkeyTests {
    static let keyring = try! TestKeyring()

    let context = try! Context(keyring.options)

    /// Adds a subkey made `age` seconds ago.
    static func addSubkey(_ key: String, _ algorithm: String, age: Int, _ usage: String = "encr") throws
        -> String
    {
        let before = Set(try keyring.fingerprints(of: key))
        let time = Int(Glibc.time(nil)) - age
        try keyring.gpg([
            "--faked-system-time", String(time), "--passphrase", "", "--pinentry-mode", "loopback",
            "--quick-add-key", key, algorithm, usage, "never",
        ])
        return try #require(keyring.fingerprints(of: key).first { !before.contains($0) })
    }

    /// What gpg chose, and what is said that it chooses.
    func expectAgreement(_ text: String, groups: [[UInt8]: [[UInt8]]] = [:]) throws -> Set<KeyID> {
        let message = try context.encrypt(SecretBytes("x"), to: [[UInt8](text)])
        let chosen = try Set(MessagePackets.recipients(of: message.span))
        #expect(try Set(context.encryptionSubkeys(for: [UInt8](text), groups: groups).map(\.keyID)) == chosen)
        return chosen
    }

    @Test func newestSubkeyOrTheOneThatIsNamed() throws {
        let now = Int(Glibc.time(nil))
        let key = try Self.keyring.makeKey("Many <many@example.org>", at: now - 1000)
        let older = try Self.keyring.fingerprints(of: key)[1]
        let newest = try Self.addSubkey(key, "cv25519", age: 300)
        _ = try Self.addSubkey(key, "ed25519", age: 100, "sign")
        let ids = try [older, newest].map { try #require(Fingerprint($0)).keyID }

        #expect(try expectAgreement("many@example.org") == [ids[1]])
        #expect(try expectAgreement(key) == [ids[1]])
        #expect(try expectAgreement(older) == [ids[1]])
        #expect(try expectAgreement(older + "!") == [ids[0]])
        #expect(try expectAgreement("0x" + older.lowercased() + "!") == [ids[0]])
        #expect(try expectAgreement("\(ids[0])!") == [ids[0]])
        #expect(try expectAgreement("\(older.suffix(8))!") == [ids[0]])

        // gpg knows no such prefix.
        let capital = "0X" + older + "!"
        let unknown = thrown { () throws(RecipientProblem) in
            _ = try context.encryptionSubkeys(for: [UInt8](capital))
        }
        #expect(unknown == RecipientProblem([UInt8](capital), .unknown))
        #expect(throws: EncryptionFailure.self) {
            _ = try context.encrypt(SecretBytes("x"), to: [[UInt8](capital)])
        }

        let both = [[UInt8](older + "!"), [UInt8](newest + "!")]
        let message = try context.encrypt(SecretBytes("x"), to: both)
        #expect(try Set(MessagePackets.recipients(of: message.span)) == Set(ids))

        let primary = thrown { () throws(RecipientProblem) in
            _ = try context.encryptionSubkeys(for: [UInt8](key + "!"))
        }
        #expect(primary?.reason == .cannotEncrypt)
        #expect(throws: EncryptionFailure.self) {
            _ = try context.encrypt(SecretBytes("x"), to: [[UInt8](key + "!")])
        }
    }

    @Test func noSubkeyThatIsExpiredRevokedOrFromTheFuture() throws {
        let now = Int(Glibc.time(nil))
        let key = try Self.keyring.makeKey("Changing <changing@example.org>", at: now - 10_000)
        let good = try #require(Fingerprint(Self.keyring.fingerprints(of: key)[1])).keyID
        let expired = try Self.addSubkey(key, "cv25519", age: 900)
        try Self.keyring.gpg([
            "--faked-system-time", String(now - 800), "--passphrase", "", "--pinentry-mode", "loopback",
            "--quick-set-expire", key, "seconds=60", expired,
        ])
        #expect(try expectAgreement(key) == [good])
        let revoked = try Self.addSubkey(key, "cv25519", age: 700)
        let index = try #require(Self.keyring.fingerprints(of: key).firstIndex(of: revoked))
        try Self.keyring.gpg(
            ["--command-fd", "0", "--edit-key", key],
            input: [UInt8]("key \(index)\nrevkey\ny\n0\n\ny\nsave\n")
        )
        #expect(try expectAgreement(key) == [good])
        _ = try Self.addSubkey(key, "cv25519", age: -100_000)
        #expect(try expectAgreement(key) == [good])

        let named = [(expired, RecipientProblem.Reason.expired(Int64(now - 740))), (revoked, .revoked)]
        for (subkey, reason) in named {
            let error = thrown { () throws(RecipientProblem) in
                _ = try context.encryptionSubkeys(for: [UInt8](subkey + "!"))
            }
            #expect(error?.reason == reason)
            #expect(throws: EncryptionFailure.self) {
                _ = try context.encrypt(SecretBytes("x"), to: [[UInt8](subkey + "!")])
            }
        }
    }

    @Test func aPrimaryKeyThatEncrypts() throws {
        try Self.keyring.gpg([
            "--passphrase", "", "--pinentry-mode", "loopback",
            "--quick-gen-key", "Single <single@example.org>", "rsa2048", "cert,sign,encr", "never",
        ])
        let key = try Self.keyring.fingerprints(of: "single@example.org")[0]
        let id = try #require(Fingerprint(key)).keyID
        #expect(try expectAgreement("single@example.org") == [id])
        #expect(try expectAgreement(key + "!") == [id])
    }

    @Test func theOneOfTwoKeysThatIsNotExpired() throws {
        let key = try Self.keyring.makeKey("New <renewed@example.org>")
        try Self.keyring.makeKey("Old <renewed@example.org>", at: 1_500_000_000, expires: "seconds=86400")
        let id = try #require(Fingerprint(Self.keyring.fingerprints(of: key)[1])).keyID
        for text in ["renewed@example.org", "<renewed@example.org>", "renewed"] {
            #expect(try expectAgreement(text) == [id])
        }
    }

    /// gpg 2.2 takes the first of the keyring for an address in angle brackets, and for a part of a name.
    @Test(arguments: [true, false])
    func theCertifiedOneOfTwoKeysThatShareAnAddress(isFirst: Bool) throws {
        let keyring = try TestKeyring()
        let stranger = try TestKeyring()
        try stranger.makeKey("Shared too <shared@example.org>")
        let exported = try stranger.gpg(["--export"]).output
        if !isFirst { try keyring.gpg(["--import"], input: exported) }
        let good = try keyring.makeKey("Shared <shared@example.org>")
        if isFirst { try keyring.gpg(["--import"], input: exported) }
        let id = try #require(Fingerprint(keyring.fingerprints(of: good)[1])).keyID
        let context = try Context(keyring.options)
        var refusals = 0
        for text in ["shared@example.org", "<shared@example.org>", "shared"].map({ [UInt8]($0) }) {
            #expect(try context.encryptionSubkeys(for: text).map(\.keyID) == [id])
            do {
                let message = try context.encrypt(SecretBytes("x"), to: [text])
                #expect(try MessagePackets.recipients(of: message.span) == [id])
            } catch let failure as EncryptionFailure {
                refusals += 1
                guard case .ambiguous(let keys) = failure.recipients.first?.reason else { throw failure }
                #expect(keys.count == 2)
            }
        }
        #expect(refusals == (isFirst ? 0 : 3))
    }
}

@Suite struct GroupTests {
    static let keyring = try! TestKeyring()
    static let alice = try! keyring.makeKey("Alice <alice@example.org>")
    static let bob = try! keyring.makeKey("Bob <bob@example.org>")

    /// Written once: gpg may be reading it for another test.
    static let configuration: Void = try! keyring.write(
        """
        group team = \(alice) bob@example.org
        group  my team=alice@example.org
        group co:lon = nobody@example.org
        group half = alice@example.org nobody@example.org
        encrypt-to \(bob)
        """,
        to: "gpg.conf"
    )

    init() { Self.configuration }

    @Test func readsTheGroupsOfTheConfiguration() throws {
        let groups = try Context(Self.keyring.options).groups()
        #expect(groups.count == 4)
        #expect(
            groups[[UInt8]("team")].map(Set.init) == [[UInt8](Self.alice), [UInt8]("bob@example.org")]
        )
        #expect(groups[[UInt8]("my team")] == [[UInt8]("alice@example.org")])
        #expect(groups[[UInt8]("co:lon")] == [[UInt8]("nobody@example.org")])
    }

    @Test func aGroupStandsForItsMembersAndNobodyElse() throws {
        let context = try Context(Self.keyring.options)
        let groups = try context.groups()
        for (text, members) in [("team", [Self.alice, Self.bob]), ("my team", [Self.alice])] {
            let expected = try members.map {
                try #require(Fingerprint(Self.keyring.fingerprints(of: $0)[1])).keyID
            }
            let message = try context.encrypt(SecretBytes("x"), to: [[UInt8](text)])
            #expect(try Set(MessagePackets.recipients(of: message.span)) == Set(expected))
            let subkeys = try context.encryptionSubkeys(for: [UInt8](text), groups: groups)
            #expect(Set(subkeys.map(\.keyID)) == Set(expected))
        }
    }

    @Test func namesTheMemberThatCannotBeUsed() throws {
        let context = try Context(Self.keyring.options)
        let failure = thrown { () throws(EncryptionFailure) in
            _ = try context.encrypt(SecretBytes("x"), to: [[UInt8](Self.alice), [UInt8]("half")])
        }
        #expect(failure?.recipients == [RecipientProblem([UInt8]("nobody@example.org"), .unknown)])
    }

    @Test func thereAreNoneWithoutAConfiguration() throws {
        let empty = try TestKeyring()
        #expect(try Context(empty.options).groups().isEmpty)
    }
}
