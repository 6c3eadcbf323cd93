import Foundation
import GPGME
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// No id means another key because the one that is meant cannot be used.
@Suite struct ExactRecipientTests {
    /// Why a key cannot be used.
    enum Flaw: CaseIterable { case expired, revoked, disabled, uncertified, missing }

    private let fixture = StoreFixture()
    private let ring: TestKeyring
    private let joann: String

    init() throws {
        ring = try TestKeyring()
        joann = try ring.makeKey("Joann <joann@example.org>")
        fixture.variables["GNUPGHOME"] = ring.home
    }

    private func makeAnn(_ flaw: Flaw?) throws {
        let ann = "Ann <ann@example.org>"
        switch flaw {
        case nil: try ring.makeKey(ann)
        case .missing: break
        case .expired: try ring.makeKey(ann, at: 1_500_000_000, expires: "seconds=86400")
        case .revoked:
            let key = try ring.makeKey(ann)
            let file = URL(filePath: "\(ring.home)/openpgp-revocs.d/\(key).rev")
            let certificate = try String(contentsOf: file, encoding: .utf8)
            let armor = certificate.replacing(":-----BEGIN", with: "-----BEGIN")
            try ring.gpg(["--import"], input: Array(armor.utf8))
        case .disabled:
            let key = try ring.makeKey(ann)
            try ring.gpg([
                "--no-batch", "--no-tty", "--command-fd", "0", "--edit-key", key, "disable", "quit",
            ])
        case .uncertified:
            let stranger = try TestKeyring()
            try stranger.makeKey(ann)
            try ring.gpg(["--import"], input: stranger.gpg(["--export"]).output)
        }
    }

    private func subkey(_ key: String) throws -> String {
        String(try ring.fingerprints(of: key)[1].suffix(16))
    }

    private func isRefused(_ id: String) throws -> Bool {
        try fixture.write("\(id)\n", to: ".gpg-id")
        let before = try fixture.everything()
        do throws(StoreError) {
            _ = try fixture.store.write(StoreFixture.bytes("secret"), to: EntryName("x"), message: [])
        } catch {
            switch error {
            case .unusableRecipient, .encryption: break
            default: Issue.record("\(id): \(error)")
            }
            #expect(try fixture.everything() == before, "\(id)")
            #expect(throws: StoreError.self) { try fixture.initialize(id, in: "new") }
            #expect(try fixture.everything() == before, "\(id)")
            return true
        }
        return false
    }

    @Test(arguments: Flaw.allCases) func aKeyThatCannotBeUsedIsNotReplacedByAnother(_ flaw: Flaw) throws {
        try makeAnn(flaw)
        try ring.write("no-random-seed-file\ngroup team = ann@example.org\n", to: "gpg.conf")
        for id in ["ann@example.org", "ANN@EXAMPLE.ORG", "<ann@example.org>", "team", " ann@example.org"] {
            #expect(try isRefused(id), "\(id), which is \(flaw)")
        }
        guard flaw != .missing else { return }
        // Parts of names and of addresses fit Joann as well.
        for id in ["Ann", "ann", "=Ann <ann@example.org>", "nn@example", "*nn@example", "example.org"] {
            #expect(try isRefused(id), "\(id), which is \(flaw)")
        }
    }

    @Test func anAddressIsTakenAsAWhole() throws {
        try makeAnn(nil)
        try ring.write("no-random-seed-file\ngroup team = ann@example.org \(joann)\n", to: "gpg.conf")
        let (ann, joann) = (try subkey("=Ann <ann@example.org>"), try subkey(joann))
        for (id, keys) in [
            ("ann@example.org", [ann]), ("Ann@Example.Org", [ann]), ("<ann@example.org>", [ann]),
            ("joann@example.org", [joann]), ("team", [ann, joann]), ("ann@example.org\nJoann", [ann, joann]),
            ("ann@example.org\n\(self.joann)", [ann, joann]), ("\(ann)!\n\(self.joann)", [ann, joann]),
            ("\(self.joann)\n\(joann)", [joann]),
        ] {
            try fixture.write("\(id)\n", to: ".gpg-id")
            try fixture.insert("x")
            #expect(try fixture.recipients("x.gpg") == Set(keys), "\(id)")
            #expect(try fixture.initialize(in: "", ids: id).isEmpty, "\(id)")
        }
        for id in ["nn@example.org", "@example.org", "ann@", "ann@example.or"] {
            #expect(try isRefused(id), "\(id)")
        }
    }

    /// A user ID may be no more than an address.
    @Test func anAddressWithoutAName() throws {
        let key = try ring.makeKey("bare@example.org")
        try fixture.initialize("bare@example.org")
        try fixture.insert("x")
        #expect(try fixture.recipients("x.gpg") == [subkey(key)])
    }

    /// A key that was renewed has the address of the old one.
    @Test func anExpiredKeyOfTheSameAddressIsPassedOver() throws {
        try makeAnn(.expired)
        let key = try ring.makeKey("Ann Again <ann@example.org>")
        for id in ["ann@example.org", "<ann@example.org>"] {
            try fixture.initialize(id)
            try fixture.insert("x")
            #expect(try fixture.recipients("x.gpg") == [subkey(key)], "\(id)")
        }
    }

    /// gpg takes the one that comes first in the keyring, and stops when nobody certified it.
    @Test func theCertifiedOneOfTwoKeysIsTaken() throws {
        try makeAnn(.uncertified)
        let key = try ring.makeKey("Ann Certified <ann@example.org>")
        for id in ["ann@example.org", "<ann@example.org>", "Ann C"] {
            try fixture.initialize(id)
            try fixture.insert("x")
            #expect(try fixture.recipients("x.gpg") == [subkey(key)], "\(id)")
        }
    }

    @Test func anAddressThatItsOwnerRevokedIsNone() throws {
        let key = try ring.makeKey("Two <two@example.org>")
        try ring.gpg(["--quick-add-uid", key, "Old <old@example.org>"])
        try ring.gpg(["--quick-revoke-uid", key, "Old <old@example.org>"])
        #expect(try isRefused("old@example.org"))
        #expect(try !isRefused("two@example.org"))
    }
}

extension StoreFixture {
    fileprivate func initialize(in folder: String, ids: String) throws -> [Reencryption] {
        let ids = ids.split(separator: "\n").map { Array($0.utf8) }
        return try store.initialize(EntryName(folder), recipients: ids, messages: (list: [], entries: []))
            .reencryptions
    }
}
