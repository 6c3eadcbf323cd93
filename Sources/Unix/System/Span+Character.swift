extension Span<UInt8> {
    /// The character of UTF-8 that begins at `index`, and how many bytes it has; `nil` when none does (RFC 3629).
    ///
    /// The bytes may be secret, and so they never become a `String` on the way.
    package func character(at index: Int) -> (scalar: UInt32, length: Int)? {
        let first = self[index]
        let length: Int
        let least: UInt32
        switch first {
        case 0x00...0x7F: return (UInt32(first), 1)
        case 0xC2...0xDF: (length, least) = (2, 0x80)
        case 0xE0...0xEF: (length, least) = (3, 0x800)
        case 0xF0...0xF4: (length, least) = (4, 0x1_0000)
        default: return nil
        }
        guard index + length <= count else { return nil }
        var scalar = UInt32(first) & (0x7F >> UInt32(length))
        for next in index + 1..<index + length {
            guard self[next] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(self[next] & 0x3F)
        }
        // Longer than it need be, half of a pair, or too large.
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return nil }
        return (scalar, length)
    }
}
