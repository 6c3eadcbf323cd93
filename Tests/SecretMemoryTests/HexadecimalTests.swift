import Testing

@testable import SecretMemory

/// Digits written and read, and blanks left out, as every room does it.
@Suite struct HexadecimalTests {
    private func text(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: Array(digits), as: UTF8.self)
    }

    @Test func aNumberHasAllItsDigits() {
        #expect(text(UInt8(0x0A).hexadecimal) == "0a")
        #expect(text(UInt8(0xF0).capitalHexadecimal) == "F0")
        #expect(text(UInt16(0xD83D).hexadecimal) == "d83d")
        #expect(text(UInt64(0x0123_4567_89AB_CDEF).capitalHexadecimal) == "0123456789ABCDEF")
        #expect(text(UInt64.zero.hexadecimal) == "0000000000000000")
    }

    @Test func everyByteComesBackFromItsDigits() {
        for byte in UInt8.min...UInt8.max {
            let percentEncoded = byte.percentEncoded
            let escaped = Array("\\x".utf8) + byte.hexadecimal
            #expect(percentEncoded.span.unescaped() == [byte])
            #expect(escaped.span.unescaped(mark: "\\x") == [byte])
            let isDigit = Array("0123456789ABCDEFabcdef".utf8).contains(byte)
            #expect(byte.isHexDigit == isDigit)
        }
    }

    @Test(arguments: [
        ("%", "%"), ("a%4", "a%4"), ("%4g%41", "%4gA"), ("%+1", "%+1"), ("%%41", "%A"), ("%c3%A9", "é"),
        ("%2525", "%25"),
    ])
    func aMarkWithoutTwoDigitsStandsForItself(_ escaped: String, _ expected: String) {
        let escaped = Array(escaped.utf8)
        #expect(text(escaped.span.unescaped()) == expected)
    }

    @Test func whatLiesBehindTheEndIsNoDigit() {
        let bytes = Array("%414".utf8)
        var index = 0
        #expect(bytes.span.unescapedByte(at: &index, before: 2) == UInt8(ascii: "%"))
        #expect(index == 1)
        index = 0
        #expect(bytes.span.unescapedByte(at: &index, before: 3) == 0x41)
        #expect(index == 3)
    }

    @Test(arguments: [
        ("", ""), (" \t ", ""), ("a", "a"), ("\t a b \t", "a b"), ("a\r", "a\r"), (" \u{A0}", "\u{A0}"),
    ])
    func blanksGoFromBothEnds(_ given: String, _ expected: String) {
        #expect(text(Array(given.utf8).trimmed(where: \.isBlank)) == expected)
    }

    @Test func placesAreTrimmedByWhatIsThere() {
        let bytes = Array("x \r a\r\n".utf8)
        #expect((1..<6).trimmed { bytes[$0].isBlankOrReturn } == 4..<5)
        #expect((1..<4).trimmed { bytes[$0].isBlankOrReturn } == 4..<4)
    }
}
