import GPGME
import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Whom entries are encrypted to, with real keys.
@Suite struct StoreRecipientsTests {
    let fixture = StoreFixture()

    private func check(_ path: Path, _ fingerprints: String...) throws {
        #expect(try fixture.recipients(path) == Set(fingerprints.map(Keys.encryptionKey)))
    }

    @Test func theNearestListCounts() throws {
        try fixture.initialize(Keys.alice)
        try fixture.initialize(Keys.bob, in: "b")
        try fixture.insert("x")
        try fixture.insert("b/x")
        try fixture.insert("b/c/x")
        try check("x.gpg", Keys.alice)
        try check("b/x.gpg", Keys.bob)
        try check("b/c/x.gpg", Keys.bob)
    }

    @Test func aListWithoutFinalNewlineCountsWhole() throws {
        try fixture.write("\(Keys.alice)\n\(Keys.bob)", to: ".gpg-id")
        try fixture.insert("x")
        try check("x.gpg", Keys.alice, Keys.bob)
    }

    @Test func anEmptyListIsNotPassedOver() throws {
        try fixture.initialize(Keys.alice)
        try fixture.write("# nobody\n", to: "s/.gpg-id")
        #expect(throws: StoreError.recipientList("s/.gpg-id", .empty)) { try fixture.insert("s/x") }
        #expect(try fixture.paths() == [".gpg-id", "s", "s/.gpg-id"])
    }

    @Test(arguments: ["--file\nkey.asc", "A\n<<<<<<< x\n", "-"]) func aBadListStopsTheWrite(_ list: String)
        throws
    {
        try fixture.write(list, to: ".gpg-id")
        let error = #expect(throws: StoreError.self) { try fixture.insert("x") }
        guard case .recipientList(".gpg-id", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aListThatIsNoFileIsRefusedAtOnce() throws {
        let outside = TestFolder()
        try fixture.initialize(Keys.alice)
        fixture.folder.folder("p")
        #expect(mkfifo(fixture.folder.cPath("p/.gpg-id"), 0o600) == 0)
        #expect(throws: StoreError.recipientList("p/.gpg-id", .notAFile)) { try fixture.insert("p/x") }
        outside.file("list")
        fixture.folder.link("l/.gpg-id", to: outside.path.appending("list"))
        #expect(throws: StoreError.self) { try fixture.insert("l/x") }
        fixture.folder.link("d/.gpg-id", to: "/dev/zero")
        #expect(throws: StoreError.self) { try fixture.insert("d/x") }
    }

    @Test func aRecipientFromTheKeyringsConfigurationIsNotAdded() async throws {
        // `encrypt-to` in gpg.conf.
        let ring = try TestKeyring()
        let (own, other) = (try ring.makeKey("O <o@example.org>"), try ring.makeKey("P <p@example.org>"))
        try ring.write("encrypt-to \(other)\n", to: "gpg.conf")
        fixture.variables["GNUPGHOME"] = ring.home
        try fixture.initialize(own)
        try fixture.insert("x")
        #expect(try fixture.recipients("x.gpg").count == 1)
    }

    @Test func groupsOfTheKeyringCount() throws {
        let ring = try TestKeyring()
        let (own, other) = (try ring.makeKey("O <o@example.org>"), try ring.makeKey("P <p@example.org>"))
        try ring.write("group team = \(own) \(other)\n", to: "gpg.conf")
        fixture.variables["GNUPGHOME"] = ring.home
        try fixture.initialize("team")
        try fixture.insert("x")
        #expect(try fixture.recipients("x.gpg").count == 2)
        #expect(try fixture.initialize("team").reencryptions.isEmpty)
    }

    @Test func subkeysByNameAreBothUsedAndSettle() throws {
        // Two encryption subkeys, and one that was revoked.
        let ring = try TestKeyring()
        let key = try ring.makeKey("S <s@example.org>")
        for _ in 0..<2 {
            try ring.gpg(["--passphrase", "", "--quick-add-key", key, "cv25519", "encr", "never"])
        }
        let subkeys = try ring.fingerprints(of: key).dropFirst().map { String($0.suffix(16)) }
        fixture.variables["GNUPGHOME"] = ring.home
        try fixture.initialize("\(subkeys[0])!", "\(subkeys[1])!")
        try fixture.insert("x")
        #expect(try fixture.recipients("x.gpg") == [subkeys[0], subkeys[1]])
        #expect(try fixture.initialize("\(subkeys[0])!", "\(subkeys[1])!").reencryptions.isEmpty)
    }

    @Test func anExpiredRecipientStopsTheWriteAndIsNamed() throws {
        let ring = try TestKeyring()
        let own = try ring.makeKey("O <o@example.org>")
        let expired = try ring.makeKey("E <e@example.org>", at: 1_500_000_000, expires: "seconds=86400")
        fixture.variables["GNUPGHOME"] = ring.home
        try fixture.initialize(own)
        try fixture.insert("x", "old")
        let before = try fixture.everything()
        #expect(throws: StoreError.self) { try fixture.initialize(own, expired) }
        #expect(try fixture.everything() == before)
        try fixture.write("\(own)\n\(expired)\n", to: ".gpg-id")
        let error = #expect(throws: StoreError.self) { try fixture.insert("x", "new") }
        guard case .encryption(_, let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.recipients.map(\.recipient) == [Array(expired.utf8)])
        #expect(try fixture.read("x") == "old")
    }

    @Test func severalAddressesAreLookedUpByOneGPG() throws {
        let gpg = FalseGPG()
        // Whose addresses follow.
        _ = (Keys.alice, Keys.bob)
        fixture.variables = try gpg.variables("exec /usr/bin/gpg \"$@\"", fixture.variables)
        try fixture.initialize("alice@example.org", "bob@example.org", Keys.carol)
        try fixture.insert("x")
        #expect(try fixture.recipients("x.gpg").count == 3)
        let lookUps = try gpg.starts.filter { $0.contains("--list-keys") }
        #expect(
            lookUps.count == 2 && lookUps.allSatisfy { $0.contains("<alice@example.org> <bob@example.org>") }
        )
    }

    @Test func whatCanMeanOneKeyOnlyIsNotLookedUp() throws {
        let gpg = FalseGPG()
        fixture.variables = try gpg.variables("exec /usr/bin/gpg \"$@\"", fixture.variables)
        let key = Keys.alice
        let subkey = try Keys.encryptionKey(key)
        let ids = [
            (key, 0), ("0x" + key.lowercased(), 0), (" \(key.suffix(16))", 0), (subkey + "!", 0),
            (String(key.suffix(8)), 1), ("0x\(subkey.suffix(8))!", 1), ("alice@example.org", 1),
        ]
        for (id, count) in ids {
            try fixture.write("\(id)\n", to: ".gpg-id")
            let before = try gpg.starts.count
            try fixture.insert("x")
            let starts = try gpg.starts.dropFirst(before)
            #expect(starts.count { $0.contains("--list-keys") } == count, "\(id)")
            #expect(try fixture.recipients("x.gpg") == [subkey], "\(id)")
        }
    }

    /// gpg is at work already when that shows.
    @Test(.timeLimit(.minutes(10))) func anEncryptionToAnAmbiguousIdIsEnded() throws {
        let ring = try TestKeyring()
        try ring.makeKey("One <same@example.org>")
        try ring.makeKey("Two <same@example.org>")
        fixture.variables["GNUPGHOME"] = ring.home
        let gpg = FalseGPG()
        fixture.variables = try gpg.variables(
            "case \"$*\" in *--encrypt*) exec sleep 600;; esac; exec /usr/bin/gpg \"$@\"",
            fixture.variables
        )
        try fixture.write("same@example.org\n", to: ".gpg-id")
        let error = #expect(throws: StoreError.self) { try fixture.insert("x") }
        guard case .unusableRecipient(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.recipient == Array("same@example.org".utf8))
        #expect(try fixture.paths() == [".gpg-id"])
    }

    @Test func aShortIdThatFitsTwoKeysIsRefused() throws {
        // A part of a mail address that two keys have.
        let ring = try TestKeyring()
        try ring.makeKey("One <same@example.org>")
        try ring.makeKey("Two <same@example.org>")
        fixture.variables["GNUPGHOME"] = ring.home
        try fixture.write("same@example.org\n", to: ".gpg-id")
        let error = #expect(throws: StoreError.self) { try fixture.insert("x") }
        guard case .unusableRecipient(let problem) = error, case .ambiguous(let keys) = problem.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(keys.count == 2)
        #expect(try fixture.paths() == [".gpg-id"])
    }
}

/// Lists that have to be signed.
@Suite struct StoreSignatureTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture(["PASSWORD_STORE_SIGNING_KEY": Keys.alice])
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "old")
    }

    private func fails(_ fault: StoreError.SignatureFault, _ path: Path = ".gpg-id", _ name: String = "x") {
        #expect(throws: StoreError.signature(path, fault)) { try fixture.insert(name, "new") }
    }

    @Test func aListAndItsSignatureAreWrittenTogether() throws {
        #expect(try fixture.paths() == [".gpg-id", ".gpg-id.sig", "x.gpg"])
        #expect(try fixture.read("x") == "old")
        try fixture.initialize(Keys.alice, Keys.bob)
        try fixture.insert("x", "new")
        #expect(try fixture.read("x") == "new")
        #expect(try fixture.recipients("x.gpg").count == 2)
    }

    @Test func lowerCaseAndSeveralKeysCount() throws {
        for keys in ["\(Keys.bob) \(Keys.alice.lowercased())", Keys.alice.lowercased()] {
            fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = keys
            try fixture.insert("x", keys)
            #expect(try fixture.read("x") == keys)
        }
        fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = Keys.bob.lowercased()
        fails(.invalid)
        #expect(try fixture.read("x") == Keys.alice.lowercased())
    }

    @Test func aChangedListIsRefused() throws {
        try fixture.write("\(Keys.alice)\n\n", to: ".gpg-id")
        fails(.invalid)
        #expect(try fixture.read("x") == "old")
    }

    @Test func aSignatureByAnotherKeyIsRefused() throws {
        let list = try fixture.ciphertext(".gpg-id")
        try fixture.write(
            Keys.ring.gpg(["-u", Keys.bob, "--detach-sign"], input: list).output,
            to: ".gpg-id.sig"
        )
        fails(.invalid)
        for part in [Keys.bob.suffix(16), Keys.bob.prefix(39)] {
            fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = String(part)
            #expect(throws: StoreError.self) { try fixture.insert("x", "new") }
        }
    }

    @Test func aSignedMessageInPlaceOfTheSignatureIsRefused() throws {
        // GPGME calls this a success, with no signature at all.
        let list = try fixture.ciphertext(".gpg-id")
        try fixture.write(Keys.ring.gpg(["-u", Keys.alice, "--sign"], input: list).output, to: ".gpg-id.sig")
        fails(.invalid)
    }

    @Test func aMissingOrOddSignatureIsRefused() throws {
        let good = try fixture.ciphertext(".gpg-id.sig")
        try fixture.write([], to: ".gpg-id.sig")
        fails(.invalid)
        #expect(unlink(fixture.folder.cPath(".gpg-id.sig")) == 0)
        fails(.missing)
        try fixture.write(good, to: "real.sig")
        fixture.folder.link(".gpg-id.sig", to: "real.sig")
        fails(.missing)
        #expect(unlink(fixture.folder.cPath(".gpg-id.sig")) == 0)
        fixture.folder.folder(".gpg-id.sig")
        fails(.missing)
    }

    @Test func anUnsignedListOfAFolderStopsThatFolderAlone() throws {
        try fixture.write("\(Keys.bob)\n", to: "s/.gpg-id")
        fails(.missing, "s/.gpg-id", "s/y")
        try fixture.insert("y")
    }

    @Test func aListThatCannotBeSignedIsNotWritten() throws {
        let before = try fixture.everything()
        fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = Keys.carol
        #expect(throws: StoreError.self) { try fixture.initialize(Keys.bob) }
        #expect(try fixture.everything() == before)
    }

    @Test func readingAsksForNoSignature() throws {
        try fixture.write("tampered", to: ".gpg-id")
        #expect(try fixture.read("x") == "old")
    }
}
