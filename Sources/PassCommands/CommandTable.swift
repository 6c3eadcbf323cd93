internal import CommandGrammar

/// The subcommands, in the order in which help lists them.
enum CommandTable {
    static let commands: [any PassCommand.Type] = [
        Init.self, Show.self, Find.self, Grep.self, Insert.self, Edit.self, Generate.self, Remove.self,
        Move.self, Copy.self, Git.self, Help.self, Version.self,
    ]

    /// The subcommand that a word names.
    static func command(called word: Word) -> (any PassCommand.Type)? {
        commands.first { $0.command.isCalled(word) }
    }
}
