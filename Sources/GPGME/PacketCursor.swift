/// The kinds of packets that a message of ours may begin with.
///
/// Source: RFC 9580, section 5.
enum PacketTag: UInt8 {
    case publicKeySession = 1
    case signature = 2
    case passphraseSession = 3
    case encrypted = 9
    case marker = 10
    case protected = 18
    case authenticated = 20
    case padding = 21
    /// Any other: keys, literal and compressed data, unknown ones.
    case other = 0
}

/// One packet header.
struct PacketHeader {
    /// How long a packet says it is.
    enum Length {
        case bytes(Int)
        /// This many bytes, and then another length.
        case partial(Int)
        /// To the end of the data: old headers only.
        case untilEnd
    }

    let tag: PacketTag
    let length: Length
}

/// A place in a row of packets.
///
/// Source: RFC 9580, section 4.2.
struct PacketCursor {
    /// Where the next byte is read.
    private(set) var offset = 0

    /// Reads one header and stands on the first byte of its body.
    mutating func header(in data: Span<UInt8>) throws(MalformedMessage) -> PacketHeader {
        let first = try byte(in: data)
        guard first & 0x80 != 0 else { throw .badHeader }
        let isNewFormat = first & 0x40 != 0
        let tag = PacketTag(rawValue: isNewFormat ? first & 0x3F : first >> 2 & 0x0F) ?? .other
        let length = isNewFormat ? try newLength(in: data) : try oldLength(first & 0x03, in: data)
        return PacketHeader(tag: tag, length: length)
    }

    /// Skips the body of a packet that must have a plain length, and tells where it is.
    mutating func body(_ header: PacketHeader, in data: Span<UInt8>) throws(MalformedMessage) -> Range<Int> {
        guard case .bytes(let count) = header.length else { throw .badHeader }
        guard count <= data.count - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Skips a body of any length.
    ///
    /// - Returns: whether all of it was there.
    mutating func skip(_ length: PacketHeader.Length, in data: Span<UInt8>) -> Bool {
        var length = length
        while true {
            switch length {
            case .untilEnd:
                offset = data.count
                return true
            case .bytes(let count):
                guard count <= data.count - offset else { return false }
                offset += count
                return true
            case .partial(let count):
                guard count <= data.count - offset else { return false }
                offset += count
                guard let next = try? newLength(in: data) else { return false }  // cut within the length
                length = next
            }
        }
    }

    private mutating func byte(in data: Span<UInt8>) throws(MalformedMessage) -> UInt8 {
        guard offset < data.count else { throw .truncated }
        defer { offset += 1 }
        return data[offset]
    }

    private mutating func number(ofBytes count: Int, in data: Span<UInt8>) throws(MalformedMessage) -> Int {
        var number = 0
        for _ in 0..<count { number = number << 8 | Int(try byte(in: data)) }
        return number
    }

    private mutating func newLength(in data: Span<UInt8>) throws(MalformedMessage) -> PacketHeader.Length {
        let first = Int(try byte(in: data))
        return switch first {
        case ..<192: .bytes(first)
        case ..<224: .bytes((first - 192) << 8 + Int(try byte(in: data)) + 192)
        case ..<255: .partial(1 << (first & 0x1F))
        default: .bytes(try number(ofBytes: 4, in: data))
        }
    }

    private mutating func oldLength(
        _ kind: UInt8,
        in data: Span<UInt8>
    ) throws(MalformedMessage) -> PacketHeader.Length {
        kind == 3 ? .untilEnd : .bytes(try number(ofBytes: 1 << Int(kind), in: data))
    }
}
