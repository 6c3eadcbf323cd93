internal import SecretMemory

/// How a component that does not fit stands in a path: its beginning, `%long=`, and a hash of the whole.
///
/// Values cannot look like that: the encoding writes their percent signs as `%25`.
extension PathComponent {
    /// The longest component in bytes, without `.gpg`; with `.gpg`, one byte of a file system's usual 255 is left.
    static let longest = 250

    /// What a shortened component leaves free: pass's `generate --in-place` adds up to 31 bytes to a file's name.
    private static let spare = 30

    private static let mark = Array("%long=".utf8)
    /// Half of a SHA-256: whoever chooses one name still needs 2^128 attempts to find another for its path.
    private static let digits = 32

    /// Shortens `text`, a component with its marks, to at most `room` bytes; text that fits is left as it is.
    ///
    /// - Throws: `errSecNotAvailable` when there is no hash.
    static func fit(_ text: [UInt8], to room: Int = longest) throws(StatusError) -> [UInt8] {
        guard text.count > room else { return text }
        let digest = try Digest.sha256(text).flatMap { Array($0.hexadecimal) }
        let end = cut(in: text, before: room - spare - mark.count - digits)
        return text[..<end] + mark + digest.prefix(digits)
    }

    /// The beginning that a shortened component shows; nil for a component that is whole.
    static func beginning(ofShortened component: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let beginning = component.dropLast(mark.count + digits)
        let rest = component[beginning.endIndex...]
        guard rest.count == mark.count + digits, rest.starts(with: mark),
            rest.dropFirst(mark.count).allSatisfy({ $0.isHexDigit && !(0x41...0x46).contains($0) })
        else { return nil }
        return beginning
    }

    /// Whether `component` is shortened.
    static func isShortened(_ component: ArraySlice<UInt8>) -> Bool {
        beginning(ofShortened: component) != nil
    }

    /// Whether any component of `path` may be shortened.
    static func mayBeShortened(in path: [UInt8]) -> Bool {
        path.count > mark.count + digits && path.contains(percent) && path.firstRange(of: mark) != nil
    }

    /// The end of the longest beginning of at most `limit` bytes that tears no character, escape or mark apart.
    private static func cut(in text: [UInt8], before limit: Int) -> Int {
        var end = limit
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        guard let last = text[..<end].lastIndex(of: percent) else { return end }
        // `%2F`, `%port=`, or the lone sign of an empty piece.
        let isMark = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[last + 1])
        let length = isMark ? 6 : text[last + 1] == percent ? 1 : 3
        return last + length > end ? last : end
    }
}
