// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Security

@Suite struct ItemFieldsTests {
    private static let identifier = UUID(uuidString: "7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11")!

    private func read(_ text: String, _ itemClass: ItemClass = .genericPassword) throws -> ItemFields {
        try ItemFields(reading: secret(text), of: itemClass)
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { $0.withBytes { bytes in String(decoding: bytes.copy(0..<bytes.count), as: UTF8.self) } }
    }

    private func contents(_ fields: ItemFields, _ itemClass: ItemClass = .genericPassword) -> String? {
        text(fields.contents(of: itemClass))
    }

    @Test func anItemIsWrittenWithTheSecretInLineOne() throws {
        let date = try #require(ItemDate(text: Array("2026-11-29T23:09:00.123456Z".utf8)))
        let attributes = ItemAttributes(
            identifier: Self.identifier,
            values: [
                .created: .date(date), .modified: .date(date), "labl": .text("Example account"),
                "gena": .data([0, 1, 2, 255]), "crtr": .number(42), "icmt": .text(" two\nlines"),
                .accessControl: .access(AccessRule(protection: .whenUnlocked, flags: 1)), "desc": .text(""),
            ]
        )
        let fields = ItemFields(attributes: attributes, secret: secret("hunter2"))
        let expected = """
            hunter2
            keychain-id: 7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11
            keychain-created: 2026-11-29T23:09:00.123456Z
            keychain-modified: 2026-11-29T23:09:00.123456Z
            keychain-label: Example account
            keychain-access-control: ak 1
            keychain-generic;binary:: AAEC/w==
            keychain-description:
            keychain-comment:: IHR3bwpsaW5lcw==
            keychain-creator;integer: 42

            """
        #expect(contents(fields) == expected)
        let again = try read(expected)
        #expect(again.attributes == attributes)
        #expect(text(again.secret) == "hunter2")
        #expect(again.ownLines.isEmpty)
    }

    @Test(arguments: [
        ("hunter2\n", "hunter2"), ("hunter2", "hunter2"), ("hunter2\r\nuser: me\r\n", "hunter2"), ("", ""),
        ("\n", ""), ("\nuser: me\n", ""), (" blanks \n", " blanks "),
        ("-----BEGIN KEY-----\nabc\n-----END KEY-----\n", "-----BEGIN KEY-----\nabc\n-----END KEY-----\n"),
        ("-----BEGINNING\nabc", "-----BEGINNING"),
        ("\nkeychain-data:: AAEC\n", "\0\u{1}\u{2}"), ("changed\nkeychain-data:: AAEC\n", "changed"),
        ("changed\nkeychain-data: none\n", "changed"), ("\nkeychain-data::\n", ""),
    ])
    func theSecretOfAnEntry(_ entry: String, _ expected: String) throws {
        #expect(text(try read(entry).secret) == expected)
    }

    @Test func anItemAddedWithoutASecretHasNone() throws {
        let fields = ItemFields(attributes: ItemAttributes(identifier: Self.identifier), secret: nil)
        #expect(fields.secret == nil)
        #expect(contents(fields)?.hasSuffix("\nkeychain-data: none\n") == true)
        #expect(try read(contents(fields) ?? "").secret == nil)
    }

    @Test(arguments: [
        "plain", "", " leading and trailing ", "Ünïcode 🐘", "two\nlines", "nul\0", "tab\t", "c1\u{9B}31m",
        "carriage\r", "\n", "-----BEGIN one line", "-----BEGIN KEY-----\nabc\n", "keychain-id: x", "none",
        "-----BEGIN KEY-----\nkeychain-id: 7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11\n",
    ])
    func everySecretReadsBack(_ value: String) throws {
        let own = "user: me\n\nkeychain-unknown: kept\nkeychain-label: L\n"
        for start in [
            "old\nkeychain-id: 7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11\n\(own)", "old\n\(own)", "old",
            "-----BEGIN KEY-----\nabc\n", "\nkeychain-data:: AAEC\n",
        ] {
            var fields = try read(start)
            let before = fields
            fields.replaceSecret(with: secret(value))
            let again = try read(contents(fields) ?? "")
            #expect(text(again.secret) == value)
            #expect(again.attributes == before.attributes)
            #expect(text(again.ownLines) == text(before.ownLines))
        }
    }

    @Test func linesOfTheUserAreKeptInTheirOrder() throws {
        let own = "user: me\n\nkeychain-unknown: x\nkeychain-service\nurl: https://example.org\nlast"
        var fields = try read(
            "old\nuser: me\n\nkeychain-unknown: x\nkeychain-label: L\nkeychain-service\n"
                + "url: https://example.org\nlast"
        )
        #expect(text(fields.ownLines) == own)
        fields.attributes.values["icmt"] = .text("c")
        #expect(contents(fields) == "old\n\(own)\nkeychain-label: L\nkeychain-comment: c\n")
    }

    @Test func aFirstLineThatIsNotTextStaysWhereItIs() throws {
        let latin = SecretBytes(copying: ([0x70, 0xE9, 0x0D, 0x0A, 0x75, 0x0A] as [UInt8]).span)
        var fields = try ItemFields(reading: latin, of: .genericPassword)
        fields.attributes.values["labl"] = .text("L")
        let written = fields.contents(of: .genericPassword)
        #expect(written.withBytes { $0.copy(0..<6) } == [0x70, 0xE9, 0x0D, 0x0A, 0x75, 0x0A])
    }

    @Test(arguments: [
        "keychain-created: yesterday", "keychain-label:: %%%", "keychain-label:: QQ",
        "keychain-label;float: 1",
        "keychain-creator;integer: x", "keychain-id: not-a-uuid", "keychain-data: some", "keychain-data:: A",
        "keychain-accessible: zz", "keychain-access-control: ak", "keychain-access-control;binary: ak 1",
        "keychain-id: 00000000-0000-0000-0000-000000000000", "keychain-label: a\nkeychain-label: a",
        "keychain-data: none\nkeychain-data:: QQ==", "keychain-created;integer: 5", "keychain-label:: /w==",
    ])
    func fieldsThatDoNotParseAreAnError(_ field: String) {
        #expect(throws: StatusError(errSecDecode)) { try read("secret\n\(field)\n") }
    }

    @Test func valuesKeepTheirTypes() throws {
        let values: [AttributeCode: AttributeValue] = [
            "acct": .data(Array("alice".utf8)), "svce": .number(7), "labl": .data([]), "gena": .text("g"),
            "type": .text("abcd"), "invi": .number(1), "icmt": .text(":colon"), "desc": .data([0x20, 0x41]),
            "vwht": .text("hint"), "alis": .number(-3),
        ]
        let fields = ItemFields(
            attributes: ItemAttributes(identifier: Self.identifier, values: values),
            secret: nil
        )
        #expect(try read(contents(fields) ?? "").attributes.values == values)
    }

    @Test func secretAttributesOfInternetPasswordsReadBack() throws {
        let notes = SecretBytes(copying: ([0, 1, 2, 10, 255] as [UInt8]).span)
        let attributes = ItemAttributes(identifier: Self.identifier, values: ["binn": .secret(notes)])
        let fields = ItemFields(attributes: attributes, secret: secret("s"))
        #expect(
            try read(contents(fields, .internetPassword) ?? "", .internetPassword).attributes == attributes
        )
    }

    @Test func randomContentsNeverEndTheProcessAndNeverLoseASecret() throws {
        var random = SeededGenerator(seed: 20_261_130)
        let pieces = [
            "keychain-", "id", "label", "data", ":", "::", ";binary", " ", "\n", "\r", "QUJD", "none", "\0",
            "é", "x", "-----BEGIN ",
        ]
        for _ in 0..<Fuzz.rounds {
            let count = Int.random(in: 0...12, using: &random)
            let entry = (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            let value = (0..<Int.random(in: 0...5, using: &random))
                .map { _ in pieces.randomElement(using: &random)! }.joined()
            guard var fields = try? read(entry) else { continue }
            let before = fields
            #expect(
                text(try read(contents(fields) ?? "").secret) == text(before.secret),
                "\(entry.debugDescription)"
            )
            fields.replaceSecret(with: secret(value))
            let again = try read(contents(fields) ?? "")
            #expect(text(again.secret) == value, "\(entry.debugDescription) \(value.debugDescription)")
            #expect(again.attributes == before.attributes, "\(entry.debugDescription)")
        }
    }
}
