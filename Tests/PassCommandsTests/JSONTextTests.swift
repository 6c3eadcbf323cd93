import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import PassCommands

@Suite struct JSONTextTests {
    /// The text of one string.
    private func text(_ bytes: [UInt8]) -> String {
        var json = JSONText()
        json.string(bytes.span)
        return json.finish().withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    private func isValid(_ bytes: [UInt8]) -> Bool { JSONText.isValid(bytes.span) }

    private func parsed(_ text: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        return try #require(value as? String)
    }

    @Test(arguments: [
        ("", #""""#), ("a b", #""a b""#), (#"a"\/"#, #""a\"\\/""#),
        ("\n\r\t\u{0}\u{1F}\u{7F}", #""\n\r\t\u0000\u001f\u007f""#),
        ("é ☕ 👍", #""é ☕ 👍""#), ("\u{202E}\u{9B}\u{2028}\u{FEFF}", #""\u202e\u009b\u2028\ufeff""#),
    ])
    func escapesWhatJSONAndTerminalsNeed(_ string: String, _ expected: String) {
        #expect(text(Array(string.utf8)) == expected + "\n")
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x61, 0x80],
            [0xF0, 0x9F, 0x91],
        ] as [[UInt8]]
    )
    func replacesWhatIsNotUTF8(_ bytes: [UInt8]) throws {
        #expect(!isValid(bytes))
        #expect(try parsed(text(bytes)).contains("\u{FFFD}"))
    }

    @Test func everyCharacterComesBack() throws {
        for start in stride(from: UInt32(0), through: 0x10_FFFF, by: 0x400) {
            let scalars = (start..<start + 0x400).compactMap(Unicode.Scalar.init)
            let bytes = Array(String(String.UnicodeScalarView(scalars)).utf8)
            #expect(isValid(bytes))
            #expect(try Array(parsed(text(bytes)).utf8) == bytes)
        }
    }

    @Test func randomBytesMakeParsableText() throws {
        var generator = SeededGenerator.forTest()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                let range: ClosedRange<UInt8> = Bool.random(using: &generator) ? 0...255 : 0xE0...0xF4
                return UInt8.random(in: range, using: &generator)
            }
            let string = try parsed(text(bytes))
            let isText = String(validating: bytes, as: UTF8.self) != nil
            #expect(isValid(bytes) == isText, "\(bytes), \(generator)")
            if isText { #expect(Array(string.utf8) == bytes, "\(bytes), \(generator)") }
        }
    }
}
