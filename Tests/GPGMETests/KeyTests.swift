// swift-format-ignore-file: NeverUseForceTry
import GPGME
import TestSupport
import Testing

@Suite struct KeyTests {
    static let keys = RecipientKeys.shared

    let context = try! Context(keys.keyring.options)

    @Test func tellsTheFactsOfAKey() throws {
        let key = try #require(context.keys(matching: [[UInt8]("alice@example.org")]).first)
        let fingerprints = try Self.keys.keyring.fingerprints(of: Self.keys.alice)
        #expect(key.fingerprint.digits == Self.keys.alice)
        #expect(key.userIDs.map(\.text) == [[UInt8]("Alice <alice@example.org>")])
        #expect(key.userIDs.map(\.address) == [[UInt8]("alice@example.org")])
        #expect(key.validity == .ultimate)
        #expect(key.subkeys.map { $0.fingerprint?.digits } == fingerprints)
        #expect(key.subkeys.map(\.keyID.description) == fingerprints.map { String($0.suffix(16)) })
        #expect(key.subkeys.map(\.canSign) == [true, false])
        #expect(key.subkeys.map(\.canEncrypt) == [false, true])
        #expect(key.subkeys.allSatisfy { $0.expires == nil && $0.created > 1_700_000_000 })
        #expect(!key.isRevoked && !key.isExpired && !key.isDisabled && !key.isInvalid)
    }

    @Test func tellsWhatSpeaksAgainstAKey() throws {
        let texts = ["old@example.org", "gone@example.org", "off@example.org"].map { [UInt8]($0) }
        let keys = try texts.map { try #require(context.keys(matching: [$0]).first) }
        #expect(keys.map(\.isExpired) == [true, false, false])
        #expect(keys.map(\.isRevoked) == [false, true, false])
        #expect(keys.map(\.isDisabled) == [false, false, true])
        #expect(keys[0].subkeys.map(\.expires) == [1_500_086_400, 1_500_086_400])
        #expect(keys[0].subkeys.map(\.created) == [1_500_000_000, 1_500_000_000])
    }

    @Test func findsEachKeyOnce() throws {
        let patterns = ["alice@example.org", Self.keys.alice, "bob@example.org", "nobody@example.org"]
        let found = try context.keys(matching: patterns.map { [UInt8]($0) })
        #expect(Set(found.map(\.fingerprint.digits)) == [Self.keys.alice, Self.keys.bob])
        #expect(found.count == 2)
    }

    @Test(arguments: ["", " ", "a\nb", "nobody@example.org", "--list-config"])
    func findsNothing(_ pattern: String) throws {
        #expect(try context.keys(matching: [[UInt8](pattern)]).isEmpty)
    }

    @Test func knowsWhichSecretKeysAreHere() throws {
        let texts = ["alice@example.org", "stranger@example.org"].map { [UInt8]($0) }
        #expect(try context.keys(matching: texts).count == 2)
        #expect(try context.secretKeys(matching: texts).map(\.fingerprint.digits) == [Self.keys.alice])
    }

    @Test func aFingerprintIsWholeOrNothing() {
        let digits = Self.keys.alice
        #expect(Fingerprint(digits.lowercased()) == Fingerprint(digits))
        for text in [
            "", String(digits.dropFirst()), String(digits.dropLast()), digits + "0",
            "0x" + digits.dropLast(2),
        ] {
            #expect(Fingerprint(text) == nil)
        }
        let long = String(repeating: "0123456789ABCDEF", count: 4)
        #expect(Fingerprint(long)?.keyID.description == "0123456789ABCDEF")
        #expect(Fingerprint(digits)?.keyID.description == String(digits.suffix(16)))
    }
}
