import Testing

/// Help for single commands, and where the word for it means something else.
@Suite struct HelpTests {
    private let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    @Test(arguments: [
        "init", "show", "ls", "find", "grep", "insert", "edit", "generate", "rm", "mv", "cp", "otp", "help",
        "version",
    ])
    func everyCommandTellsHowItIsUsed(_ command: String) throws {
        let option = try tool.run(command, "--help", as: "passchain")
        #expect(option.status == 0)
        #expect(option.output.hasPrefix("Usage: passchain "))
        #expect(option.errors == "")
        #expect(try tool.run("help", command, as: "passchain") == option)
    }

    @Test(arguments: ["code", "insert", "append", "uri", "validate"])
    func everySubcommandTellsHowItIsUsed(_ subcommand: String) throws {
        for program in ["pass", "passchain"] {
            let option = try tool.run("otp", subcommand, "--help", as: program)
            #expect(option.status == 0)
            #expect(option.output.hasPrefix("Usage: \(program) otp \(subcommand) "))
            #expect(try tool.run("help", "otp", subcommand, as: program) == option)
        }
        let place = subcommand == "code" ? "otp [code]:" : "otp \(subcommand):"
        #expect(try tool.run("otp", "--help").output.contains("\n\(place)\n"))
    }

    @Test func optionsOfOurOwnAreInTheUsage() throws {
        let usage = try tool.run("help", "show", as: "passchain").output
        #expect(usage.contains("--json | --flat]"))
        for (command, end) in [("find", "[--json] pass-names..."), ("version", "[--json]")] {
            let usage = try tool.run("help", command, as: "passchain").output
            #expect(usage.hasPrefix("Usage: passchain \(command) \(end)\n"))
        }
        #expect(try tool.run("help", "mv").output.contains("mv [--force,-f] [--dry-run] old-path new-path\n"))
    }

    @Test func theListAgreesWithTheUsageOfEachCommand() throws {
        let onOneLine = { (text: String) in text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let list = try tool.run("help", as: "passchain").output
        for command in ["find", "version", "show", "mv"] {
            let help = try tool.run("help", command, as: "passchain").output
            let usage = try #require(help.dropFirst("Usage: ".count).firstRange(of: "\n\n"))
            let line = onOneLine(String(help[..<usage.lowerBound].dropFirst("Usage: ".count)))
            #expect(onOneLine(list).contains(" \(line) "), "\(line)")
        }
        #expect(list.contains("\n    passchain find [--json] pass-names...\n"))
        // In the place of pass, --json is a word to look for.
        #expect(try tool.run("help").output.contains("\n    pass find pass-names...\n"))
        #expect(
            try tool.run("find", as: "passchain").errors == "Usage: passchain find [--json] pass-names...\n"
        )
        #expect(try tool.run("find").errors == "Usage: pass find pass-names...\n")
    }

    @Test func gitHasAHelpOfItsOwn() throws {
        let outcome = try tool.run("git", "--help", as: "passchain")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("usage: git "))
    }

    @Test func aWordThatIsNoCommandHasNoHelp() throws {
        let outcome = try tool.run("help", "nosuch", as: "passchain")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors == "Error: nosuch is not a command. passchain help lists them.\n")
        // pass shows all commands then.
        #expect(try tool.run("help", "nosuch") == tool.run("help"))
    }

    @Test func inThePlaceOfPassItsCommandsKeepItsMeaning() throws {
        try tool.run("insert", "-m", "--", "--help", input: "secret\n")
        #expect(try tool.run("find", "--help").output.hasPrefix("Search Terms: --help\n"))
        #expect(try tool.run("show", "--", "--help").output == "secret\n")
        #expect(try tool.run("show", "--", "--help", as: "passchain").output == "secret\n")
        let outcome = try tool.run("insert", "--help")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                pass: unrecognized option '--help'
                Usage: pass insert [--echo,-e | --multiline,-m] [--force,-f] pass-name

                """
        )
    }
}
