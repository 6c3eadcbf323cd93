import Testing

@testable import PassCommands

/// What a terminal gets to see of what others made up.
@Suite struct TerminalTextTests {
    private func harmless(_ text: String, _ kept: TerminalText.Kept = []) -> String {
        String(decoding: TerminalText.harmless(Array(text.utf8), keeping: kept), as: UTF8.self)
    }

    @Test(arguments: [
        ("\u{1B}[2J", "\\x1b[2J"), ("a\nb\t", "a\\x0ab\\x09"), ("\u{7F}", "\\x7f"), ("\u{9B}", "\\u{9b}"),
        ("\u{202E}", "\\u{202e}"), ("\u{200B}", "\\u{200b}"), ("\u{AD}", "\\u{ad}"),
        ("\u{180E}", "\\u{180e}"),
        ("\u{FFF9}", "\\u{fff9}"), ("\u{E0041}", "\\u{e0041}"), ("grün 日本", "grün 日本"),
    ])
    func showsWhatATerminalWouldObeyAsEscapes(_ text: String, _ shown: String) {
        #expect(harmless(text) == shown)
    }

    @Test func keepsWhatItIsToldTo() {
        #expect(harmless("a\r\nb\rc\n\td", .lines) == "a\r\nb\\x0dc\n\td")
        #expect(
            harmless("\u{1B}[01;31m\u{1B}[Kx\u{1B}[m\n", .colours) == "\u{1B}[01;31m\u{1B}[Kx\u{1B}[m\\x0a"
        )
        #expect(harmless("\u{1B}[2J\u{1B}", .colours) == "\\x1b[2J\\x1b")
        #expect(TerminalText.harmless([0x61, 0xFF], keeping: .lines) == Array("a\\xff".utf8))
    }

    @Test func theLinesOfAProgramStayLines() {
        let text = Text(output: Array("one\ntwo\u{1B}c\n".utf8))
        #expect(text.bytes(forTerminal: true) == Array("one\ntwo\\x1bc".utf8))
        #expect(text.bytes(forTerminal: false) == Array("one\ntwo\u{1B}c".utf8))
    }
}
