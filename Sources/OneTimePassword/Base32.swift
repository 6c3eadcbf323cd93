internal import SecretMemory

/// The keys of one-time passwords as text.
///
/// - Source: RFC 4648, section 6. Reading is lenient about what people and web sites add: small letters, blanks and
///   hyphens between groups, padding or none. It never guesses: `0`, `1` and `8` are errors.
enum Base32 {
    /// The key that a percent-encoded piece of a key URI stands for.
    ///
    /// - Throws: ``OTPError/invalid(_:)`` for a byte that does not belong, and for a length that no key has.
    static func decode(_ text: Span<UInt8>, _ range: Range<Int>) throws(OTPError) -> SecretBytes {
        var key = SecretBuffer(capacity: range.count)
        var pending: UInt32 = 0
        var pendingBits = 0
        var digits = 0
        var isPadded = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = text.unescapedByte(at: &index, before: range.upperBound)
            if byte.isBlankOrReturn || byte == UInt8(ascii: "-") { continue }
            if byte == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded, let value = value(of: byte) else { throw .invalid(.secret) }
            digits += 1
            pending = (pending << 5 | value) & 0xFFF
            pendingBits += 5
            if pendingBits >= 8 {
                pendingBits -= 8
                key.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
            }
        }
        guard digits > 0 else { throw .missing(.secret) }
        // A digit is missing or too many: no whole number of bytes leaves 1, 3 or 6 digits over.
        guard ![1, 3, 6].contains(digits % 8) else { throw .invalid(.secret) }
        return key.finish()
    }

    /// What a base32 digit counts.
    private static func value(of byte: UInt8) -> UInt32? {
        switch byte.lowercased {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte.lowercased - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(byte - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
