package import CommandGrammar

/// The subcommands, in the order in which help lists them.
package enum CommandTable {
    static let commands: [any PassCommand.Type] = [
        Init.self, Show.self, Find.self, Grep.self, Insert.self, Edit.self, Generate.self, Remove.self,
        Move.self, Copy.self, Git.self, OTP.self, Help.self, Version.self, Complete.self,
    ]

    /// What help, completions and the manual page say of them, in that order.
    package static var descriptions: [Command] { commands.map { $0.command } }

    /// The command that gets all words when the first one is no subcommand.
    package static var fallback: Command { Show.command }

    /// Whether pass 1.7.4 lacks a subcommand.
    static func isOurOwn(_ command: any PassCommand.Type) -> Bool {
        command == Complete.self || command == OTP.self
    }

    /// The subcommand that a word names.
    static func command(called word: Word) -> (any PassCommand.Type)? {
        commands.first { $0.command.isCalled(word) }
    }
}
