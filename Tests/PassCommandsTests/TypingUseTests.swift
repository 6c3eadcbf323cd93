import Foundation
import TestSupport
import Testing
import Unix

/// Typing to the tool on a terminal of its own: long lines, keys, signals.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: Machine.hasExpect, "expect is missing")
)
struct TypingUseTests {
    private let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    private static let converse = ToolFixture.fixtures.appending(path: "bin/converse").path

    /// Runs a command on a terminal and types each answer after its prompt; the output is what the screen shows.
    private func converse(
        _ dialogue: [String],
        _ command: String...,
        with variables: [String: String] = [:]
    ) throws -> ToolFixture.Outcome {
        var environment = tool.environment
        environment["TERM"] = Array("xterm".utf8)
        for (name, value) in variables { environment[name] = Array(value.utf8) }
        let words = (dialogue + ["--"] + command).map { Array($0.utf8) }
        let outcome = try Subprocess(Path(Self.converse), words, environment: environment).run()
        return .init(
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    /// Runs a script of expect in a shell with job control; `send` types, and `expect` waits and fails after a while.
    private func expect(_ script: String) throws -> ToolFixture.Outcome {
        let start = """
            set timeout 240
            spawn bash --norc --noprofile -i
            expect_after timeout { puts "(never came)"; exit 124 } eof { puts "(ended)"; exit 125 }

            """
        var environment = tool.environment
        environment["TERM"] = Array("xterm".utf8)
        let words = ["-c", start + script].map { Array($0.utf8) }
        let outcome = try Subprocess("/usr/bin/expect", words, environment: environment).run()
        return .init(
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    private static let long = String((0..<12_000).map { "abcdefghijklmnopqrstuvwxyz0123456789"[$0 % 36] })

    @Test(arguments: [4095, 4096, 12_000]) func aTypedLineIsReadWhole(_ length: Int) throws {
        let line = String(Self.long.prefix(length))
        let hidden = try converse(
            ["Enter password for h: ", line, "Retype password for h: ", line],
            "pass",
            "insert",
            "h"
        )
        #expect(hidden.status == 0, "\(hidden)")
        #expect(!hidden.output.contains("abcdefgh"))
        #expect(try tool.contents(of: "h") == line + "\n")
        let shown = try converse(["Enter password for e: ", line], "pass", "insert", "-e", "e")
        #expect(shown.status == 0, "\(shown)")
        #expect(try tool.contents(of: "e") == line + "\n")
        // The end of what the screen shows of a line says that all of it has come.
        let text = ["when finished:\r\n\r\n", line, String(line.suffix(30)) + "\r\n", "two", "two\r\n", "^D"]
        let many = try converse(text, "pass", "insert", "-m", "m")
        #expect(many.status == 0, "\(many)")
        #expect(try tool.contents(of: "m") == line + "\ntwo\n")
    }

    /// Typed ahead, the second line comes while nothing asks for it yet.
    @Test func linesThatAreTypedAheadAreReadWhole() throws {
        let line = String(Self.long.prefix(9000))
        let outcome = try converse(["Enter password for h: ", line + "\r" + line], "pass", "insert", "h")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.output.contains("abcdefgh"))
        #expect(try tool.contents(of: "h") == line + "\n")
    }

    @Test func aLongPasteIsReadWhole() throws {
        let text = String(repeating: Self.long, count: 9)
        let paste = "\u{1B}[200~" + text + "\u{1B}[201~"
        let outcome = try converse(["Enter password for x: ", paste], "pass", "insert", "-e", "x")
        #expect(outcome.status == 0, "\(outcome.status)")
        #expect(try tool.contents(of: "x") == text + "\n")
    }

    @Test func aDumbTerminalGetsNoSequences() throws {
        let outcome = try converse(
            ["Enter password for x: ", "ab\u{2}c"],
            "pass",
            "insert",
            "-e",
            "x",
            with: ["TERM": "dumb"]
        )
        #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}"), "\(outcome)")
        #expect(try tool.contents(of: "x") == "acb\n")
    }

    /// Below Emacs, or behind `stty -echo`, what is typed shows by other means or not at all.
    @Test(arguments: ["insert -e x", "insert -m x"]) func nothingShowsWhereTheTerminalDoesNotEcho(
        _ words: String
    ) throws {
        let prompt = words.contains("-m") ? "when finished:\r\n\r\n" : "Enter password for x: "
        let end = words.contains("-m") ? "\r\u{4}" : ""
        let command = "stty -echo; pass \(words); status=$?; echo end; exit $status"
        let outcome = try converse([prompt, "secret" + end], "sh", "-c", "cd \(tool.folder); \(command)")
        #expect(outcome.status == 0 && !outcome.output.contains("secret"), "\(outcome)")
        #expect(try tool.contents(of: "x") == "secret\n")
    }

    @Test func aTerminalMayChangeItsWidth() throws {
        let outcome = try expect(
            """
            set terminal $spawn_out(slave,name)
            exec stty columns 80 < $terminal
            send "PS1='rea''dy> '\r"
            expect "ready> "
            send "\(tool.folder)/bin/pass insert -e x\r"
            expect "Enter password for x: "
            send "abcdefgh"
            expect "abcdefgh"
            exec stty columns 26 < $terminal
            send "i"
            expect "Enter password for x: "
            expect "i"
            exec stty columns 200 < $terminal
            send "\u{1B}\\[Dj"
            expect "Enter password for x: "
            expect "abcdefgh"
            send "\r"
            expect "ready> "
            send "exit\r"
            expect eof { exit 0 }
            """
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try tool.contents(of: "x") == "abcdefghji\n")
    }

    /// The terminal is the shell's then, which has it as it wants it.
    @Test(arguments: ["TERM", "HUP", "INT"]) func aStoppedCommandCanBeEnded(_ signal: String) throws {
        let outcome = try expect(
            """
            send "bind 'set enable-bracketed-paste off'; PS1='rea''dy> '; stty -g > \(tool.folder)/before\r"
            expect "ready> "
            send "\(tool.folder)/bin/pass insert -e x\r"
            expect "Enter password for x: "
            send "ab"
            expect "ab"
            send "\\032"
            expect "Stopped"
            expect "ready> "
            send "kill -\(signal) %1; kill -CONT %1; wait %1; echo status \\$?\r"
            expect -re {status (129|130|143)}
            expect "ready> "
            send "stty -g > \(tool.folder)/after; cmp \(tool.folder)/before \(tool.folder)/after && echo sa''me\r"
            expect "same"
            send "exit\r"
            expect eof { exit 0 }
            """
        )
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test(arguments: [["insert"], ["insert", "-e"], ["insert", "-m"]])
    func moreThanAnEntryMayHoldIsRefused(_ words: [String]) throws {
        let prompt =
            words.count == 2 && words[1] == "-m" ? "when finished:\r\n\r\n" : "Enter password for x: "
        let end = words.last == "-m" ? ["allowed text\r\n", "^D"] : []
        let outcome = try converse(
            [prompt, String(Self.long.prefix(6000)) + (end.isEmpty ? "" : "\rallowed text")] + end,
            "pass",
            words[0],
            words.count > 1 ? words[1] : "--",
            "x",
            with: ["PASSCHAIN_SIZE_LIMIT": "5000"]
        )
        #expect(outcome.status == 1 && outcome.output.contains("PASSCHAIN_SIZE_LIMIT allows"), "\(outcome)")
        #expect(try tool.run("show", "x").status == 1)
    }

    @Test(arguments: [
        ("ab\u{1B}[Dc", "acb"), ("ab\u{1B}[Hc", "cab"), ("abc\u{1}\u{1B}[3~", "bc"),
        ("one two\u{17}x", "one x"),
        ("ab\u{7F}\u{7F}c", "c"), ("x\u{15}yz", "yz"), ("aé\u{7F}b", "ab"), ("a\u{1B}[Ab", "ab"),
        ("\u{1B}[200~a\u{3}b\u{1B}[201~", "a\u{3}b"),
    ])
    func keysEditAShownLine(_ keys: String, _ line: String) throws {
        let outcome = try converse(["Enter password for x: ", keys], "pass", "insert", "-e", "x")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try tool.contents(of: "x") == line + "\n")
    }

    @Test func keysEditAKeyURIAndItsSecret() throws {
        let uri = "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP"
        let keys = uri.dropLast() + "X\u{7F}\u{1B}[D\u{6}" + uri.suffix(1)
        let outcome = try converse(
            ["Enter otpauth:// URI for x: ", String(keys)],
            "pass",
            "otp",
            "insert",
            "-e",
            "x"
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try tool.contents(of: "x") == uri + "\n")
    }

    private static let nonblocking =
        "use Fcntl; fcntl(STDIN, F_SETFL, fcntl(STDIN, F_GETFL, 0) | O_NONBLOCK) or die; exec @ARGV"

    @Test func aTerminalMayNotBlock() throws {
        let prompts = ["Enter password for x: ", "one", "Retype password for x: ", "one"]
        let hidden = try converse(prompts, "perl", "-e", Self.nonblocking, "pass", "insert", "x")
        #expect(hidden.status == 0, "\(hidden)")
        let question = ["Overwrite it? [y/N] ", "y", "Enter password for x: ", "ab\u{1B}[Dc"]
        let shown = try converse(question, "perl", "-e", Self.nonblocking, "pass", "insert", "-e", "x")
        #expect(shown.status == 0, "\(shown)")
        #expect(try tool.contents(of: "x") == "acb\n")
    }

    /// The terminal's settings, before and after, as the last lines of what it shows.
    private func settings(around command: String, _ dialogue: [String]) throws -> (Bool, ToolFixture.Outcome)
    {
        let line =
            "trap : INT QUIT; stty -g > before; \(command); echo status $?; stty -g > after; cmp before after && echo same"
        let outcome = try converse(dialogue, "sh", "-c", "cd \(tool.folder); " + line)
        return (outcome.output.contains("same\r\n"), outcome)
    }

    @Test(arguments: ["insert x", "insert -e x", "insert -m x", "otp validate"])
    func anInterruptEndsItAndPutsTheTerminalBack(_ words: String) throws {
        let prompt =
            words.contains("-m") ? "when finished:\r\n\r\n" : words.hasPrefix("otp") ? "URI: " : "for x: "
        let (isSame, outcome) = try settings(around: "pass \(words)", [prompt, "ab\u{3}"])
        #expect(isSame && outcome.output.contains("status 130"), "\(outcome)")
        let (isSameAfterQuit, quit) = try settings(around: "pass \(words)", [prompt, "ab\u{1C}"])
        #expect(isSameAfterQuit && quit.output.contains("status 131"), "\(quit)")
        #expect(try tool.run("show", "x").status == 1)
    }

    @Test(arguments: ["insert x", "insert -e x", "insert -m x"]) func theUsualEndPutsTheTerminalBack(
        _ words: String
    ) throws {
        let prompt = words.contains("-m") ? "when finished:\r\n\r\n" : "for x: "
        let (isSame, outcome) = try settings(around: "pass \(words)", [prompt, "^D"])
        #expect(isSame, "\(outcome)")
    }

    /// Stopped by a key or by a signal, the shell has its terminal; continued, the line goes on where it was.
    @Test(arguments: [
        (#"send "\032""#, "insert -e x", "acb"),
        (#"exec kill -STOP [exec pgrep -f "pass insert -e x$"]"#, "insert -e x", "acb"),
        (#"exec kill -TSTP [exec pgrep -f "pass insert -e x$"]"#, "insert -e x", "acb"),
        (#"send "\032""#, "insert x", "abc"),
    ])
    func aStoppedCommandGoesOnWhereItWas(_ stop: String, _ words: String, _ line: String) throws {
        let isShown = words.contains("-e")
        let stopping = stop.replacing("pass insert -e x$", with: "\(tool.folder)/bin/pass insert -e x$")
        let outcome = try expect(
            """
            send "bind 'set enable-bracketed-paste off'; PS1='rea''dy> '; stty -g > \(tool.folder)/before\\r"
            expect "ready> "
            send "\(tool.folder)/bin/pass \(words)\\r"
            expect "Enter password for x: "
            send "ab"
            \(isShown ? #"expect "ab""# : "")
            \(stopping)
            expect "Stopped"
            expect "ready> "
            send "stty -a\\r"
            expect -re {[^-]icanon}
            expect -re {[^-]echo }
            expect "ready> "
            send "fg\\r"
            expect "Enter password for x: \(isShown ? "ab" : "")"
            send "\(isShown ? "\\033\\[Dc" : "c")\\r"
            \(isShown ? "" : #"expect "Retype password for x: "; send "abc\r""#)
            expect "ready> "
            send "exit\\r"
            expect eof { exit 0 }
            """
        )
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try tool.contents(of: "x") == line + "\n")
    }
}

extension String {
    fileprivate subscript(place: Int) -> Character { self[index(startIndex, offsetBy: place)] }
}
