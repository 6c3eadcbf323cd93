internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass help`: the commands and their options.
enum Help: PassCommand {
    static let command = Command(
        "help",
        aliases: ["--help"],
        summary: "Show this text.",
        synopsis: "",
        operands: [Operand("word", completes: .nothing, occurs: .anyNumber)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        try print(in: session)
    }

    /// Prints the text.
    static func print(in session: Session) throws(Failure) {
        try Version.print(in: session)
        try session.output.line("")
        let text = HelpText(
            commands: CommandTable.commands.map { $0.command },
            program: session.program,
            clipTime: session.settings.clipTime,
            generatedLength: session.settings.generatedLength,
            editor: session.environment.nonEmpty("EDITOR") ?? Array("editor".utf8)
        )
        try session.output.printOutput(text.text)
    }
}
