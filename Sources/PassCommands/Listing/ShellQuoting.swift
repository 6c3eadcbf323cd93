internal import Unix

/// Quotes a name for a message as the GNU tools do: `removed 'a b'`, `"it's"`, `'n'$'\n''l'`.
///
/// What it gives is one word to a shell, and has no control character in it.
struct ShellQuoting {
    /// Says which characters can be printed.
    let locale: TextLocale

    /// The name in quotes.
    ///
    /// - Source: the quoting style `shell-escape-always` of coreutils 9.1, as in `rm -v`.
    func quoted(_ name: [UInt8]) -> [UInt8] {
        let characters = locale.characters(of: name)
        if name.contains(Self.quote),
            characters.allSatisfy({ isPlain(name[$0.range], $0.isPrintable, in: name) })
        {
            return [Self.doubleQuote] + name + [Self.doubleQuote]
        }
        var text = [Self.quote]
        var isEscaping = false
        for (range, isPrintable) in characters {
            if name[range] == [Self.quote] {
                text += #"'\''"#.utf8
                isEscaping = false
            } else if isPrintable {
                if isEscaping { text += "''".utf8 }
                isEscaping = false
                text += name[range]
            } else {
                if !isEscaping { text += "'$'".utf8 }
                isEscaping = true
                for byte in name[range] { text += Self.escape(byte) }
            }
        }
        text.append(Self.quote)
        return text
    }

    /// Whether a character means itself between double quotes, in any shell.
    ///
    /// `#` and `~` do so only at the start, braces only alone: elsewhere the GNU tools do not trust them.
    private func isPlain(_ character: ArraySlice<UInt8>, _ isPrintable: Bool, in name: [UInt8]) -> Bool {
        guard isPrintable else { return false }
        guard let byte = character.first, character.count == 1 else { return true }
        switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "~"): return character.startIndex == 0
        case UInt8(ascii: "{"), UInt8(ascii: "}"): return name.count == 1
        default: return !Self.special.contains(byte)
        }
    }

    private static let quote = UInt8(ascii: "'")
    private static let doubleQuote = UInt8(ascii: "\"")
    private static let special = Array(##"!"$&()*;<=>?[\^`|"##.utf8)

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let letters: [UInt8: Character] = [
            7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r",
        ]
        if let letter = letters[byte] { return Array("\\\(letter)".utf8) }
        let octal = String(byte, radix: 8)
        return Array(("\\" + String(repeating: "0", count: 3 - octal.count) + octal).utf8)
    }
}
