/// The help listing: every command with its usage, what it does and its options.
///
/// What a user has set is a parameter and goes in as the bytes it is; the rest comes from the descriptions.
package struct HelpText: Sendable {
    /// The whole text; its last line ends with a newline.
    package let text: Word

    /// Composes the text.
    ///
    /// - Parameters:
    ///   - commands: in the order in which they are listed; hidden ones are left out.
    ///   - program: the last part of `argv[0]`.
    ///   - clipTime: after how many seconds the clipboard is cleared.
    ///   - generatedLength: how many characters a generated password has by default.
    ///   - editor: the command line of the editor.
    package init(commands: [Command], program: Word, clipTime: Word, generatedLength: Word, editor: Word) {
        let listing = commands.filter { !$0.isHidden }.flatMap { HelpText.paragraph($0, program) }
        let notes = [
            Word("The clipboard is cleared after ".utf8) + clipTime + Word(" seconds.".utf8),
            Word("A generated password has ".utf8) + generatedLength
                + Word(" characters, unless pass-length says otherwise.".utf8),
            Word("Entries are edited with ".utf8) + editor + Word(".".utf8),
        ]
        let lines = [Word("Usage:".utf8)] + listing + [[]] + notes
        text = Word(lines.map { $0 + [.newline] }.joined())
    }

    private static let width = 79

    private static func paragraph(_ command: Command, _ program: Word) -> [Word] {
        let synopsis = command.synopsis.isEmpty ? "" : " " + command.synopsis
        let head = Word("    ".utf8) + program + Word(" \(command.name)\(synopsis)".utf8)
        let others = command.aliases.isEmpty ? "" : " Also: \(command.aliases.joined(separator: ", "))."
        let about = wrapped(command.summary + others, indent: 8, first: String(repeating: " ", count: 8))
        return [head] + about + optionLines(command.allOptions)
    }

    private static func optionLines(_ options: [Option]) -> [Word] {
        let labels = options.map { option in
            (option.short.map { "-\($0), " } ?? "    ") + "--\(option.long)" + valueText(option.value)
        }
        let column = 10 + (labels.map(\.count).max() ?? 0) + 2
        return zip(labels, options).flatMap { label, option in
            let first = String(repeating: " ", count: 10) + label
            let padding = String(repeating: " ", count: column - first.count)
            return wrapped(option.summary, indent: column, first: first + padding)
        }
    }

    private static func valueText(_ value: Option.Value) -> String {
        switch value {
        case .none: ""
        case .required(let name): "=\(name)"
        case .optional(let name): "[=\(name)]"
        }
    }

    /// Breaks `text` into lines; the first one begins with `first`, the others are indented.
    private static func wrapped(_ text: String, indent: Int, first: String) -> [Word] {
        var lines = [first]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            let isEmpty = line.count <= indent
            if isEmpty {
                lines[lines.count - 1] = line + word
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines.append(String(repeating: " ", count: indent) + word)
            }
        }
        return lines.map { Word($0.utf8) }
    }
}
