internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass help`: the commands and their options.
enum Help: PassCommand {
    static let command = Command(
        "help",
        aliases: ["--help"],
        summary: "Show this text, or how a command is used.",
        synopsis: "[command] [subcommand]",
        discussion: [
            "Under the name passchain, --help behind a command shows the same, but for git, whose --help is git's own. "
                + "pass takes it for a mistake, or for a word."
        ],
        operands: [
            Operand("command", completes: .command, occurs: .optional),
            Operand("subcommand", completes: .subcommand, occurs: .anyNumber),
        ],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        guard let word = arguments.operand(0) else { return try print(in: session) }
        if let command = CommandTable.command(called: word)?.command {
            let name = arguments.operand(1) ?? []
            let subcommand = command.subcommands.first { $0.isCalled(name) }
            return try print(
                subcommand ?? command,
                behind: subcommand == nil ? [] : [command.name],
                in: session
            )
        }
        // pass takes any word, and passes over it.
        guard session.isInPlaceOfPass else {
            throw Failure("Error: \(word) is not a command. \(session.program) help lists them.")
        }
        try print(in: session)
    }

    /// Prints how one command is used; `typed` are the words in front of its name.
    static func print(
        _ command: Command,
        behind typed: [String] = [],
        in session: Session
    ) throws(Failure) {
        try session.output.printOutput(HelpText(command, program: session.program, behind: typed).text)
    }

    /// Prints all commands.
    static func print(in session: Session) throws(Failure) {
        try Version.print(in: session)
        try session.output.line("")
        let text = HelpText(
            commands: CommandTable.descriptions,
            program: session.program,
            asDropIn: session.isInPlaceOfPass,
            clipTime: session.settings.clipTime,
            generatedLength: session.settings.generatedLength,
            editor: session.environment.nonEmpty("EDITOR") ?? Array("editor".utf8)
        )
        try session.output.printOutput(text.text)
    }
}
