internal import Unix

/// Bytes that somebody else made up, as a terminal may see them.
enum TerminalText {
    /// The bytes with control characters, and characters that hide or reorder others, written as escapes.
    ///
    /// - Parameters:
    ///   - bytes: in any encoding.
    ///   - keepingLines: whether line ends and tabs stay, as in the output of a program.
    /// - Returns: UTF-8 without anything that a terminal would obey.
    static func harmless(_ bytes: [UInt8], keepingLines: Bool = false) -> [UInt8] {
        guard !isPlain(bytes) else { return bytes }
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let first = bytes[place]
            guard let (scalar, length) = bytes.span.character(at: place) else {
                result += escape(byte: first)
                place += 1
                continue
            }
            if keepingLines, first == 0x0A || first == 0x09 {
                result.append(first)
            } else if first < 0x20 || first == 0x7F {
                result += escape(byte: first)
            } else if isHidden(scalar) {
                result += Array("\\u{\(String(scalar, radix: 16))}".utf8)
            } else {
                result += bytes[place..<place + length]
            }
            place += length
        }
        return result
    }

    /// Whether all are printable ASCII characters.
    private static func isPlain(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    static func escape(byte: UInt8) -> [UInt8] {
        let digits = String(byte, radix: 16)
        return Array("\\x\(digits.count == 1 ? "0" : "")\(digits)".utf8)
    }

    /// C1 controls, marks of direction, and characters without width.
    static func isHidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
