internal import SecretMemory

/// What one character of a typed line looks like.
struct Glyph {
    /// How many bytes it has.
    let length: Int
    /// How many columns it takes.
    let width: Int
    /// Whether the terminal may see the bytes themselves.
    let isPlain: Bool
    /// The bytes, the first one lowest.
    private let bytes: UInt32

    fileprivate init(_ bytes: UInt32, length: Int, width: Int, isPlain: Bool) {
        self.bytes = bytes
        self.length = length
        self.width = width
        self.isPlain = isPlain
    }

    /// One of its bytes.
    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bytes >> (8 * UInt32(index))) }
}

/// What the characters of one encoding look like on a terminal.
///
/// A control character looks like `^A`, and what no terminal can show like `?`.
struct Glyphs {
    private let locale: TextLocale?

    /// - Parameter isUTF8: whether bytes beyond ASCII are UTF-8; else each is a character.
    init(isUTF8: Bool) { locale = isUTF8 ? TextLocale(characters: "C.UTF-8", order: "C") : nil }

    /// Whether bytes beyond ASCII are UTF-8.
    var isUTF8: Bool { locale != nil }

    /// The first glyph of the bytes that `byte` answers by their places; `nil` ends them.
    func glyph(_ byte: (Int) -> UInt8?) -> Glyph {
        guard let first = byte(0) else { return Glyph(0, length: 0, width: 0, isPlain: false) }
        let single = UInt32(first)
        switch first {
        case ..<0x20, 0x7F: return Glyph(single, length: 1, width: 2, isPlain: false)
        case ..<0x80: return Glyph(single, length: 1, width: 1, isPlain: true)
        default: break
        }
        guard let locale else { return Glyph(single, length: 1, width: 1, isPlain: first >= 0xA0) }
        var bytes = InlineArray<4, UInt8>(repeating: 0)
        var packed = single
        bytes[0] = first
        let length = Glyphs.length(first)
        for index in 1..<max(1, length) {
            bytes[index] = byte(index) ?? 0
            packed |= UInt32(bytes[index]) << (8 * UInt32(index))
        }
        guard let character = bytes.span.extracting(..<length).character(at: 0), length > 1 else {
            return Glyph(single, length: 1, width: 1, isPlain: false)
        }
        let width = locale.width(of: character.scalar)
        return Glyph(packed, length: length, width: width ?? 1, isPlain: width != nil)
    }

    /// How many bytes a character has that begins with `first`.
    static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// How many columns `text` takes behind its last line end.
    func width(of text: [UInt8]) -> Int {
        let line = text.suffix(while: { $0 != .lineFeed })
        var (place, width) = (line.startIndex, 0)
        while place < line.endIndex {
            let glyph = glyph { [place] in place + $0 < line.endIndex ? line[place + $0] : nil }
            place += glyph.length
            width += glyph.width
        }
        return width
    }
}

extension Array {
    /// The longest end of it whose elements are all wanted.
    fileprivate func suffix(while isWanted: (Element) -> Bool) -> ArraySlice<Element> {
        let start = lastIndex { !isWanted($0) }.map { $0 + 1 } ?? startIndex
        return self[start...]
    }
}
