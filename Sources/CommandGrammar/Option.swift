/// One command-line word: the bytes the kernel handed over, in no particular encoding and without a final NUL.
package typealias Word = [UInt8]

/// An option of a command: its spellings, what value it takes, and what it does.
///
/// The constant that declares an option is also the key that asks for it: `arguments.contains(force)`.
package struct Option: Hashable, Sendable {
    /// What may or must follow an option.
    package enum Value: Hashable, Sendable {
        /// The option is a switch.
        case none
        /// A value attached (`-pX`, `--path=X`) or in the next word (`-p X`, `--path X`); the text names it in usage.
        case required(String)
        /// A value that counts only when attached (`-c2`, `--clip=2`); the text names it in usage.
        case optional(String)
    }

    /// The long name without its two dashes.
    package let long: String
    /// The short letter without its dash, if there is one.
    package let short: Character?
    /// What may or must follow.
    package let value: Value
    /// What a shell offers for the value.
    package let completes: Completion
    /// Whether the long name counts only when it is typed in full.
    ///
    /// So it is for an option that pass lacks: it changes nothing about what pass's own can be cut short to.
    package let isTypedInFull: Bool
    /// What the option does: one sentence that ends in a period.
    package let summary: String

    /// Describes an option.
    ///
    /// - Precondition: `long` is not empty and has no `=`; `short` is an ASCII letter or digit.
    package init(
        _ long: String,
        _ short: Character? = nil,
        value: Value = .none,
        completes: Completion = .nothing,
        isTypedInFull: Bool = false,
        summary: String
    ) {
        precondition(!long.isEmpty && !long.utf8.contains(.equals), "a long name has no equals sign")
        precondition(short.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? true, "a letter or digit")
        self.long = long
        self.short = short
        self.value = value
        self.completes = completes
        self.isTypedInFull = isTypedInFull
        self.summary = summary
    }

    /// The spellings with their dashes: `-f`, `--force`.
    package var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + long] }

    /// The long name as it is typed, without its dashes.
    var longName: Word { Word(long.utf8) }

    /// The short letter as it is typed, without its dash.
    var shortLetter: UInt8? { short?.asciiValue }
}

/// Options that may be given together, or only one of them.
package enum OptionGroup: Sendable {
    /// An option that goes with all others.
    case any(Option)
    /// Options of which a user may give one only, however often.
    case exclusive([Option])

    /// Options of which a user may give one only, however often.
    package static func oneOf(_ options: Option...) -> OptionGroup { .exclusive(options) }

    /// The options, in the order they were declared.
    package var options: [Option] {
        switch self {
        case .any(let option): [option]
        case .exclusive(let options): options
        }
    }
}
