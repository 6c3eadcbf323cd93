import Testing

@testable import CommandGrammar
@testable import passchain_docs

@Suite struct ManPageTests {
    private let page = Sample.manPage.text

    @Test func theSectionsStandInTheirOrder() {
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map { $0.dropFirst(4) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS",
                "EXAMPLES",
                "COMPATIBILITY", "SEE ALSO",
            ]
        )
    }

    @Test func aSectionWithoutContentIsLeftOut() {
        let prose = ManPageText(
            date: "January 1, 2026",
            tagline: "does nothing",
            description: ["Nothing."],
            environment: [],
            files: [],
            exitStatus: [],
            examples: [],
            compatibility: [],
            seeAlso: []
        )
        let page = ManPage(program: "x", commands: [], prose: prose).text
        #expect(!page.contains(".Sh FILES") && !page.contains(".Sh ENVIRONMENT") && !page.contains(".Sh SEE"))
    }

    @Test func everyCommandOptionAndAliasIsThere() {
        for command in Sample.all where command.subcommands.isEmpty {
            #expect(page.contains(".It Xo\n.Cm \(command.name)\n"))
            for option in command.allOptions { #expect(page.contains("Fl -\(option.long)")) }
        }
        #expect(page.contains("Also called\n.Cm remove\nor\n.Cm delete .\n"))
        #expect(page.contains("Also called\n.Fl \\-help .\n"))
    }

    @Test func aSubcommandHasAnEntryOfItsOwn() {
        #expect(page.contains(".Nm\n.Cm ticket\n.Op Cm code\n.Op Fl c\n.Ar pass-name\n"))
        #expect(page.contains(".Nm\n.Cm ticket enrol\n.Op Fl f\n"))
        #expect(
            page.contains(".It Cm ticket\nManage tickets.\n.Pp\nA ticket is a line.\n.It Xo\n.Cm ticket\n")
        )
        #expect(page.contains(".Xc\nTake a ticket in.\nAlso called\n.Cm take .\n"))
    }

    @Test(arguments: [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See `a b` here.", ["See", ".Ql \"\\&a b\"", "here."]),
        ("See (`ab`).", ["See", ".Ql ( \\&ab ) ."]),
        ("`-x`, and", [".Ql \\&\\-x ,", "and"]),
        (".Sh x 'y", ["\\&.Sh x 'y"]),
        ("'y", ["\\&'y"]),
        ("a\\b", ["a\\eb"]),
        ("`\"`", [".Ql \"\\&\\(dq\""]),
        ("", []),
    ])
    func aParagraphBecomesLines(_ text: String, _ lines: [String]) {
        #expect(MdocText.lines(text) == lines)
    }

    @Test func linesAreShort() {
        let lines = MdocText.lines(String(repeating: "words and ", count: 60))
        #expect(lines.count == 8)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    }

    /// What a reader sees, with everything roff could have taken for its own.
    @Test(.enabled(if: Program.mandoc.isInstalled, "needs mandoc"))
    func theReaderSeesWhatWasWritten() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Word(page.utf8), to: "page.1")
        let text = try Program.mandoc.run(["-T", "utf8", "-O", "width=200", file]).text
            .replacing(/.\u{08}/, with: "").replacing(/\s+/, with: " ")
        for expected in [
            "passchain – keeps passwords in GnuPG files",
            "passchain init [-p subfolder] gpg-id ...",
            "passchain show [-c[line-number] | -q[line-number]] [pass-name]",
            "passchain grep [GREPOPTIONS] search-string",
            "passchain find [--json] pass-names ...",
            "-p subfolder, --path=subfolder Apply to this subfolder only.",
            "-c[line-number], --clip[=line-number] Put",
            "Is it encrypted? It is, see ‘gpg --list-keys’.",
            ".Sh is no request here, and 'quotes at the beginning are not either. A \\backslash stays (‘.gpg-id’)",
            "as do ‘No’, ‘Fl’, ‘a \"b\" c’ and ‘-’. Trailing (‘x’).",
            "PASSWORD_STORE_CHARACTER_SET A set of ‘tr’. The default is ‘[:punct:][:alnum:]’.",
            "EDITOR The editor. The default is editor, or vi.",
            "passchain insert 'a \"b\" c' # ~ ^ ` \\ .leading dot",
            "git(1), gpg(1)",
        ] { #expect(text.contains(expected)) }
    }
}
