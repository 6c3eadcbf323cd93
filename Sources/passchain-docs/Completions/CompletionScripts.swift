internal import CommandGrammar

/// The scripts that complete a tool's words in bash, zsh and fish.
///
/// For names that only the store, GnuPG or git can tell, a script runs `PROGRAM complete -z -- KIND PREFIX`, which means
/// the same with `POSIXLY_CORRECT` in the environment. KIND is one of ``kinds``, PREFIX what was typed of the word,
/// without quotes. The answer is the full names that begin with PREFIX, sorted, each once and with a NUL behind it. It is
/// one level deep: a folder, with a final slash, stands for all in it. The script for bash asks with `-e` in place of
/// `-z`, since bash keeps no NUL, and reads up to one byte by byte: each name is a line then, `\n` in it a line end, and
/// `\\` a backslash.
struct CompletionScripts: Sendable {
    /// The tool's own name.
    let program: String
    /// The name the tool also goes by where the user has put it in the place of another one.
    let dropIn: String
    /// The subcommands; hidden ones are left out.
    let commands: [Command]
    /// The command that gets all words when the first one is no subcommand.
    let fallback: Command

    /// What a script asks the tool for.
    static let kinds = ["entries", "folders", "entries-and-folders", "keys", "git"]

    /// Describes the tool.
    init(program: String, dropIn: String, commands: [Command], fallback: Command) {
        self.program = program
        self.dropIn = dropIn
        self.commands = commands.filter { !$0.isHidden }
        self.fallback = fallback
    }

    /// All names of all commands that are no options, in the order of the commands.
    var subcommandNames: [String] { commands.flatMap(\.names).filter { !$0.hasPrefix("-") } }

    /// The aliases that look like options, such as `--help`.
    var dashedNames: [String] { commands.flatMap(\.names).filter { $0.hasPrefix("-") } }

    /// A summary as a label next to a candidate: without its period.
    func label(_ summary: String) -> String { summary.hasSuffix(".") ? String(summary.dropLast()) : summary }

    /// `text` with `replacement` in the place of every character that is one of `special`.
    func escaping(_ text: String, _ special: String, with replacement: (Character) -> String) -> String {
        text.map { special.contains($0) ? replacement($0) : String($0) }.joined()
    }
}

extension Completion {
    /// What to ask the tool for, or nil where the tool is not asked.
    var kind: String? {
        switch self {
        case .entry: "entries"
        case .folder: "folders"
        case .entryOrFolder: "entries-and-folders"
        case .keyID: "keys"
        case .gitSubcommand: "git"
        case .nothing, .command, .subcommand, .file: nil
        }
    }

    /// The kind, or a word for what a script does without the tool.
    var word: String {
        switch self {
        case .command: "commands"
        case .subcommand: "subcommands"
        case .file: "files"
        default: kind ?? "nothing"
        }
    }
}

extension Option {
    /// Whether the value may stand in the next word.
    var takesNextWord: Bool { if case .required = value { true } else { false } }

    /// What usage calls the value, if there is one.
    var placeholder: String? {
        switch value {
        case .none: nil
        case .required(let name), .optional(let name): name
        }
    }
}
