/// What a new password must look like.
///
/// ```swift
/// guard PasswordPolicy.standard.accepts(password) else { … }
/// ```
public struct PasswordPolicy: Sendable, Hashable {
    /// How many characters it has.
    public var length: ClosedRange<Int>
    /// The classes of characters of which it has at least one each.
    public var required: Set<CharacterClass>
    /// The characters that count as symbols.
    public var symbols: Set<Character>
    /// Whether letters, digits and those symbols are all that may occur.
    public var allowsOthers: Bool
    /// A regular expression that it must match as a whole; nil for none.
    public var pattern: String?

    /// A class of characters.
    public enum CharacterClass: Sendable, Hashable, CaseIterable {
        /// A to Z and a to z.
        case letter
        /// a to z.
        case lowercase
        /// A to Z.
        case uppercase
        /// 0 to 9.
        case digit
        /// One of the policy's symbols.
        case symbol
    }

    /// Why a password is not good enough.
    public enum Fault: Error, Sendable, Hashable {
        /// It has too few or too many characters.
        case length(Int)
        /// A class of characters does not occur.
        case missing(CharacterClass)
        /// A character may not occur.
        case forbidden(Character)
        /// It does not match the pattern, or the pattern is no regular expression.
        case pattern
    }

    /// Makes a policy.
    ///
    /// ```swift
    /// let policy = PasswordPolicy(length: 12...64, required: [.letter, .digit])
    /// ```
    public init(
        length: ClosedRange<Int>,
        required: Set<CharacterClass> = [],
        symbols: String = "!@#$%^&*()_+=-",
        allowsOthers: Bool = true,
        pattern: String? = nil
    ) {
        self.length = length
        self.required = required
        self.symbols = Set(symbols)
        self.allowsOthers = allowsOthers
        self.pattern = pattern
    }

    /// 8 to 16 characters, with a letter, a digit and one of `!@#$%^&*()_+=-`, and nothing else.
    public static let standard = PasswordPolicy(
        length: 8...16,
        required: [.letter, .digit, .symbol],
        allowsOthers: false
    )

    /// Whether `password` is good enough.
    ///
    /// ```swift
    /// PasswordPolicy.standard.accepts("hunter2!")  // true
    /// ```
    public func accepts(_ password: String) -> Bool {
        do throws(Fault) {
            try check(password)
            return true
        } catch {
            return false
        }
    }

    /// Makes sure that `password` is good enough.
    ///
    /// ```swift
    /// try PasswordPolicy.standard.check("hunter2!")
    /// ```
    ///
    /// - Throws: the first ``Fault`` that it has.
    public func check(_ password: String) throws(Fault) {
        guard length.contains(password.count) else { throw .length(password.count) }
        for one in CharacterClass.allCases where required.contains(one) {
            guard password.contains(where: { contains($0, one) }) else { throw .missing(one) }
        }
        if !allowsOthers {
            let other = password.first {
                !contains($0, .letter) && !contains($0, .digit) && !contains($0, .symbol)
            }
            if let other { throw .forbidden(other) }
        }
        guard let pattern else { return }
        let expression = try? Regex(pattern)
        guard let expression, (try? expression.wholeMatch(in: password)) != nil else { throw .pattern }
    }

    private func contains(_ character: Character, _ one: CharacterClass) -> Bool {
        switch one {
        case .letter: contains(character, .lowercase) || contains(character, .uppercase)
        case .lowercase: Self.isASCII(character, in: "a"..."z")
        case .uppercase: Self.isASCII(character, in: "A"..."Z")
        case .digit: Self.isASCII(character, in: "0"..."9")
        case .symbol: symbols.contains(character)
        }
    }

    /// Goes by the one byte of ASCII: as strings, a letter with a mark on it lies between two letters, too.
    private static func isASCII(_ character: Character, in range: ClosedRange<Unicode.Scalar>) -> Bool {
        character.asciiValue.map { range.contains(Unicode.Scalar($0)) } ?? false
    }
}
