/// The characters that a generated password may have.
public struct CharacterSet: Hashable, Sendable {
    /// The characters, each once, in the order of their values.
    ///
    /// Each is a byte or the UTF-8 of one character.
    public let characters: [[UInt8]]

    /// What is wrong with the text of a set.
    ///
    /// No case holds anything but pieces of that text.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no character in it.
        case empty
        /// `[:NAME:]` with a name that is no class.
        case unknownClass(name: [UInt8])
        /// `[=C=]` with anything but one character.
        case invalidEquivalence(operand: [UInt8])
        /// `Z-A`, or a range between a character and a byte that is none.
        case reversedRange(first: [UInt8], last: [UInt8])
        /// `[C*N]` with an N that is missing, 0 or no number.
        case invalidRepeat(count: [UInt8])
    }

    /// Reads a set as `LC_ALL=C tr -dc SET` does, which is what pass does with `PASSWORD_STORE_CHARACTER_SET`.
    ///
    /// Characters, ranges (`a-z`), escapes (`\n`, `\\`, `\-`, `\101`), classes (`[:alnum:]`), equivalence classes
    /// (`[=a=]`) and repetitions (`[a*3]`, the same as `a`). Other than with `tr`, a `-` at the start does not make an
    /// option of it, and a character of several bytes in UTF-8 is one character, in ranges too.
    public init(trSet text: [UInt8]) throws(Failure) {
        var parser = CharacterSetParser(text)
        let values = try parser.parse()
        guard !values.isEmpty else { throw .empty }
        characters = values.sorted().map(\.bytes)
    }

    /// The 62 characters `A` to `Z`, `a` to `z` and `0` to `9`: what `pass generate -n` takes.
    public static let alphanumeric = CharacterSet(asciiWhere: CharacterClass.alnum.contains)

    /// The 94 characters of ASCII from `!` to `~`, letters, digits and punctuation without the space: what `pass
    /// generate` takes.
    public static let graphic = CharacterSet(asciiWhere: CharacterClass.graph.contains)

    private init(asciiWhere isMember: (UInt8) -> Bool) {
        characters = (0...127).filter(isMember).map { [$0] }
    }
}

/// The classes of characters that `tr` knows, in the locale `C`.
enum CharacterClass: String {
    case alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit

    /// Whether `byte` is of the class.
    func contains(_ byte: UInt8) -> Bool {
        switch (self, byte) {
        case (.alnum, 0x30...0x39), (.alnum, 0x41...0x5A), (.alnum, 0x61...0x7A): true
        case (.alpha, 0x41...0x5A), (.alpha, 0x61...0x7A): true
        case (.blank, 0x09), (.blank, 0x20): true
        case (.cntrl, 0x00...0x1F), (.cntrl, 0x7F): true
        case (.digit, 0x30...0x39): true
        case (.graph, 0x21...0x7E): true
        case (.lower, 0x61...0x7A): true
        case (.print, 0x20...0x7E): true
        case (.punct, 0x21...0x7E): !Self.alnum.contains(byte)
        case (.space, 0x09...0x0D), (.space, 0x20): true
        case (.upper, 0x41...0x5A): true
        case (.xdigit, 0x30...0x39), (.xdigit, 0x41...0x46), (.xdigit, 0x61...0x66): true
        default: false
        }
    }
}
