internal import SecretMemory
internal import Unix

/// Bytes that somebody else made up, as a terminal may see them.
enum TerminalText {
    /// What stays though a terminal obeys it.
    struct Kept: OptionSet {
        let rawValue: Int

        /// Line ends and tabs, as in the output of a program.
        static let lines = Kept(rawValue: 1)
        /// The sequences that colour text, as grep(1) puts them around a match.
        static let colours = Kept(rawValue: 2)
    }

    /// The bytes with control characters, and characters that hide or reorder others, written as escapes.
    ///
    /// - Parameters:
    ///   - bytes: in any encoding.
    ///   - kept: what stays.
    /// - Returns: UTF-8 without anything else that a terminal would obey.
    static func harmless(_ bytes: [UInt8], keeping kept: Kept = []) -> [UInt8] {
        guard !bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return bytes }
        var result: [UInt8] = []
        write(bytes.span, keeping: kept, to: &result)
        return result
    }

    /// Adds the bytes, written so, to `text`.
    static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) { write(bytes, keeping: [], to: &text) }

    /// The same for a secret; `nil` when there is nothing to escape.
    static func harmless(_ secret: SecretBytes, keeping kept: Kept) -> SecretBytes? {
        var buffer = SecretBuffer(capacity: secret.count)
        let isChanged = secret.withBytes { write($0, keeping: kept, to: &buffer) }
        return isChanged ? buffer.finish() : nil
    }

    /// Writes the bytes with escapes to `sink`, and tells whether there were any.
    @discardableResult
    private static func write(
        _ bytes: Span<UInt8>,
        keeping kept: Kept,
        to sink: inout some ByteSink & ~Copyable
    ) -> Bool {
        var isChanged = false
        var place = 0
        while place < bytes.count {
            let character = bytes.character(at: place)
            var length = character?.length ?? 1
            let keptLength = lengthOfKept(in: bytes, at: place, kept)
            if keptLength > 0 || character.map({ !isHarmful($0.scalar) }) ?? false {
                length = max(keptLength, length)
                for index in place..<place + length { sink.append(bytes[index]) }
            } else {
                isChanged = true
                for byte in escape(character?.scalar, byte: bytes[place]) { sink.append(byte) }
            }
            place += length
        }
        return isChanged
    }

    private static func isHarmful(_ scalar: UInt32) -> Bool {
        scalar < 0x20 || scalar == 0x7F || isHidden(scalar)
    }

    /// An escape that says which character, or which byte, there is.
    private static func escape(_ scalar: UInt32?, byte: UInt8) -> [UInt8] {
        if let scalar, scalar > 0x7F { return Array("\\u{\(String(scalar, radix: 16))}".utf8) }
        return Array("\\x".utf8) + byte.hexadecimal
    }

    /// C1 controls, marks of direction, and characters without width.
    static func isHidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0x9F, 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// How many bytes from `place` stay whatever they are; 0 when they are to be looked at.
    private static func lengthOfKept(in bytes: Span<UInt8>, at place: Int, _ kept: Kept) -> Int {
        switch bytes[place] {
        case 0x09, 0x0A: return kept.contains(.lines) ? 1 : 0
        case 0x0D:
            let endsLine = place + 1 < bytes.count && bytes[place + 1] == 0x0A
            return kept.contains(.lines) && endsLine ? 1 : 0
        case 0x1B: return kept.contains(.colours) ? lengthOfColour(in: bytes, at: place) : 0
        default: return 0
        }
    }

    /// The length of a sequence as grep(1) writes them, `ESC [ digits and semicolons m` or `ESC [ K`; 0 for
    /// anything else.
    ///
    /// An entry with such sequences of its own can colour text with them, and no more.
    private static func lengthOfColour(in bytes: Span<UInt8>, at place: Int) -> Int {
        guard bytes.count - place >= 3, bytes[place + 1] == UInt8(ascii: "[") else { return 0 }
        if bytes[place + 2] == UInt8(ascii: "K") { return 3 }
        for index in (place + 2)..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"): continue
            case UInt8(ascii: "m"): return index + 1 - place
            default: return 0
            }
        }
        return 0
    }
}

/// Where bytes are written one by one.
private protocol ByteSink: ~Copyable {
    mutating func append(_ byte: UInt8)
}

extension Array<UInt8>: ByteSink {}
extension SecretBuffer: ByteSink {}
