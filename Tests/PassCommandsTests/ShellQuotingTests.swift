import TestSupport
import Testing
import Unix

@testable import PassCommands

@Suite struct ShellQuotingTests {
    let utf8 = TextLocale(characters: "C.UTF-8", order: "C")

    private func quoted(_ name: String, _ locale: TextLocale) -> String {
        String(decoding: ShellQuoting(locale: locale).quoted(Array(name.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("a b", "'a b'"), ("", "''"), ("it's", #""it's""#), ("it's \"x\"", #"'it'\''s "x"'"#),
        ("n\nl", #"'n'$'\n''l'"#), ("\n", #"''$'\n'"#), ("a\u{1B}\u{7F}", #"'a'$'\033\177'"#),
        ("\n'", #"''$'\n'\'''"#), ("\u{E9}", "'\u{E9}'"), ("$x", "'$x'"),
    ])
    func quotesForAShell(_ name: String, _ expected: String) { #expect(quoted(name, utf8) == expected) }

    @Test func whatHasAQuoteAndEndsWithAnEscapeIsStillOneWord() {
        // coreutils 9.1 leaves the first two quotes out here, and a shell would read another name.
        #expect(quoted("\t'\n", utf8) == #"''$'\t'\'''$'\n'"#)
    }

    @Test func whatTheLocaleCannotPrintIsEscaped() {
        #expect(quoted("\u{E9}x", .posix) == #"''$'\303\251''x'"#)
        let latin = ShellQuoting(locale: utf8).quoted([0x61, 0xE9, 0x62])
        #expect(String(decoding: latin, as: UTF8.self) == #"'a'$'\351''b'"#)
    }
}

/// The same against the real tools.
@Suite(.enabled(if: Programs.areInstalled("mkdir", "rm", "mv", "cp"), "needs GNU coreutils"))
struct ShellQuotingConformanceTests {
    let scratch = TestFolder()

    /// Every byte by itself, beside a letter, and beside a quote; and some thousand names by chance.
    static let names: [[UInt8]] = {
        var names: [[UInt8]] = []
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") && byte != UInt8(ascii: ".") {
            names += [[byte], [0x61, byte, 0x62], [byte, 0x27], [0x27, byte], [byte, byte, 0x61]]
        }
        let pieces: [[UInt8]] =
            [
                "'", "'", "a", "Z", "0", " ", "\n", "\t", "\u{1B}", "\u{E9}", "\u{1F511}", "{", "}", "#", "~",
                "?", "!", "$",
            ]
            .map { Array($0.utf8) } + [[0xE9], [0xE2, 0x82], [0x5C], [0x22], [0x25], [0x40], [0x2C]]
        // A fixed row of numbers: the same names each time.
        var state: UInt64 = 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<3_000 { names.append((0...next(6)).flatMap { _ in pieces[next(pieces.count)] }) }
        return Array(Set(names)).sorted { $0.lexicographicallyPrecedes($1) }
    }()

    @Test(arguments: ["C.UTF-8", "C"]) func quotesAsMkdirAndRmDo(_ localeName: String) throws {
        let quoting = ShellQuoting(locale: TextLocale(characters: localeName, order: "C"))
        let variables = ["LC_ALL": localeName]
        for start in stride(from: 0, to: Self.names.count, by: 500) {
            let some = Self.names[start..<min(start + 500, Self.names.count)]
            // Of a name with a quote in it that ends with an escape coreutils 9.1 quotes the start wrongly.
            let names = some.filter { name in
                !name.contains(0x27) || quoting.locale.characters(of: name).last?.isPrintable == true
            }
            let words = [Array("-v".utf8), Array("--".utf8)] + names
            let made = try Programs.output(of: "mkdir", words, variables, in: scratch.path)
            let removed = try Programs.output(
                of: "rm",
                [Array("-r".utf8)] + words,
                variables,
                in: scratch.path
            )
            // A name has its newlines quoted, and so each has a line.
            let lines = names.map(quoting.quoted)
            #expect(firstDifference(made, lines.map { Array("mkdir: created directory ".utf8) + $0 }) == nil)
            #expect(firstDifference(removed, lines.map { Array("removed directory ".utf8) + $0 }) == nil)
        }
    }

    private func firstDifference(_ theirs: [UInt8], _ ours: [[UInt8]]) -> String? {
        let theirs = theirs.split(separator: 0x0A).map(Array.init)
        guard theirs != ours else { return nil }
        for (our, their) in zip(ours, theirs) where our != their {
            return "\(String(decoding: our, as: UTF8.self)) is not \(String(decoding: their, as: UTF8.self))"
        }
        return "\(ours.count) lines are not \(theirs.count)"
    }

    @Test func quotesAsCpAndMvDo() throws {
        let quoting = ShellQuoting(locale: TextLocale(characters: "C.UTF-8", order: "C"))
        for name in ["it's", "n\nl", "plain", "q'\"", "\u{E9}'"] {
            let old = scratch.path.bytes + Array("/\(name)".utf8)
            let (copy, moved) = (old + [0x31], old + [0x32])
            scratch.file(Path(name))
            let variables = ["LC_ALL": "C.UTF-8"]
            let arrow = Array(" -> ".utf8)
            let copied = try Programs.output(of: "cp", [Array("-v".utf8), old, copy], variables)
            #expect(copied == quoting.quoted(old) + arrow + quoting.quoted(copy) + [0x0A])
            let renamed = try Programs.output(of: "mv", [Array("-v".utf8), old, moved], variables)
            #expect(
                renamed == Array("renamed ".utf8) + quoting.quoted(old) + arrow + quoting.quoted(moved) + [
                    0x0A
                ]
            )
        }
    }
}
