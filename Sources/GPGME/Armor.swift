internal import SecretMemory

/// The bytes within an OpenPGP armour.
///
/// Source: RFC 9580, section 6.
///
/// The checksum is not looked at: GnuPG checks it when it matters.
struct Armor {
    /// What was encoded.
    let bytes: [UInt8]

    /// Whether anything but blank lines stands before it.
    let hasLeadingText: Bool

    /// Whether anything but blank lines follows.
    let hasTrailingText: Bool

    /// Whether `data` are packets as they are: every packet header has its highest bit set, and no text has.
    static func isBinary(_ data: Span<UInt8>) -> Bool { !data.isEmpty && data[0] & 0x80 != 0 }

    /// Decodes the first armour of `label`; text before it is ignored, as GnuPG does.
    init(_ text: Span<UInt8>, label: String) throws(MalformedMessage) {
        let begin = Array("-----BEGIN \(label)-----".utf8)
        let end = Array("-----END \(label)-----".utf8)
        var lines = LineCursor()
        var isBlank = true
        while let line = lines.next(in: text), !Self.isEqual(line, begin, in: text) {
            isBlank = isBlank && line.isEmpty
        }
        hasLeadingText = !isBlank
        guard !lines.isAtEnd(of: text) else { throw .notOpenPGP }
        try Self.skipHeaders(&lines, text)

        var decoder = Base64Decoder()
        var isEnded = false
        while !isEnded, let line = lines.next(in: text) {
            if Self.isEqual(line, end, in: text) {
                isEnded = true
            } else if !line.isEmpty, text[line.lowerBound] != UInt8(ascii: "=") {
                try decoder.take(text.extracting(line))
            }
        }
        guard isEnded else { throw .truncated }
        bytes = try decoder.finish()
        isBlank = true
        while let line = lines.next(in: text) { isBlank = isBlank && line.isEmpty }
        hasTrailingText = !isBlank
    }

    /// The headers end with a blank line; one without a colon shows that the blank line is missing.
    private static func skipHeaders(_ lines: inout LineCursor, _ text: Span<UInt8>) throws(MalformedMessage) {
        while let line = lines.next(in: text) {
            guard !line.isEmpty else { return }
            guard line.contains(where: { text[$0] == UInt8(ascii: ":") }) else { throw .badArmor }
        }
        throw .truncated
    }

    private static func isEqual(_ line: Range<Int>, _ wanted: [UInt8], in text: Span<UInt8>) -> Bool {
        line.count == wanted.count && line.indices.allSatisfy { text[$0] == wanted[$0 - line.lowerBound] }
    }
}

/// Walks over lines; blanks and carriage returns at their ends are left out.
private struct LineCursor {
    private var offset = 0

    func isAtEnd(of text: Span<UInt8>) -> Bool { offset >= text.count }

    mutating func next(in text: Span<UInt8>) -> Range<Int>? {
        guard offset < text.count else { return nil }
        let start = offset
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
        offset = end + 1
        while end > start, text[end - 1].isBlankOrReturn { end -= 1 }
        return start..<end
    }
}

/// Decodes base64 line by line.
private struct Base64Decoder {
    private var bytes: [UInt8] = []
    private var bits: UInt32 = 0
    private var count = 0
    private var isPadded = false

    mutating func take(_ line: Span<UInt8>) throws(MalformedMessage) {
        for index in line.indices {
            if line[index] == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded, let value = Self.value(of: line[index]) else { throw .badArmor }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count % 4 == 0 else { continue }
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        }
    }

    func finish() throws(MalformedMessage) -> [UInt8] {
        switch count % 4 {
        case 0: bytes
        case 2: bytes + [UInt8(bits >> 4 & 0xFF)]
        case 3: bytes + [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        default: throw .badArmor
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
