internal import SecretMemory
internal import Unix

/// How one piece of an item's key stands in a path.
///
/// Percent signs, slashes, control bytes, bytes that are not UTF-8, a leading dot and the dot of a final `.gpg` are
/// written `%XX`; the empty piece is `%`. Marks, as `%sync`, cannot come out of this: they are small letters.
enum PathComponent {
    static let percent = UInt8(ascii: "%")
    private static let suffix = Array(".gpg".utf8)

    /// Writes `piece`.
    static func encode(_ piece: [UInt8]) -> [UInt8] {
        guard !piece.isEmpty else { return [percent] }
        let hasDot = piece.contains(UInt8(ascii: "."))
        if !hasDot, piece.allSatisfy(isPlain) { return piece }
        let suffixDot = hasDot && piece.hasSuffix(suffix) ? piece.count - suffix.count : -1
        var text: [UInt8] = []
        var index = 0
        while index < piece.count {
            let byte = piece[index]
            let isHidden = byte == UInt8(ascii: ".") && (index == 0 || index == suffixDot)
            let length = byte < 0x80 ? 1 : piece.span.character(at: index)?.length ?? 0
            if length == 0 || isHidden || mustBeEscaped(byte) {
                text.append(percent)
                text.append(contentsOf: byte.capitalHexadecimal)
                index += 1
            } else {
                text.append(contentsOf: piece[index..<index + length])
                index += length
            }
        }
        return text
    }

    /// Reads what `encode` writes, and the marks behind it; nil when a percent sign means nothing.
    static func decode(_ text: ArraySlice<UInt8>) -> (piece: [UInt8], marks: ArraySlice<UInt8>)? {
        guard text.contains(percent) else { return (Array(text), []) }
        var piece: [UInt8] = []
        var rest = text
        // A lone percent sign, perhaps with marks behind it: nothing.
        if rest.first == percent, rest.count == 1 || rest.dropFirst().first == percent {
            return ([], rest.dropFirst())
        }
        while let byte = rest.first {
            guard byte == percent else {
                piece.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let code = rest.dropFirst().prefix(2)
            guard let high = code.first.flatMap(value), code.count == 2, let low = code.last.flatMap(value)
            else {
                return code.isEmpty ? nil : (piece, rest)
            }
            piece.append(high << 4 | low)
            rest = rest.dropFirst(3)
        }
        return (piece, rest)
    }

    /// Whether a byte that is no dot stands for itself, whatever is around it: most pieces are of these alone.
    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && !mustBeEscaped(byte) }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte == percent || byte == UInt8(ascii: "/") || byte < 0x20 || byte == 0x7F
    }

    /// What a digit counts; small letters are those of marks.
    private static func value(_ digit: UInt8) -> UInt8? {
        digit < UInt8(ascii: "a") ? digit.hexadecimalValue : nil
    }
}
