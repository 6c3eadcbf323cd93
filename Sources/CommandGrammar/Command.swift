/// A subcommand: everything that parsing, usage, help, completions and the man page are derived from.
package struct Command: Sendable {
    /// Who reads the words.
    package enum Parsing: Hashable, Sendable {
        /// GNU getopt's rules; see ``Command/parse(_:posixlyCorrect:)``.
        case getopt
        /// Nobody: every word is an operand, dashes and `--` included. So do pass's `find`, `grep`, `edit` and `git`.
        ///
        /// An option of such a command is one that pass lacks. It counts as the first word only, and not in the place
        /// of pass, where it is a word like any other.
        case verbatim
    }

    /// The name that help and the man page use.
    package let name: String
    /// Other names for the same command.
    package let aliases: [String]
    /// What the command does: one sentence that ends in a period.
    package let summary: String
    /// What follows the command's name in usage lines.
    package let synopsis: String
    /// Paragraphs for the man page, each of which may use ``ManPageText`` markup.
    package let discussion: [String]
    /// The options, in the order help lists them.
    package let options: [OptionGroup]
    /// The operands, in the order they are typed.
    package let operands: [Operand]
    /// The commands behind this one, such as `otp insert`; words that begin with none of their names are the first's.
    package let subcommands: [Command]
    /// Who reads the words.
    package let parsing: Parsing
    /// Whether the list in help and the completions leave the command out, which is for programs.
    package let isHidden: Bool

    /// Describes a command.
    ///
    /// `synopsis` is left out unless pass words the usage line otherwise than the options and operands would have it.
    ///
    /// - Precondition: no option of a command that takes its words verbatim has a value.
    package init(
        _ name: String,
        aliases: [String] = [],
        summary: String,
        synopsis: String? = nil,
        discussion: [String] = [],
        options: [OptionGroup] = [],
        operands: [Operand] = [],
        subcommands: [Command] = [],
        parsing: Parsing = .getopt,
        isHidden: Bool = false
    ) {
        precondition(
            parsing == .getopt || options.flatMap(\.options).allSatisfy { $0.value == .none },
            "a first word has no value"
        )
        self.name = name
        self.aliases = aliases
        self.summary = summary
        self.synopsis = synopsis ?? Synopsis.text(options, operands)
        self.discussion = discussion
        self.options = options
        self.operands = operands
        self.subcommands = subcommands
        self.parsing = parsing
        self.isHidden = isHidden
    }

    /// All options, in the order they were declared, without their grouping.
    package var allOptions: [Option] { options.flatMap(\.options) }

    /// The name and the aliases.
    package var names: [String] { [name] + aliases }

    /// Whether `word` is the command's name or an alias of it.
    package func isCalled(_ word: Word) -> Bool {
        names.contains { $0.utf8.elementsEqual(word) }
    }

    /// The line that tells how the command is used.
    ///
    /// - Parameters:
    ///   - program: the last part of `argv[0]`.
    ///   - typed: the name or alias the user typed.
    ///   - asDropIn: whether the tool runs in the place of pass, whose usage line lacks the options that pass lacks.
    /// - Returns: `Usage: pass rm [--recursive,-r] [--force,-f] pass-name`, without a newline.
    package func usage(program: Word, as typed: Word, asDropIn: Bool = false) -> Word {
        let pieces = Synopsis.pieces(self, asDropIn: asDropIn).map { Word($0.utf8) }
        let words = [Word("Usage:".utf8), program, typed] + pieces
        return Word(words.joined(separator: CollectionOfOne(UInt8.space)))
    }
}
