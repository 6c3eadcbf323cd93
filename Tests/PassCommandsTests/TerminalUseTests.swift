// swift-format-ignore-file: NeverUseForceTry
import Foundation
import TestSupport
import Testing
import Unix

private let scriptPath = "/usr/bin/script"

/// Asking for passphrases, and telling how far long work has got, with a terminal and without.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TerminalUseTests {
    private static let keyring = try! TestKeyring()
    private static let key = try! keyring.makeKey("Locked <locked@example.org>", passphrase: "the passphrase")

    private let tool: ToolFixture
    private let home = TerminalUseTests.keyring.home

    init() throws {
        tool = try ToolFixture()
        try tool.write(Self.key + "\n", to: "store/.gpg-id")
    }

    /// Has the agent forget passphrases, and start `pinentry` from now on.
    private func use(pinentry: String) throws {
        try Self.keyring.write("pinentry-program \(pinentry)\n", to: "gpg-agent.conf")
        _ = try Self.keyring.run("gpgconf", ["--homedir", home, "--kill", "gpg-agent"])
    }

    private func insert(_ names: String...) throws {
        for name in names {
            let outcome = try tool.run("insert", "-e", name, input: "secret\n", with: ["GNUPGHOME": home])
            #expect(outcome.status == 0)
        }
    }

    /// Runs a line of shell on a terminal of its own; the answer is what the screen shows.
    private func onTerminal(_ line: String, with variables: [String: String]) throws -> String {
        var environment = tool.environment
        for (name, value) in variables { environment[name] = Array(value.utf8) }
        let words = ["-qec", line, "/dev/null"].map { Array($0.utf8) }
        let outcome = try Subprocess(Path(scriptPath), words, environment: environment).run()
        return String(decoding: outcome.output, as: UTF8.self)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: scriptPath), "Debian package bsdutils"),
        arguments: ["", "< /dev/null", "< /dev/null 2> /dev/null", "> out < /dev/null", "2> /dev/null > out"]
    )
    func asksOnTheTerminalThatOneOfTheDescriptorsIs(_ redirection: String) throws {
        try insert("a")
        // A pinentry that notes down its options and knows the passphrase.
        try tool.write(
            """
            #!/bin/sh
            echo 'OK ready'
            while read -r line; do
                echo "$line" >> \(tool.folder)/asked
                case $line in GETPIN*) echo 'D the passphrase' ;; esac
                echo OK
                case $line in BYE*) exit ;; esac
            done

            """,
            to: "bin/pinentry",
            mode: 0o755
        )
        try use(pinentry: tool.folder + "/bin/pinentry")
        let line = "cd \(tool.folder); tty < /dev/tty > tty; unset GPG_TTY; pass show a \(redirection)"
        let screen = try onTerminal(line, with: ["GNUPGHOME": home])
        let output = FileManager.default.contents(atPath: tool.folder + "/out")
        #expect(
            output.map { String(decoding: $0, as: UTF8.self) } ?? screen
                == (output == nil ? "secret\r\n" : "secret\n")
        )
        let asked = try String(contentsOfFile: tool.folder + "/asked", encoding: .utf8)
        #expect(asked.contains(#/OPTION ttyname=/dev/pts/[0-9]+/#), "\(asked)")
    }

    /// GnuPG's pinentry for terminals, which finds none, and no pinentry at all.
    @Test(arguments: ["/usr/bin/pinentry-curses", "/nonexistent", "/bin/false"])
    func saysInOneLineThatThePassphraseCannotBeAskedFor(_ pinentry: String) throws {
        try insert("a")
        try use(pinentry: pinentry)
        let outcome = try tool.run("show", "a", with: ["GNUPGHOME": home])
        let sentence =
            "a: gpg: decryption failed: The key is locked, and there is no pinentry or terminal to ask for its passphrase\n"
        #expect(outcome == .init(output: "", errors: sentence, status: 2))
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: scriptPath), "Debian package bsdutils"),
        arguments: [
            "complete entries ev", "complete -z entries ev", "complete -e entries ev",
            "complete -z folders ev", "ls --flat", "ls --flat -z", "ls --flat -z $(printf 'ev\\033[2Jil')",
        ]
    )
    func namesForProgramsAreHarmlessOnATerminalAndWholeInAPipe(_ words: String) throws {
        for name in ["ev\u{1B}[2Jil.gpg", "ev\u{9B}31mil/x.gpg"] { try tool.write("", to: "store/\(name)") }
        let screen = try onTerminal("passchain \(words)", with: [:])
        #expect(screen.contains(#"ev\x1b[2Jil"#) || screen.contains(#"ev\u{9b}31mil"#), "\(screen)")
        #expect(!screen.contains("\u{1B}") && !screen.contains("\u{9B}"), "\(screen.debugDescription)")
        let piped = try onTerminal("passchain \(words) | cat", with: [:])
        #expect(piped.contains("ev\u{1B}[2Jil") || piped.contains("ev\u{9B}31mil"), "\(piped)")
    }

    /// A gpg that takes its time, in front of the real one.
    private func slowDown() throws {
        try tool.write("#!/bin/sh\nsleep 0.3\nexec /usr/bin/gpg \"$@\"\n", to: "bin/gpg", mode: 0o755)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: scriptPath), "Debian package bsdutils"))
    func tellsOnATerminalHowFarItHasGot() throws {
        try tool.write(ToolFixture.fingerprint + "\n", to: "store/.gpg-id")
        for name in ["a", "b", "c", "d"] { try tool.insert("secret\n", as: name) }
        try slowDown()
        let variables = ["PASSCHAIN_JOBS": "1"]
        let searched = try onTerminal("pass grep nothing", with: variables)
        // It is told after each piece of work, which has two entries here.
        #expect(searched.contains("2 of 4 entries\r"))
        // In the end the line is blank.
        #expect(searched.hasSuffix("entries\r" + String(repeating: " ", count: 14) + "\r"))
        let renewed = try onTerminal("pass init \(ToolFixture.otherFingerprint)", with: variables)
        #expect(renewed.contains("3 of 4 entries\r"))
    }

    @Test func tellsNothingInAPipe() throws {
        try tool.write(ToolFixture.fingerprint + "\n", to: "store/.gpg-id")
        for name in ["a", "b", "c", "d"] { try tool.insert("secret\n", as: name) }
        try slowDown()
        #expect(
            try tool.run("grep", "nothing", with: ["PASSCHAIN_JOBS": "1"])
                == .init(output: "", errors: "", status: 0)
        )
    }
}
