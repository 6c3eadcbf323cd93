/// A word of a command line that is no option: what it is called, and how often it occurs.
package struct Operand: Hashable, Sendable {
    /// How many words an operand takes.
    package enum Occurrence: Hashable, Sendable {
        /// Exactly one.
        case once
        /// One or none.
        case optional
        /// One or none; the words after it are accepted and ignored, as pass's `show` does.
        case optionalIgnoringMore
        /// At least one.
        case oneOrMore
        /// Any number, also none.
        case anyNumber

        /// The fewest words that will do.
        var minimum: Int {
            switch self {
            case .once, .oneOrMore: 1
            case .optional, .optionalIgnoringMore, .anyNumber: 0
            }
        }

        /// The most words that will do; nil when there is no limit.
        var maximum: Int? {
            switch self {
            case .once, .optional: 1
            case .optionalIgnoringMore, .oneOrMore, .anyNumber: nil
            }
        }
    }

    /// What usage texts call it.
    package let name: String
    /// What a shell offers for it.
    package let completes: Completion
    /// How many words it takes.
    package let occurs: Occurrence

    /// Describes an operand.
    package init(_ name: String, completes: Completion, occurs: Occurrence = .once) {
        self.name = name
        self.completes = completes
        self.occurs = occurs
    }
}

/// What a shell offers for a word.
package enum Completion: Hashable, Sendable {
    /// Nothing, because the user thinks the word up.
    case nothing
    /// The names of entries.
    case entry
    /// The names of folders of the store.
    case folder
    /// The names of entries and folders.
    case entryOrFolder
    /// What GnuPG knows a key by.
    case keyID
    /// The subcommands of git.
    case gitSubcommand
    /// The names of the tool's own commands.
    case command
    /// The names of the commands behind the one that the operand before this one names.
    case subcommand
    /// Files outside the store.
    case file
}
