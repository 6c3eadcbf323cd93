import Foundation
import Testing

@testable import CommandGrammar
@testable import passchain_docs

/// Real shells on a terminal, a tab key, and names that are hard to quote.
@Suite(.enabled(if: Program.expect.isInstalled, "needs expect"), .timeLimit(.minutes(10)))
struct TypedCompletionTests {
    /// Each begins with its number, so that two digits find it.
    static let nastyNames: [Word] =
        [
            "plain", "two  blanks", "host.example:2299", "dollar $HOME ${x}", "it's", "say \"hi\"",
            "back\\slash",
            "tick `ls`", "semi;and&or|", "(round)<angle>", "star*[a]?", "hash#", "bang!", "bang!ls",
            "caf\u{E9}",
            "\u{65E5}\u{672C} \u{43F}\u{430}\u{440}\u{1F511}", "eq=ual", "user@host", "{brace,d}", "~tilde",
            "100%",
            "caret^", "end\"", "end'", "end\\", "both'\"$", "comma,", "colon:space x", "a:b:c", "$'ansi'",
            "$", "!",
            "dot.", " blanks ", "-", "--", "\\n",
        ].enumerated().map { index, name in Word("\(index + 10)\(name)".utf8) }

    /// The shells that are installed.
    static let shells = TypingShell.Kind.allCases.filter(TypingShell.canType)

    @Test(arguments: shells)
    func aNastyNameBecomesOneWord(_ kind: TypingShell.Kind) throws {
        let shell = try TypingShell(kind, .init(entries: Self.nastyNames))
        let calls = try shell.type(Self.nastyNames.map { Word("passchain show ".utf8) + $0.prefix(2) + [9] })
        expect(calls, Self.nastyNames.map { [Word("show".utf8), $0] })
    }

    @Test(arguments: shells, ["\"", "'"])
    func aNastyNameFitsAnOpenQuote(_ kind: TypingShell.Kind, _ quote: String) throws {
        let shell = try TypingShell(kind, .init(entries: Self.nastyNames))
        let lines = Self.nastyNames.map { name in
            // fish wants to go on behind a comma, a dot or a dash, and leaves the quote open.
            let closing = kind == .fish && [0x2C, 0x2D, 0x2E].contains(name.last) ? quote : ""
            return Word("passchain show \(quote)".utf8) + name.prefix(2) + [9] + Word(closing.utf8)
        }
        expect(try shell.type(lines), Self.nastyNames.map { [Word("show".utf8), $0] })
    }

    /// What is typed before the tab, and the words that come of it.
    @Test(arguments: shells)
    func aNameIsCompletedFolderByFolder(_ kind: TypingShell.Kind) throws {
        let shell = try TypingShell(
            kind,
            .init(
                entries: ["Email/home", "Email/work", "my host:22/a b/x y", "git/host.example:2299", "top"]
                    .map(word),
                folders: ["Email/", "my host:22/", "my host:22/a b/", "git/"].map(word)
            )
        )
        let lines = [
            ("passchain show E\th\t", ["show", "Email/home"]),
            ("passchain show Email/w\t", ["show", "Email/work"]),
            ("passchain show m\t\t\t", ["show", "my host:22/a b/x y"]),
            ("passchain show my\\ host:\t", ["show", "my host:22/"]),
            ("passchain show \"my host:\t", ["show", "my host:22/"]),
            ("passchain show 'my host:22/a b'/x\t", ["show", "my host:22/a b/x y"]),
            ("passchain show git/host.example:\t", ["show", "git/host.example:2299"]),
            ("passchain show g\t\t", ["show", "git/host.example:2299"]),
            ("passchain to\t", ["top"]),
            ("passchain Email/h\t", ["Email/home"]),
        ]
        // zsh and fish leave a quote open behind a folder.
        let typed = lines.map { kind != .bash && $0.0.contains("\"") ? $0.0 + "\"" : $0.0 }
        expect(try shell.type(typed.map(word)), lines.map { $0.1.map(word) })
    }

    @Test(arguments: shells)
    func commandsOptionsKeysAndGitAreCompleted(_ kind: TypingShell.Kind) throws {
        let shell = try TypingShell(
            kind,
            .init(
                entries: ["Email/home", "a folder", "Zed", "-dash"].map(word),
                folders: ["Email/"].map(word),
                keys: ["alice@example.org", "Bob Builder <bob@example.org>", "0xABCDEF"].map(word)
            )
        )
        let lines = [
            ("passchain gen\t", ["generate"]),
            ("passchain generate --no\t", ["generate", "--no-symbols"]),
            ("passchain generate -n --in\t Z\t 12", ["generate", "-n", "--in-place", "Zed", "12"]),
            ("passchain generate Zed --no\t 12", ["generate", "Zed", "--no-symbols", "12"]),
            ("passchain init al\t", ["init", "alice@example.org"]),
            ("passchain init Bo\t", ["init", "Bob Builder <bob@example.org>"]),
            ("passchain init al\t 0x\t", ["init", "alice@example.org", "0xABCDEF"]),
            ("passchain init -p Em\t 0x\t", ["init", "-p", "Email/", "0xABCDEF"]),
            ("passchain init --path=Em\t 0x\t", ["init", "--path=Email/", "0xABCDEF"]),
            ("passchain init -pEm\t 0x\t", ["init", "-pEmail/", "0xABCDEF"]),
            ("passchain init --path Em\t", ["init", "--path", "Email/"]),
            ("passchain git pus\t", ["git", "push"]),
            ("passchain tic\t en\t --fo\t Ze\t", ["ticket", "enrol", "--force", "Zed"]),
            ("passchain ticket take -i x Ze\t", ["ticket", "take", "-i", "x", "Zed"]),
            ("passchain ticket disp\t Ze\t", ["ticket", "display", "Zed"]),
            ("passchain ticket --cl\t Ze\t", ["ticket", "--clip", "Zed"]),
            ("passchain ticket Ze\t", ["ticket", "Zed"]),
            ("passchain help gen\t", ["help", "generate"]),
            ("passchain help tic\t en\t", ["help", "ticket", "enrol"]),
            ("passchain --help tic\t en\t", ["--help", "ticket", "enrol"]),
            ("passchain help ticket ins\t", ["help", "ticket", "ins"]),
            ("passchain help insert en\t", ["help", "insert", "en"]),
            ("passchain mv Ze\t a\t", ["mv", "Zed", "a folder"]),
            ("passchain rm -r -- -d\t", ["rm", "-r", "--", "-dash"]),
            ("passchain -c Ze\t", ["-c", "Zed"]),
            ("passchain delete -f Ze\t", ["delete", "-f", "Zed"]),
            // What is no operand any more is not completed, nor is a file or folder that happens to be here.
            ("passchain edit Zed Ze\t", ["edit", "Zed", "Ze"]),
            ("passchain find Ze\t", ["find", "Ze"]),
            ("passchain find --j\t Ze\t", ["find", "--json", "Ze"]),
            ("passchain search --j\t --j\t", ["search", "--json", "--j"]),
            ("passchain find Zed --j\t", ["find", "Zed", "--j"]),
            ("passchain show a\t", ["show", "a folder"]),
        ]
        expect(try shell.type(lines.map { word($0.0) }), lines.map { $0.1.map(word) })
    }

    @Test(arguments: shells)
    func theScriptServesTheDropInWhenInstalledForIt(_ kind: TypingShell.Kind) throws {
        let store = TypingShell.Store(entries: [word("an entry")])
        let both = try TypingShell(kind, store, names: ["passchain", "pass"])
        expect(
            try both.type(
                ["pass show a\t", "passchain show a\t", "pass find --j\t", "passchain find --j\tx"].map(word)
            ),
            [["show", "an entry"], ["show", "an entry"], ["find", "--j"], ["find", "--json", "x"]]
                .map { $0.map(word) }
        )
        let dropIn = try TypingShell(kind, store, names: kind == .zsh ? ["passchain", "pass"] : ["pass"])
        expect(try dropIn.type([word("pass sho\tan\t")]), [["show", "an entry"].map(word)])
    }

    private static let debiansScript = "/usr/share/bash-completion/completions/pass"

    /// Both scripts in one bash, where bash-completion loads each at the first tab behind its command.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: debiansScript), "needs Debian's pass"),
        arguments: [
            [debiansScript, "~/completions/passchain"], ["~/completions/passchain", debiansScript],
        ]
    )
    func theScriptOfPassStaysApart(_ files: [String]) throws {
        let setup = """
            ln -s passchain ~/bin/pass
            \(files.map { ". \($0)\n" }.joined())\
            PASSWORD_STORE_EXTENSION_COMMANDS=(tail)
            __password_store_extension_complete_tail() { _pass_complete_entries 1; }
            """
        let shell = try TypingShell(.bash, .init(entries: Self.nastyNames), setup: setup + "\n")
        _ = try shell.folder.write([], to: ".password-store/theirs.gpg")
        let name = Self.nastyNames[3]
        let start = String(decoding: name.prefix(2), as: UTF8.self)
        expect(
            try shell.type(
                [
                    "pass rm th\t", "passchain rm \(start)\t", "passchain tail \(start)\t", "pass tail th\t",
                    "passchain otp\t",
                ].map(word)
            ),
            [
                [word("rm"), word("theirs")], [word("rm"), name], [word("tail"), name],
                [word("tail"), word("theirs")], [word("otp")],
            ]
        )
    }

    /// Bytes that are no UTF-8, which fish shows, but cannot take back from a script.
    @Test(arguments: shells.filter { $0 != .fish })
    func bytesOfNoEncodingBecomeOneWord(_ kind: TypingShell.Kind) throws {
        let names: [Word] = [
            word("1a") + [0xFF, 0x20], word("2b") + [0xC3], word("3c \u{1B}[31m"), word("4\tx\ny"),
        ]
        let shell = try TypingShell(kind, .init(entries: names))
        let calls = try shell.type(names.map { word("passchain show ") + $0.prefix(1) + [9] })
        expect(calls, names.map { [word("show"), $0] })
    }

    /// A command for a second store, in the way that pass has documented for each shell.
    @Test(arguments: shells.filter { $0 != .fish })
    func anotherStoreIsCompletedByWhatItsCommandSays(_ kind: TypingShell.Kind) throws {
        let setup =
            "work() { PASSWORD_STORE_DIR=~/other passchain \"$@\"; }\n"
            + (kind == .bash
                ? "_work() { PASSWORD_STORE_DIR=~/other _passchain; }\ncomplete -o filenames -F _work work\n"
                : "compdef _passchain work\nzstyle ':completion::complete:work::' prefix ~/other\n")
        let shell = try TypingShell(kind, .init(entries: [word("home"), word("x here")]), setup: setup)
        _ = try shell.folder.write(word("my own: $x\0"), to: "other/entries-and-folders")
        expect(
            try shell.type(
                ["work show m\t", "work show my\\ own:\t", "work show \"my\t", "passchain show h\t"].map(word)
            ),
            Array(repeating: [word("show"), word("my own: $x")], count: 3) + [[word("show"), word("home")]]
        )
    }

    @Test(arguments: shells)
    func theCommonPartOfSeveralNamesIsInserted(_ kind: TypingShell.Kind) throws {
        let shell = try TypingShell(kind, .init(entries: ["x $y 1", "x $y 2", "z\"1", "z\"2"].map(word)))
        expect(
            try shell.type([
                word("passchain show x\t1"), word("passchain show x\t2\t"), word("passchain show z\t2\t"),
            ]),
            [["show", "x $y 1"].map(word), ["show", "x $y 2"].map(word), ["show", "z\"2"].map(word)]
        )
    }

    private func word(_ text: String) -> Word { Word(text.utf8) }

    private func expect(_ calls: [[Word]], _ expected: [[Word]]) {
        #expect(calls.count == expected.count)
        for (call, wanted) in zip(calls, expected) {
            #expect(call == wanted, "\(call.map { String(decoding: $0, as: UTF8.self) })")
        }
    }
}
