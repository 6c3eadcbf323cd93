// swift-format-ignore-file: NeverForceUnwrap
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import Unix

/// What keys make of a line, without a terminal: the editor is given bytes, and asked what it shows.
@Suite struct LineEditorTests {
    /// A typed line, whether it was ended, and what a screen of so many columns shows in the end.
    private struct Outcome: Equatable {
        var text: String
        var event: LineEditor.Event
        var screen = ""
    }

    private static let settings: termios = {
        var settings = termios()
        settings.c_iflag = tcflag_t(ICRNL | IXON | IUTF8)
        settings.c_lflag = tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            for (index, byte) in [
                (VINTR, 3), (VQUIT, 0x1C), (VSUSP, 0x1A), (VERASE, 0x7F), (VKILL, 0x15), (VEOF, 4),
                (VWERASE, 0x17),
                (VLNEXT, 0x16), (VREPRINT, 0x12), (VSTART, 0x11), (VSTOP, 0x13),
            ] as [(Int32, UInt8)] {
                characters[Int(index)] = byte
            }
        }
        return settings
    }()

    /// Types `keys` one after the other, and draws after each, or only in the end.
    private func type(
        _ keys: String,
        _ style: LineEditor.Style = .edited,
        start: Int = 0,
        columns: Int = 80,
        drawing: Bool = true,
        change: (inout TerminalCharacters) -> Void = { _ in }
    ) -> Outcome {
        var characters = TerminalCharacters(Self.settings)
        change(&characters)
        let glyphs = Glyphs(isUTF8: characters.isUTF8)
        var editor = LineEditor(style, characters, glyphs, start: start, columns: columns)
        var screen = Screen(column: start)
        var event = LineEditor.Event.nothing
        for byte in keys.utf8 where event == .nothing {
            event = editor.take(byte)
            if drawing {
                editor.display.redraw(editor.line)
                screen.show(text(editor.display.takeOutput()))
                #expect(screen.column < columns, "nothing goes beyond the last column")
            }
        }
        editor.display.redraw(editor.line)
        screen.show(text(editor.display.takeOutput()))
        return Outcome(text: text(editor.finish()), event: event, screen: screen.text)
    }

    private func text(_ secret: SecretBytes) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    /// What a terminal of one row makes of text and backspaces.
    private struct Screen {
        private var cells: [String] = []
        private(set) var column: Int
        private let start: Int

        init(column: Int) {
            self.column = column
            start = column
            cells = Array(repeating: "", count: column)
        }

        var text: String {
            var text = cells.dropFirst(start).joined()
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }

        mutating func show(_ output: String) {
            let locale = TextLocale(characters: "C.UTF-8", order: "C")
            for scalar in output.unicodeScalars {
                if scalar == "\u{8}" {
                    column -= 1
                    precondition(column >= 0)
                    continue
                }
                if scalar == "\n" {
                    (cells, column) = ([], 0)
                    continue
                }
                if scalar == "\t" {
                    column = (column / 8 + 1) * 8
                    continue
                }
                let width = locale.width(of: scalar.value)!
                while cells.count < column + max(1, width) { cells.append(" ") }
                if width == 0 {
                    // A mark belongs to the cell before the cursor; behind a wide character that is its second half.
                    let cell = cells[column - 1].isEmpty ? column - 2 : column - 1
                    cells[cell].unicodeScalars.append(scalar)
                    continue
                }
                cells[column] = String(scalar)
                if width == 2 { cells[column + 1] = "" }
                column += width
            }
        }
    }

    private static let left = "\u{1B}[D"
    private static let right = "\u{1B}[C"

    static let edits: [(keys: String, line: String)] = [
        ("ab\(left)c", "acb"), ("ab\u{1B}ODc", "acb"), ("ab\(left)\(left)\(left)x\(right)y", "xayb"),
        ("ab\u{1B}[Hx", "xab"), ("ab\u{1B}OHx\u{1B}OFy", "xaby"), ("ab\u{1B}[1~x\u{1B}[4~y", "xaby"),
        ("ab\u{1B}[7~x\u{1B}[8~y", "xaby"), ("abc\u{1B}[H\u{1B}[3~", "bc"), ("abc\u{1}\u{4}\u{4}", "c"),
        ("abc\u{1}x\u{5}y", "xabcy"), ("abc\u{2}\u{2}x\u{6}y", "axbyc"), ("abc\u{2}\u{B}", "ab"),
        ("abc\u{2}\u{15}", "c"), ("one two  \u{17}x", "one x"), ("one two\u{2}\u{17}", "one o"),
        ("abc\u{7F}\u{8}", "a"), ("abc\u{4}", "abc"), ("\u{7F}\u{7F}a", "a"), ("a\tb", "a\tb"),
        ("one two three\u{1B}b\u{1B}bx\u{1B}fy", "one xtwoy three"), ("one two\u{1B}[1;5Dx", "one xtwo"),
        ("one two\u{1B}\u{7F}x", "one x"), ("a\u{16}\u{3}b\u{16}\u{1B}c", "a\u{3}b\u{1B}c"),
        // Keys that mean nothing here leave no byte behind.
        ("a\u{1B}[A\u{1B}[Bb", "ab"), ("a\u{1B}[15~\u{1B}[[A\u{1B}OPb", "ab"), ("a\u{1B}[1;2Pb", "ab"),
        ("a\u{1B}[<0;12;34Mb", "ab"), ("a\u{1B}]0;title\u{7}b", "ab"), ("a\u{1B}P1$r q\u{1B}\\b", "ab"),
        ("a\u{1B}xb", "ab"), ("a\u{1B}\u{1B}[Db", "ba"), ("a\u{7}\u{E}\u{10}\u{14}\u{19}b", "ab"),
        ("a\u{1B}[\(String(repeating: "1;", count: 500))~b", "ab"), ("a\u{13}\u{11}b", "ab"),
        ("a\u{1B}[201~b", "ab"),
        // Whole characters: two bytes, four, a base with its mark, and a wide one.
        ("aé\u{7F}b", "ab"), ("a😀\u{7F}b", "ab"), ("ae\u{301}\u{7F}b", "ab"), ("日本\(left)x", "日x本"),
        ("e\u{301}x\u{1}\(right)y", "e\u{301}yx"), ("e\u{301}x\u{1}\u{4}", "x"), ("é\u{1}x", "xé"),
    ]

    @Test(arguments: edits) func keysEditALine(_ keys: String, _ line: String) {
        for columns in [80, 12, 3, 2, 1] {
            let outcome = type(keys + "\r", columns: columns)
            #expect(outcome.event == .complete && outcome.text == line, "\(columns) columns: \(outcome)")
        }
        // The line is seen as it is.
        let shown = type(keys, start: 20)
        let expected = line.replacing("\t", with: "^I").replacing("\u{3}", with: "^C")
            .replacing("\u{1B}", with: "^[")
        #expect(shown.screen == expected)
        #expect(type(keys, start: 20, drawing: false).screen == expected, "drawn at once")
    }

    /// Random keys against a plain model, drawn after each key and only in the end, in rows of all widths.
    @Test func anyKeysEditALine() {
        var random = SeededGenerator(seed: 13)
        let pieces = ["a", "b", " ", "é", "日", "😀", "x\u{301}"]
        for _ in 0..<400 {
            var (before, behind) = ([String](), [String]())
            var keys = ""
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                switch Int.random(in: 0..<12, using: &random) {
                case 0..<6:
                    let piece = pieces.randomElement(using: &random)!
                    before.append(piece)
                    keys += piece
                case 6:
                    if let last = before.popLast() { behind.insert(last, at: 0) }
                    keys += Self.left
                case 7:
                    if !behind.isEmpty { before.append(behind.removeFirst()) }
                    keys += Self.right
                case 8:
                    _ = before.popLast()
                    keys += "\u{7F}"
                case 9:
                    if !behind.isEmpty { behind.removeFirst() }
                    keys += "\u{1B}[3~"
                case 10:
                    (before, behind) = ([], before + behind)
                    keys += "\u{1}"
                default:
                    (before, behind) = (before + behind, [])
                    keys += "\u{5}"
                }
            }
            let line = (before + behind).joined()
            let columns = Int.random(in: 4...40, using: &random)
            let start = Int.random(in: 0..<2 * columns, using: &random)
            let narrow = type(keys, start: start % columns, columns: columns)
            #expect(narrow.text == line, "\(keys.debugDescription)")
            #expect(
                line.contains(narrow.screen) || narrow.screen.isEmpty,
                "\(keys.debugDescription) \(columns)"
            )
            let wide = type(keys, columns: 200)
            var seen = line
            while seen.hasSuffix(" ") { seen.removeLast() }
            #expect(wide.screen == seen, "\(keys.debugDescription)")
        }
    }

    @Test func theCharactersAreThoseOfTheTerminal() {
        let outcome = type("ab#c d%e@") { characters in
            characters.erase = UInt8(ascii: "#")
            characters.wordErase = UInt8(ascii: "%")
            characters.kill = UInt8(ascii: "@")
        }
        #expect(outcome.text == "")
        let hidden = type("ab#c d%e\n", .hidden) { characters in
            characters.erase = UInt8(ascii: "#")
            characters.wordErase = UInt8(ascii: "%")
            characters.interrupt = nil
        }
        #expect(hidden == Outcome(text: "ac e", event: .complete))
        #expect(type("a!b", .hidden) { $0.interrupt = UInt8(ascii: "!") }.event == .signal(SIGINT))
        #expect(type("a\u{3}\n", .hidden) { $0.interrupt = nil }.text == "a\u{3}")
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT), ("\u{1A}", SIGTSTP)])
    func charactersRaiseSignals(_ key: String, _ signal: Int32) {
        for style in [LineEditor.Style.hidden, .edited, .lines] {
            #expect(type("ab" + key, style).event == .signal(signal))
            // Even in the middle of a sequence.
            #expect(type("a\u{1B}[1" + key, style).event == .signal(signal))
            #expect(type("ab\u{16}" + key + "\u{4}\u{4}", style).text.hasSuffix(key))
        }
        #expect(type("a\u{1B}]text" + key).event == .signal(signal))
    }

    @Test(arguments: [
        ("hunter2\r", "hunter2"), ("a\u{7F}b\n", "b"), ("abc\u{15}d\n", "d"), ("a b\u{17}c\n", "a c"),
        ("é😀\u{7F}\n", "é"), ("a\u{1}\u{1B}[Db\n", "a\u{1}\u{1B}[Db"), ("\n", ""),
    ])
    func aHiddenLineHasTheTerminalsOwnCharacters(_ keys: String, _ line: String) {
        #expect(type(keys, .hidden) == Outcome(text: line, event: .complete, screen: ""))
    }

    @Test func theEndOfInputEndsALineAtOnceOrTheSecondTime() {
        #expect(type("\u{4}", .hidden) == Outcome(text: "", event: .endOfInput))
        #expect(type("ab\u{4}", .hidden) == Outcome(text: "ab", event: .nothing))
        #expect(type("ab\u{4}\u{4}", .hidden) == Outcome(text: "ab", event: .endOfInput))
        #expect(type("ab\u{4}\u{7F}c\n", .hidden) == Outcome(text: "abc", event: .complete))
        #expect(type("\u{4}").event == .endOfInput)
        #expect(type("ab\u{4}\u{4}").event == .nothing)
    }

    @Test(arguments: [
        ("one\rtwo\r\u{4}", "one\ntwo\n"), ("one\n\ntwo\u{4}\u{4}", "one\n\ntwo"), ("\u{4}", ""),
        ("one\ntwx\u{7F}o\n\u{7F}\u{4}", "one\ntwo\n"), ("one\nab\u{15}c\n\u{4}", "one\nc\n"),
        ("a\tb\u{7F}\u{7F}c\n\u{4}", "ac\n"), ("\u{1B}[D\u{1}\n\u{4}", "\u{1B}[D\u{1}\n"),
        ("a\u{16}\u{4}b\n\u{4}", "a\u{4}b\n"),
    ])
    func linesGoUpToTheEndOfInput(_ keys: String, _ text: String) {
        let outcome = type(keys, .lines, columns: 1000)
        #expect(outcome.event == .endOfInput && outcome.text == text, "\(outcome)")
    }

    /// Pasted bytes are taken as they are; terminals make a carriage return of a line end.
    @Test(arguments: [
        ("a b\t\u{1}\u{3}\u{7F}\u{15}c", "a b\t\u{1}\u{3}\u{7F}\u{15}c"), ("one\rtwo", "one\ntwo"),
        ("one\r", "one"), ("one\r\n\r\n", "one"), ("\u{1B}[D\u{1B}[20", "\u{1B}[D\u{1B}[20"),
        ("\u{1B}\u{1B}[201", "\u{1B}\u{1B}[201"), ("日本é", "日本é"), ("", ""),
    ])
    func aPastedTextIsTakenAsItIs(_ text: String, _ line: String) {
        let outcome = type("\u{1B}[200~" + text + "\u{1B}[201~\r")
        #expect(outcome.event == .complete && outcome.text == line, "\(outcome)")
        #expect(type("x\(Self.left)\u{1B}[200~\(text)\u{1B}[201~\r").text.hasSuffix("x"))
    }

    @Test func bytesThatAreNotUTF8AreCharacters() {
        var editor = LineEditor(
            .edited,
            TerminalCharacters(Self.settings),
            Glyphs(isUTF8: true),
            start: 0,
            columns: 80
        )
        for byte in [0xC3, 0x61, 0xFF, 0x80, 0x7F, 0x62, 0xF0, 0x9F, 0x7F, 0x7F, 0x0D] as [UInt8] {
            _ = editor.take(byte)
        }
        let line = editor.finish()
        #expect(line.isEqual(to: SecretBytes(copying: ([0xC3, 0x61, 0xFF, 0x62] as [UInt8]).span)))
        #expect(type("é\u{7F}\r") { $0.isUTF8 = false }.text == "\u{FFFD}")
    }

    /// Halves of characters, overlong ones, surrogates and marks without a base: the cursor goes over them and back.
    @Test func anyBytesAreKept() {
        var random = SeededGenerator(seed: 14)
        let pieces: [[UInt8]] = [
            [0xC3], [0xA9], [0xC3, 0xA9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF5],
            [0xFF],
            [0xCC, 0x81], [0xE2, 0x80, 0x8D], [0xC2, 0x9B], [0x61], [0x20], [0xF0, 0x9F, 0x98, 0x80],
        ]
        for isUTF8 in [true, false] {
            for _ in 0..<200 {
                let line = (0..<Int.random(in: 1...20, using: &random)).flatMap { _ in
                    pieces.randomElement(using: &random)!
                }
                var characters = TerminalCharacters(Self.settings)
                characters.isUTF8 = isUTF8
                let columns = Int.random(in: 1...30, using: &random)
                var editor = LineEditor(
                    .edited,
                    characters,
                    Glyphs(isUTF8: isUTF8),
                    start: 0,
                    columns: columns
                )
                let steps = Int.random(in: 0...20, using: &random)
                let moves =
                    Array(String(repeating: Self.left, count: steps).utf8)
                    + Array(String(repeating: Self.right, count: steps).utf8)
                for byte in line + moves {
                    _ = editor.take(byte)
                    editor.display.redraw(editor.line)
                }
                #expect(editor.finish().isEqual(to: SecretBytes(copying: line.span)), "\(line)")
            }
        }
    }

    /// A long paste takes no longer for each byte than a short one: whatever it consists of.
    @Test(arguments: ["a", "日", "e\u{301}", "\u{301}", "\u{1}", "\r"]) func aLongPasteIsTakenWhole(
        _ piece: String
    ) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let outcome = type("\u{1B}[200~" + text + "x\u{1B}[201~\r", start: 5, drawing: false)
        #expect(outcome.event == .complete)
        #expect(Array(outcome.text.utf8) == Array((text.replacing("\r", with: "\n") + "x").utf8))
    }

    @Test func theFlagsOfTheTerminalSayWhatEndsALine() {
        #expect(type("a\rb\n", .hidden) { $0.mapsReturn = false }.text == "a\rb")
        #expect(type("a\rb\n", .hidden) { $0.ignoresReturn = true }.text == "ab")
        #expect(type("a\nb\r", .hidden) { $0.mapsNewline = true }.text == "a\rb")
    }
}
