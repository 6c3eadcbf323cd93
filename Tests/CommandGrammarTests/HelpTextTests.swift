import Testing

@testable import CommandGrammar

@Suite struct HelpTextTests {
    private static let help = HelpText(
        commands: Sample.all,
        program: Word("mypass".utf8),
        asDropIn: true,
        clipTime: Word("5m".utf8),
        generatedLength: Word("31".utf8),
        editor: Word("vim ".utf8) + [0xFF]
    )
    private let text = String(decoding: Self.help.text, as: UTF8.self)

    @Test func everyCommandIsListedWithItsUsage() {
        for command in Sample.all where !command.isHidden && command.subcommands.isEmpty {
            let end = command.synopsis.isEmpty ? "" : " \(command.synopsis)"
            #expect(text.contains("\n    mypass \(command.name)\(end)\n"))
            #expect(text.contains(command.summary))
            for alias in command.aliases { #expect(text.contains(alias)) }
        }
    }

    @Test func everyOptionIsListed() {
        #expect(text.contains("\n          -p, --path=subfolder  Apply to this subfolder only.\n"))
        #expect(text.contains("\n          -c, --clip[=line-number]    Put the line on the clipboard.\n"))
        #expect(text.contains("\n          -q, --qrcode[=line-number]  Show the line as a QR code.\n"))
    }

    @Test func subcommandsAreListedInTheirCommandsPlace() {
        #expect(
            text.contains(
                "\n    mypass ticket [code] [--clip,-c] pass-name\n        Show a code. Also: display.\n"
            )
        )
        #expect(
            text.contains("\n    mypass ticket enrol [--force,-f] [--issuer=issuer,-i issuer] pass-name\n")
        )
    }

    @Test func oneCommandHasATextOfItsOwn() {
        let text = HelpText(Sample.enrol, program: [0xFF], behind: ["ticket"]).text
        let rest = """
             ticket enrol [--force,-f] [--issuer=issuer,-i issuer] pass-name

            Take a ticket in. Also: take.

              -f, --force          Overwrite without a question.
              -i, --issuer=issuer  Whom it is with.

            """
        #expect(text == Word("Usage: ".utf8) + [0xFF] + Word(rest.utf8))
    }

    /// In the place of pass, its own usage line stands in the list.
    @Test func anOptionThatPassLacksIsInTheUsageOfItsCommand() {
        #expect(text.contains("\n    mypass find pass-names...\n"))
        let own = String(decoding: HelpText(Sample.find, program: Word("p".utf8)).text, as: UTF8.self)
        #expect(own.hasPrefix("Usage: p find [--json] pass-names...\n"))
        #expect(own.hasSuffix("\n\n      --json  Print them in JSON.\n"))
    }

    @Test func oneCommandIsShownWithItsSubcommands() {
        let text = String(decoding: HelpText(Sample.ticket, program: Word("p".utf8)).text, as: UTF8.self)
        #expect(
            text == """
                Usage: p ticket [code] [--clip,-c] pass-name
                       p ticket enrol [--force,-f] [--issuer=issuer,-i issuer] pass-name

                Manage tickets.

                ticket [code]:
                  Show a code. Also: display.
                    -c, --clip  Put the password on the clipboard.

                ticket enrol:
                  Take a ticket in. Also: take.
                    -f, --force          Overwrite without a question.
                    -i, --issuer=issuer  Whom it is with.

                A ticket is a line.

                """
        )
    }

    @Test func hiddenCommandsAreNot() { #expect(!text.contains("complete")) }

    @Test func whatTheUserHasSetIsNamed() {
        #expect(text.contains("after 5m seconds"))
        #expect(text.contains("has 31 characters"))
        #expect(
            Self.help.text.split(separator: 0x0A).contains(
                Word("Entries are edited with vim ".utf8)[...] + [0xFF, 0x2E]
            )
        )
    }

    @Test func longTextIsBrokenAndIndented() {
        let option = Option(
            "x",
            "x",
            summary: Array(repeating: "word", count: 40).joined(separator: " ") + "."
        )
        let command = Command("c", summary: "C.", options: [.any(option)])
        let lines = HelpText(
            commands: [command],
            program: [0x70],
            clipTime: [],
            generatedLength: [],
            editor: []
        ).text
            .split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.filter {
                $0.contains("word word")
            }
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 79 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 19) + "word") })
    }

    @Test func theTextEndsWithANewline() { #expect(Self.help.text.last == 0x0A) }
}
