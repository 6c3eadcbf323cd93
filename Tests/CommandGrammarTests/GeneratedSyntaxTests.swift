import Testing

@testable import CommandGrammar
@testable import passchain_docs

/// What shells and mandoc think of the texts that are generated for them.
@Suite struct GeneratedSyntaxTests {
    private func check(_ text: String, _ program: Program, _ arguments: String...) throws -> Program.Result {
        let folder = try TemporaryFolder()
        return try program.run(arguments + [folder.write(Word(text.utf8), to: "text")])
    }

    @Test func bashReadsItsScript() throws {
        let result = try check(Sample.scripts.bash, .bash, "-n")
        #expect(result.status == 0 && result.output.isEmpty, "\(result.text)")
    }

    @Test(.enabled(if: Program.shellcheck.isInstalled, "needs shellcheck"))
    func shellcheckFindsNothingInTheScriptForBash() throws {
        // SC2178 and SC2128 mistake a local for an array of another function; SC2206 is meant: options have no blanks.
        let result = try check(Sample.scripts.bash, .shellcheck, "-s", "bash", "-e", "SC2178,SC2128,SC2206")
        #expect(result.status == 0 && result.output.isEmpty, "\(result.text)")
    }

    @Test(.enabled(if: Program.zsh.isInstalled, "needs zsh"))
    func zshReadsItsScripts() throws {
        for script in [Sample.scripts.zsh, Sample.scripts.zshDropIn] {
            let result = try check(script, .zsh, "-n")
            #expect(result.status == 0 && result.output.isEmpty, "\(result.text)")
        }
    }

    @Test(.enabled(if: Program.fish.isInstalled, "needs fish"))
    func fishReadsItsScript() throws {
        let result = try check(Sample.scripts.fish, .fish, "--no-execute")
        #expect(result.status == 0 && result.output.isEmpty, "\(result.text)")
    }

    @Test(.enabled(if: Program.mandoc.isInstalled, "needs mandoc"))
    func mandocFindsNothingInThePage() throws {
        let result = try check(Sample.manPage.text, .mandoc, "-T", "lint")
        // Whether other pages are installed here is none of this page's business.
        let complaints = result.text.split(separator: "\n").filter {
            !$0.contains("mandoc.db") && !$0.contains("referenced manual not found")
        }
        #expect(complaints == [])
    }

    @Test func wordsWithQuotesFitEveryScript() throws {
        let option = Option("x", "x", value: .required("a:b"), summary: "It's [a] \"b\": c\\d, $e `f`.")
        let commands = [Command("it", summary: "That's [it]: $x `y` \\ \"z\".", options: [.any(option)])]
        let scripts = CompletionScripts(program: "p", dropIn: "q", commands: commands, fallback: commands[0])
        #expect(try check(scripts.bash, .bash, "-n").output.isEmpty)
        if Program.zsh.isInstalled { #expect(try check(scripts.zsh, .zsh, "-n").output.isEmpty) }
        if Program.fish.isInstalled { #expect(try check(scripts.fish, .fish, "--no-execute").output.isEmpty) }
    }

    @Test func hiddenCommandsAreInNoScript() {
        for text in [Sample.scripts.bash, Sample.scripts.zsh, Sample.scripts.fish] {
            #expect(!text.contains(Sample.complete.summary))
            #expect(!text.contains("complete)"))
        }
    }
}
