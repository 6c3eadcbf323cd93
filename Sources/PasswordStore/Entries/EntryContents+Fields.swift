public import SecretMemory
internal import Unix

/// Lines of the form `login: alice`.
extension EntryContents {
    /// A line of the form `KEY: VALUE`, as two ranges of the bytes.
    public struct Field: Hashable, Sendable {
        /// What stands before the first colon, without blanks at its ends; not empty.
        public let key: Range<Int>
        /// What follows the colon and the blanks behind it, up to the line end; may be empty.
        public let value: Range<Int>
    }

    /// Where each line lies, without its line end: a line feed, or a carriage return and a line feed.
    ///
    /// A line end closes a line, so there is none behind the last one. ``line(_:)`` keeps the carriage return.
    public var lines: [Range<Int>] {
        bytes.withBytes { bytes in
            var lines: [Range<Int>] = []
            var start = 0
            while start < bytes.count {
                let end = EntryContents.lineEnd(in: bytes, from: start)
                let isCRLF = end < bytes.count && end > start && bytes[end - 1] == UInt8(ascii: "\r")
                lines.append(start..<(isCRLF ? end - 1 : end))
                start = end + 1
            }
            return lines
        }
    }

    /// The first line without its line end, as ``lines`` has it; empty when there is no line.
    ///
    /// - Returns: a copy, wiped when released.
    public var password: SecretBytes { bytes.slice(lines.first ?? 0..<0) }

    /// The fields of the second line and those that follow it, in their order; keys may repeat.
    ///
    /// An address such as `otpauth://…`, where two slashes follow the colon, is no field.
    public var fields: [Field] {
        bytes.withBytes { bytes in lines.dropFirst().compactMap { EntryContents.field(in: bytes, at: $0) } }
    }

    /// The value of the first field whose key is `key`, whatever the case of its ASCII letters; `nil` for none.
    public func value(ofField key: [UInt8]) -> SecretBytes? {
        let wanted = key.map(\.lowercased)
        let field = bytes.withBytes { bytes in
            fields.first { field in
                field.key.count == wanted.count
                    && zip(field.key, wanted).allSatisfy { bytes[$0].lowercased == $1 }
            }
        }
        return field.map { bytes.slice($0.value) }
    }

    private static func field(in bytes: Span<UInt8>, at line: Range<Int>) -> Field? {
        guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }) else { return nil }
        let slash = UInt8(ascii: "/")
        if colon + 2 < line.upperBound, bytes[colon + 1] == slash, bytes[colon + 2] == slash { return nil }
        let key = (line.lowerBound..<colon).trimmed { bytes[$0].isBlank }
        guard !key.isEmpty else { return nil }
        let behind = colon + 1..<line.upperBound
        let start = behind.first { !bytes[$0].isBlank } ?? line.upperBound
        return Field(key: key, value: start..<line.upperBound)
    }
}
