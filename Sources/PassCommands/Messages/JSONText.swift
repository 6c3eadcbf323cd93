internal import SecretMemory
internal import Unix

/// JSON (RFC 8259) while it is being written, secrets included: it lives in memory that is wiped.
///
/// Strings are made of bytes in no particular encoding. What is not UTF-8 becomes U+FFFD, which
/// ``isValid(_:)`` lets the writer tell. Control characters, and characters that hide or reorder others, are
/// escaped, so that a terminal can show the text.
struct JSONText: ~Copyable {
    private var buffer = SecretBuffer(capacity: 256)
    /// Whether something stands before the next value or key.
    private var needsComma = false

    /// Begins an object: keys and values follow.
    mutating func beginObject() { begin("{") }
    /// Ends the innermost object.
    mutating func endObject() { end("}") }
    /// Begins an array: values follow.
    mutating func beginArray() { begin("[") }
    /// Ends the innermost array.
    mutating func endArray() { end("]") }

    /// Writes a key, for which a value must follow.
    mutating func key(_ name: String) {
        string(name)
        append(":")
        needsComma = false
    }

    /// Writes a string of our own.
    mutating func string(_ text: String) { string(Array(text.utf8).span) }

    /// Writes `null`.
    mutating func null() {
        separate()
        append("null")
    }

    /// Writes bytes as a string.
    mutating func string(_ bytes: Span<UInt8>) {
        separate()
        append("\"")
        var index = 0
        while index < bytes.count {
            let character = bytes.character(at: index)
            let length = character?.length ?? 1
            if let character, !JSONText.mustEscape(character.scalar) {
                buffer.append(bytes.extracting(index..<index + length))
            } else {
                escape(character?.scalar ?? 0xFFFD)
            }
            index += length
        }
        append("\"")
    }

    /// Writes a key and a string; where the string is not UTF-8, `KEY_hex` follows with the bytes in hexadecimal.
    mutating func member(_ name: String, _ bytes: [UInt8]) {
        key(name)
        string(bytes.span)
        if !JSONText.isValid(bytes.span) { hexadecimal(name, bytes.span) }
    }

    /// Writes the key `NAME_hex` with the bytes in hexadecimal, two digits each.
    mutating func hexadecimal(_ name: String, _ bytes: Span<UInt8>) {
        key(name + "_hex")
        separate()
        append("\"")
        for index in bytes.indices {
            for digit in bytes[index].hexadecimal { buffer.append(digit) }
        }
        append("\"")
    }

    /// Ends the text with a line end.
    consuming func finish() -> SecretBytes {
        buffer.append(UInt8(ascii: "\n"))
        return buffer.finish()
    }

    /// Whether `bytes` are UTF-8, so that a string of them loses nothing.
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            guard let character = bytes.character(at: index) else { return false }
            index += character.length
        }
        return true
    }

    // MARK: Pieces

    private mutating func append(_ text: StaticString) {
        for byte in text.description.utf8 { buffer.append(byte) }
    }

    private mutating func begin(_ bracket: StaticString) {
        separate()
        append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: StaticString) {
        append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { append(",") }
        needsComma = true
    }

    private mutating func escape(_ scalar: UInt32) {
        switch scalar {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            // Outside the basic plane it is two units of UTF-16.
            let units = scalar > 0xFFFF ? [0xD7C0 + (scalar >> 10), 0xDC00 | scalar & 0x3FF] : [scalar]
            for unit in units {
                append("\\u")
                for digit in UInt16(unit).hexadecimal { buffer.append(digit) }
            }
        }
    }

    private static func mustEscape(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x22, 0x5C, 0x7F: true
        default: TerminalText.isHidden(scalar)
        }
    }
}
