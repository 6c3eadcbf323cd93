/// The permission bits that new files do not get, as bash's `umask` takes them: `077`, or `u=rwx,g=,o=`.
public struct Umask: Sendable, Hashable {
    /// The bits.
    public let bits: UInt32

    /// What pass uses: nothing for the group, nothing for others.
    public static let standard = Umask(bits: 0o077)

    private init(bits: UInt32) { self.bits = bits }

    /// Reads octal digits, or clauses of who may do what; `nil` for anything else.
    ///
    /// Clauses with `+` and `-` change what ``standard`` allows.
    public init?(_ text: [UInt8]) {
        let text = String(decoding: text, as: UTF8.self)
        if let number = UInt32(text, radix: 8), text.allSatisfy(\.isNumber) {
            guard number <= 0o777 else { return nil }
            bits = number
            return
        }
        var allowed = ~Umask.standard.bits & 0o777
        for clause in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mark = clause.firstIndex(where: { "=+-".contains($0) }),
                let who = Umask.bits(of: clause[..<mark], ["u": 0o700, "g": 0o070, "o": 0o007, "a": 0o777]),
                let what = Umask.bits(
                    of: clause[clause.index(after: mark)...],
                    ["r": 0o444, "w": 0o222, "x": 0o111]
                )
            else { return nil }
            let everybody = who == 0 ? 0o777 : who
            switch clause[mark] {
            case "=": allowed = allowed & ~everybody | what & everybody
            case "+": allowed |= what & everybody
            default: allowed &= ~(what & everybody)
            }
        }
        bits = ~allowed & 0o777
    }

    private static func bits(of letters: Substring, _ meanings: [Character: UInt32]) -> UInt32? {
        var result: UInt32 = 0
        for letter in letters {
            guard let bits = meanings[letter] else { return nil }
            result |= bits
        }
        return result
    }
}
