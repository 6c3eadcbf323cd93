internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `passchain complete`: the words that may go on from what was typed.
///
/// The shells' completions ask it.
enum Complete: PassCommand {
    static let null = Option("null", "z", summary: "End each word with a NUL instead of a line end.")
    static let escape = Option(
        "escape",
        "e",
        summary: "Print a line end in a word as \\n, and a backslash as \\\\."
    )

    static let command = Command(
        "complete",
        summary: "Print the names that begin with prefix, for a shell's completion.",
        discussion: [
            "The kinds are entries, folders, entries-and-folders, keys and git. Folders have a slash at the end and come one "
                + "level at a time. Each name is a line; without -z or -e, those with a line end or a tab are left out.",
            "In the place of pass, an entry called complete goes first.",
        ],
        options: [.oneOf(null, escape)],
        operands: [
            Operand("kind", completes: .nothing), Operand("prefix", completes: .nothing, occurs: .optional),
        ],
        isHidden: true
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let prefix = arguments.operand(1) ?? []
        let kind = String(decoding: arguments.operands[0], as: UTF8.self)
        let store = session.store
        let words: [Word]
        switch kind {
        case "entries", "entries-and-folders": words = store.names(beginningWith: prefix, entries: true)
        case "folders": words = store.names(beginningWith: prefix, entries: false)
        case "keys":
            words = try session.asFailure { () throws(StoreError) in try store.keyIDs(beginningWith: prefix) }
        case "git": words = gitCommands(session).filter { $0.starts(with: prefix) }
        default:
            throw Failure(
                "Error: complete knows entries, folders, entries-and-folders, keys and git; not \(kind)."
            )
        }
        if arguments.contains(null) {
            try session.output.writeNames(words, end: 0)
        } else {
            let lines = arguments.contains(escape) ? words.map(escaped) : words.filter(isPlain)
            try session.output.writeNames(lines, end: UInt8(ascii: "\n"))
        }
    }

    /// Whether a word is one line as it is, and without the tab behind which fish expects a description.
    private static func isPlain(_ word: Word) -> Bool {
        !word.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
    }

    /// A word that is one line, whatever is in it.
    private static func escaped(_ word: Word) -> Word {
        let (newline, backslash) = (UInt8(ascii: "\n"), UInt8(ascii: "\\"))
        guard word.contains(where: { $0 == newline || $0 == backslash }) else { return word }
        return word.flatMap { byte in
            switch byte {
            case newline: [backslash, UInt8(ascii: "n")]
            case backslash: [backslash, backslash]
            default: [byte]
            }
        }
    }

    /// The subcommands of the installed git, and the user's aliases.
    private static func gitCommands(_ session: Session) -> [Word] {
        guard let git = session.environment.findProgram(Array("git".utf8)) else { return [] }
        let list = Array("--list-cmds=main,others,alias,nohelpers".utf8)
        // There is nobody to tell at a completion: without an answer there is nothing to propose.
        let outcome = try? Subprocess(git, [list], environment: session.environment).run()
        return (outcome?.output ?? []).split(separator: UInt8(ascii: "\n")).map(Array.init)
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
