// swift-format-ignore-file: NeverUseForceTry
import GPGME
import TestSupport
import Testing

/// Several texts that are looked up by one gpg; each asked for alone is the judge.
@Suite struct PlainRecipientTests {
    private static let keyring = try! TestKeyring()
    private static let alice = try! keyring.makeKey("Alice <alice@example.org>")
    /// Her address has Alice's within, and gpg alone would find both for that.
    private static let malice = try! keyring.makeKey("Malice <Malice@example.org>")
    private static let expired = try! keyring.makeKey(
        "Old <old@example.org>",
        at: 1_500_000_000,
        expires: "seconds=86400"
    )

    private let context: Context
    private let subkey: String

    init() throws {
        (context, subkey) = (
            try Context(Self.keyring.options), try Self.keyring.fingerprints(of: Self.alice)[1]
        )
        _ = (Self.malice, Self.expired)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func findsWhatEachAloneFinds() throws {
        let ids = [Self.alice, subkey].flatMap { [$0, String($0.suffix(16)), String($0.suffix(8))] }
        let addresses = [
            "alice@example.org", "malice@example.org", "MALICE@example.ORG", "old@example.org", "l@e",
            "<alice@example.org>", "<MALICE@example.org>", "@example.org", "alice@",
        ]
        let texts = addresses + ids + ids.map { "0x" + $0.lowercased() } + [" alice@example.org\t"]
        let found = try context.keys(fittingEach: (texts + ["nobody@example.org"]).map(bytes))
        for text in texts {
            let pattern = text.trimmingPrefix(" ").prefix { $0 != "\t" }
            let isBare = pattern.contains("@") && !pattern.hasPrefix("<")
            let alone = try context.keys(matching: [bytes(isBare ? "<\(pattern)>" : String(pattern))])
            #expect(found[bytes(text)] ?? [] == alone, "\(text)")
        }
        #expect(found[bytes("alice@example.org")]?.map(\.fingerprint.digits) == [Self.alice])
        #expect(found[bytes("l@e")] == nil && found[bytes("@example.org")] == nil)
        #expect(found[bytes("malice@example.org")]?.map(\.fingerprint.digits) == [Self.malice])
        // With the mark it is the same key; which subkey is meant is told later.
        let marked = [subkey + "!", Self.malice].map(bytes)
        #expect(try context.keys(fittingEach: marked)[marked[0]]?.map(\.fingerprint.digits) == [Self.alice])
    }

    /// Those are looked up alone.
    @Test func leavesOutWhatOnlyGPGCanTell() throws {
        let texts = [
            "Alice", "=Alice <alice@example.org>", "*lice@example.org", "alice@exämple.org",
            "nobody@example.org",
            "0123456789ABCDEF", "", "0X" + Self.alice, "0X\(Self.alice.suffix(8))", "0X" + subkey + "!",
        ]
        let found = try context.keys(fittingEach: ([Self.alice] + texts).map(bytes))
        #expect(found.map { String(decoding: $0.key, as: UTF8.self) } == [Self.alice])
        #expect(try context.keys(fittingEach: []).isEmpty)
    }

    @Test func theSubkeysAreTheSame() throws {
        let texts = ["malice@example.org", Self.alice, subkey + "!"].map(bytes)
        let found = try context.keys(fittingEach: texts)
        #expect(found.count == 3)
        for text in texts {
            let alone = try context.encryptionSubkeys(for: text)
            #expect(try context.encryptionSubkeys(for: text, found: found) == alone)
        }
        for text in ["lice@example.org", "old@example.org"].map(bytes) {
            let found = try context.keys(fittingEach: [text, texts[0]])
            let alone = thrown { () throws(RecipientProblem) in _ = try context.encryptionSubkeys(for: text) }
            let together = thrown { () throws(RecipientProblem) in
                _ = try context.encryptionSubkeys(for: text, found: found)
            }
            #expect(alone != nil && alone == together)
        }
    }
}
