public import SecretMemory

/// The decrypted bytes of an entry, as lines: the first is the password, the others are the user's own.
public struct EntryContents: Sendable {
    /// All bytes.
    public let bytes: SecretBytes

    /// Looks at `bytes` as lines.
    public init(_ bytes: SecretBytes) { self.bytes = bytes }

    /// The bytes of a line up to its line feed; `nil` when there are not so many lines.
    ///
    /// The carriage return of a CRLF line end is one of these bytes, as for pass.
    ///
    /// - Parameter number: counted from 1.
    /// - Returns: a copy, wiped when released.
    public func line(_ number: Int) -> SecretBytes? {
        guard number >= 1 else { return nil }
        let range = bytes.withBytes { bytes -> Range<Int>? in
            var start = 0
            var line = 1
            while start < bytes.count {
                let end = EntryContents.lineEnd(in: bytes, from: start)
                if line == number { return start..<end }
                start = end + 1
                line += 1
            }
            return nil
        }
        return range.map(bytes.slice)
    }

    /// The bytes with another first line: `line`, a line end, and all that follows the old first line.
    ///
    /// An entry of one line, with or without a line end, or of none, gives `line` and a line end.
    public func replacingFirstLine(with line: SecretBytes) -> SecretBytes {
        var buffer = SecretBuffer(capacity: bytes.count + line.count + 1)
        buffer.append(line)
        buffer.append(UInt8(ascii: "\n"))
        bytes.withBytes { bytes in
            let end = EntryContents.lineEnd(in: bytes, from: 0)
            if end < bytes.count { buffer.append(bytes.extracting((end + 1)...)) }
        }
        return buffer.finish()
    }

    static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        return end
    }
}
