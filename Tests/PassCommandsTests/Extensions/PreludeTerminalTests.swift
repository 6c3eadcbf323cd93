import Foundation
import Testing
import Unix

@testable import PassCommands

private let scriptPath = "/usr/bin/script"

/// What the prelude does when a person sits at a terminal; `script` lends one.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: scriptPath), "Debian package bsdutils"))
struct PreludeTerminalTests {
    private let fixture: PreludeFixture

    init() throws { fixture = try PreludeFixture() }

    /// Runs the text as an extension on a terminal, where `typed` is typed, and gives what the screen shows.
    private func run(_ text: String, typing typed: String, redirection: String = "") throws
        -> PreludeFixture.Outcome
    {
        try fixture.write(Prelude.script, to: "prelude.bash")
        try fixture.write(text, to: "store/.extensions/ext.bash", mode: 0o755)
        let command = """
            bash -c "$(cat \(fixture.folder)/prelude.bash)" \(fixture.host) /none \
            \(fixture.store)/.extensions/ext.bash ext \(redirection)
            """
        let words = ["-qec", command, "/dev/null"].map { Array($0.utf8) }
        var terminal = Subprocess(Path(scriptPath), words, environment: fixture.environment)
        terminal.input = .bytes(Array(typed.utf8))
        return try fixture.run(terminal)
    }

    @Test(arguments: [("y", 7), ("Y", 7), ("yes", 1), ("n", 1), ("", 1), ("y y", 1)])
    func goesOnAfterYesOnly(_ answer: String, _ status: Int32) throws {
        let outcome = try run("yesno 'Really?'; exit 7", typing: answer + "\n")
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.output.contains("Really? [y/N] "))
    }

    @Test(arguments: ["", "< /dev/null", "< /dev/null 2> /dev/null"])
    func tellsGnuPGWhichTerminalThereIs(_ redirection: String) throws {
        let outcome = try run("bash -c 'echo \"<$GPG_TTY>\"'", typing: "", redirection: redirection)
        #expect(outcome.output.contains(#/</dev/pts/[0-9]+>/#), "\(outcome)")
    }

    @Test func keepsTheTerminalThatTheUserNamed() throws {
        fixture.environment["GPG_TTY"] = Array("/dev/pts/of-mine".utf8)
        #expect(try run("echo \"<$GPG_TTY>\"", typing: "").output.contains("</dev/pts/of-mine>"))
    }

    @Test(arguments: ["", "not a tty"])
    func namesNoTerminalWhereThereIsNone(_ inherited: String) throws {
        fixture.environment["GPG_TTY"] = Array(inherited.utf8)
        #expect(try fixture.run("declare -p GPG_TTY 2> /dev/null; echo end").output == "end\n")
    }
}
