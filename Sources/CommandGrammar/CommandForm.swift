/// A command as it is typed, which for a subcommand takes two words: `otp insert`.
package struct CommandForm {
    /// The words, the last of which is the command's name.
    package let words: [String]
    /// Whether the last word may be left out.
    package let isDefault: Bool
    /// What the words stand for.
    package let command: Command

    /// The words in a usage line: `otp [code]`.
    package var text: String {
        (words.dropLast() + [isDefault ? "[\(command.name)]" : command.name]).joined(separator: " ")
    }
}

extension Command {
    /// The command itself, or instead of it its subcommands.
    package var forms: [CommandForm] {
        guard !subcommands.isEmpty else {
            return [CommandForm(words: [name], isDefault: false, command: self)]
        }
        return subcommands.enumerated().map {
            CommandForm(words: [name, $1.name], isDefault: $0 == 0, command: $1)
        }
    }
}
