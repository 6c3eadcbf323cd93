/// What the bytes of a file with public keys show without GnuPG, which takes a damaged one for one without keys.
///
/// Source: GnuPG's `kbx/keybox-blob.c` (keybox: blobs, each with its length in 4 bytes and its type), and RFC 9580, section
/// 4.2 (keyrings of packets).
package struct KeyringFile {
    /// Whether it ends with the last byte of its last part.
    package let isWhole: Bool

    /// Reads the lengths of its parts.
    package init(_ bytes: Span<UInt8>) {
        isWhole = Self.isKeybox(bytes) ? Self.hasWholeBlobs(bytes) : Self.hasWholePackets(bytes)
    }

    private static func isKeybox(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 12 else { return false }
        for (offset, byte) in "KBXf".utf8.enumerated() where bytes[8 + offset] != byte { return false }
        return true
    }

    private static func hasWholeBlobs(_ bytes: Span<UInt8>) -> Bool {
        var offset = 0
        while offset < bytes.count {
            guard bytes.count - offset > 4 else { return false }
            var length = 0
            for place in offset..<offset + 4 { length = length << 8 | Int(bytes[place]) }
            guard length > 4, length <= bytes.count - offset else { return false }
            offset += length
        }
        return true
    }

    private static func hasWholePackets(_ bytes: Span<UInt8>) -> Bool {
        var cursor = PacketCursor()
        while cursor.offset < bytes.count {
            guard let header = try? cursor.header(in: bytes), cursor.skip(header.length, in: bytes)
            else { return false }
        }
        return true
    }
}
