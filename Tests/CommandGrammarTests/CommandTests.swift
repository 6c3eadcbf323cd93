import Testing

@testable import CommandGrammar

@Suite struct CommandTests {
    /// Source: the usage lines of pass 1.7.4.
    @Test(arguments: [
        (Sample.initialize, "[--path=subfolder,-p subfolder] gpg-id..."),
        (
            Sample.show,
            "[--clip[=line-number],-c[line-number]] [--qrcode[=line-number],-q[line-number]] [pass-name]"
        ),
        (Sample.find, "pass-names..."),
        (Sample.grep, "[GREPOPTIONS] search-string"),
        (Sample.insert, "[--echo,-e | --multiline,-m] [--force,-f] pass-name"),
        (Sample.edit, "pass-name"),
        (
            Sample.generate,
            "[--no-symbols,-n] [--clip,-c] [--qrcode,-q] [--in-place,-i | --force,-f] pass-name [pass-length]"
        ),
        (Sample.remove, "[--recursive,-r] [--force,-f] pass-name"),
        (Sample.move, "[--force,-f] old-path new-path"),
        (Sample.git, "[git-command-args...]"),
        (Sample.help, ""),
    ])
    func theSynopsisIsTheOneOfPass(_ command: Command, _ synopsis: String) {
        #expect(command.synopsis == synopsis)
    }

    @Test func theUsageLineNamesWhatWasTyped() {
        let line = Sample.remove.usage(program: Word("mypass".utf8), as: Word("delete".utf8))
        #expect(
            String(decoding: line, as: UTF8.self)
                == "Usage: mypass delete [--recursive,-r] [--force,-f] pass-name"
        )
    }

    @Test func aUsageLineWithoutSynopsisEndsAtTheName() {
        #expect(Sample.help.usage(program: [0xFF], as: [0x68]) == Word("Usage: ".utf8) + [0xFF, 0x20, 0x68])
    }

    @Test func aCommandGoesByItsNameAndAliases() {
        #expect(Sample.remove.isCalled(Word("rm".utf8)))
        #expect(Sample.remove.isCalled(Word("delete".utf8)))
        #expect(!Sample.remove.isCalled(Word("r".utf8)))
        #expect(!Sample.remove.isCalled([]))
    }

    @Test func anOptionWithoutALetterIsDerivedToo() {
        let flat = Option("flat", summary: "One line for each.")
        let depth = Option("depth", value: .required("n"), summary: "How deep.")
        let colour = Option("colour", value: .optional("when"), summary: "Colours.")
        let command = Command("x", summary: "X.", options: [.any(flat), .any(depth), .any(colour)])
        #expect(command.synopsis == "[--flat] [--depth=n] [--colour[=when]]")
    }
}
