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
    ///   - asDropIn: whether the tool runs in the place of pass, whose usage lines lack the options that pass lacks.
    ///   - clipTime: after how many seconds the clipboard is cleared.
    ///   - generatedLength: how many characters a generated password has by default.
    ///   - editor: the command line of the editor.
    package init(
        commands: [Command],
        program: Word,
        asDropIn: Bool = false,
        clipTime: Word,
        generatedLength: Word,
        editor: Word
    ) {
        let listing = commands.filter { !$0.isHidden }.flatMap(\.forms).flatMap {
            HelpText.paragraph($0, program, asDropIn: asDropIn)
        }
        let notes = [
            Word("The clipboard is cleared after ".utf8) + clipTime + Word(" seconds.".utf8),
            Word("A generated password has ".utf8) + generatedLength
                + Word(" characters, unless pass-length says otherwise.".utf8),
            Word("Entries are edited with ".utf8) + editor + Word(".".utf8),
        ]
        let lines = [Word("Usage:".utf8)] + listing + [[]] + notes
        text = Word(lines.map { $0 + [.newline] }.joined())
    }

    /// Composes the text for one command, or one with the subcommands behind it.
    ///
    /// - Parameters:
    ///   - command: what the text is about.
    ///   - program: the last part of `argv[0]`.
    ///   - typed: the words in front of the command's own name, such as `otp`.
    package init(_ command: Command, program: Word, behind typed: [String] = []) {
        let forms = command.forms.map { form in
            CommandForm(words: typed + form.words, isDefault: form.isDefault, command: form.command)
        }
        let isGroup = !command.subcommands.isEmpty
        let usage = forms.enumerated().flatMap { index, form in
            let first = Word((index == 0 ? "Usage: " : "       ").utf8) + program + Word(" \(form.text)".utf8)
            return HelpText.wrapped(Synopsis.pieces(form.command).map { $0[...] }, indent: 11, first: first)
        }
        let about = HelpText.about(command, indent: 0)
        let options = isGroup ? [] : HelpText.optionLines(command.allOptions, indent: 2)
        let subcommands =
            !isGroup
            ? []
            : forms.flatMap { form in
                [[], Word("\(form.text):".utf8)] + HelpText.about(form.command, indent: 2)
                    + HelpText.optionLines(form.command.allOptions, indent: 4)
            }
        let discussion = command.discussion.flatMap {
            [[]] + HelpText.wrapped($0.split(separator: " "), indent: 0, first: [])
        }
        let lines = usage + [[]] + about + (options.isEmpty ? [] : [[]] + options) + subcommands + discussion
        text = Word(lines.map { $0 + [.newline] }.joined())
    }

    private static let width = 79

    private static func about(_ command: Command, indent: Int) -> [Word] {
        let others = command.aliases.isEmpty ? "" : " Also: \(command.aliases.joined(separator: ", "))."
        let words = (command.summary + others).split(separator: " ")
        return wrapped(words, indent: indent, first: Word(repeating: .space, count: indent))
    }

    private static func paragraph(_ form: CommandForm, _ program: Word, asDropIn: Bool) -> [Word] {
        let pieces = Synopsis.pieces(form.command, asDropIn: asDropIn).map { $0[...] }
        let head = Word("    ".utf8) + program + Word(" \(form.text)".utf8)
        // That of pass is one line, however long.
        let usage =
            asDropIn
            ? [head + pieces.flatMap { [.space] + Word($0.utf8) }] : wrapped(pieces, indent: 11, first: head)
        return usage + about(form.command, indent: 8)
            + optionLines(form.command.allOptions, indent: 10)
    }

    private static func optionLines(_ options: [Option], indent: Int) -> [Word] {
        let labels = options.map { option in
            (option.short.map { "-\($0), " } ?? "    ") + "--\(option.long)" + valueText(option.value)
        }
        let column = indent + (labels.map(\.count).max() ?? 0) + 2
        return zip(labels, options).flatMap { label, option in
            let first = Word(repeating: .space, count: indent) + Word(label.utf8)
            let padding = Word(repeating: .space, count: column - first.count)
            return wrapped(option.summary.split(separator: " "), indent: column, first: first + padding)
        }
    }

    private static func valueText(_ value: Option.Value) -> String {
        switch value {
        case .none: ""
        case .required(let name): "=\(name)"
        case .optional(let name): "[=\(name)]"
        }
    }

    /// Breaks a text into lines between `pieces`; the first one begins with `first`, the others are indented.
    private static func wrapped(_ pieces: [Substring], indent: Int, first: Word) -> [Word] {
        var lines = [first]
        for piece in pieces {
            let line = lines[lines.count - 1]
            if line.count <= indent {
                lines[lines.count - 1] = line + Word(piece.utf8)
            } else if line.count + 1 + piece.utf8.count <= width {
                lines[lines.count - 1] = line + [.space] + Word(piece.utf8)
            } else {
                lines.append(Word(repeating: .space, count: indent) + Word(piece.utf8))
            }
        }
        return lines
    }
}
