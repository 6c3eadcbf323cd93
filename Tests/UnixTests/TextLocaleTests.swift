import Testing

@testable import Unix

@Suite struct TextLocaleTests {
    private func text(_ bytes: [UInt8], _ locale: TextLocale) -> String {
        locale.characters(of: bytes).map { "\($0.range.count)\($0.isPrintable ? "+" : "-")" }.joined()
    }

    @Test func knowsTheEncoding() {
        #expect(TextLocale(characters: "C.UTF-8", order: "C").codeset == "UTF-8")
        #expect(TextLocale.posix.codeset == "ANSI_X3.4-1968")
    }

    @Test func anUnknownLocaleCountsAsC() {
        let locale = TextLocale(characters: "xx_YY.nothing", order: "xx_YY.nothing")
        #expect(locale.codeset == "ANSI_X3.4-1968")
        #expect(locale.ordersByBytes)
    }

    @Test func tellsCharactersApart() {
        let utf8 = TextLocale(characters: "C.UTF-8", order: "C")
        #expect(text([0x61, 0xC3, 0xA9, 0x0A, 0xE9, 0xE2, 0x82], utf8) == "1+2+1-1-1-1-")
        #expect(text(Array("\u{1F511}\u{200B}".utf8), utf8).hasPrefix("4+"))
        #expect(text([0x61, 0xC3, 0xA9, 0x7F, 0x00], .posix) == "1+1-1-1-1-")
        #expect(text([], utf8) == "")
    }

    @Test(arguments: [
        (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], "UTF-8"),
        (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], "UTF-8"),
        (["LANG": "C.UTF-8"], "UTF-8"),
        (["LC_CTYPE": "C", "LANG": "C.UTF-8"], "ANSI_X3.4-1968"),
        ([:], "ANSI_X3.4-1968"),
    ])
    func theFirstVariableThatIsSetCounts(_ variables: [String: String], _ codeset: String) {
        #expect(TextLocale(environment: Environment(variables)).codeset == codeset)
    }
}
