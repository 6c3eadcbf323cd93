internal import SecretMemory

/// Base64 (RFC 4648, with padding) on bytes that may be secret; nothing is kept but in wiped memory.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let padding = UInt8(ascii: "=")

    /// Adds the text of `bytes` to `buffer`.
    static func encode(_ bytes: Span<UInt8>, into buffer: inout SecretBuffer) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
            }
            for position in 0..<4 {
                let digit = Int(group >> (18 - 6 * UInt32(position)) & 63)
                buffer.append(position <= count ? alphabet[digit] : padding)
            }
        }
    }

    /// The bytes whose text stands in `range` of `text`; nil when it is none.
    static func decode(_ text: Span<UInt8>, in range: Range<Int>) -> SecretBytes? {
        guard range.count.isMultiple(of: 4) else { return nil }
        var buffer = SecretBuffer(capacity: range.count / 4 * 3)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let isLast = start + 4 == range.upperBound
            let count = significantDigits(text, at: start, isLast: isLast)
            guard count >= 2 else { return nil }
            var group: UInt32 = 0
            for position in 0..<4 {
                let digit = position < count ? value(text[start + position]) : 0
                guard let digit else { return nil }
                group = group << 6 | digit
            }
            // Bits behind the last byte must be zero, so that each value has one text.
            guard group & (0xFFFFFF >> (8 * UInt32(count - 1))) == 0 else { return nil }
            for byte in 0..<count - 1 { buffer.append(UInt8(truncatingIfNeeded: group >> (16 - 8 * byte))) }
        }
        return buffer.finish()
    }

    private static func significantDigits(_ text: Span<UInt8>, at start: Int, isLast: Bool) -> Int {
        guard isLast, text[start + 3] == padding else { return 4 }
        return text[start + 2] == padding ? 2 : 3
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
