/// What the packet headers of an OpenPGP message tell without a key and without a process.
///
/// Binary and armoured messages, old and new packet headers and partial lengths are understood. No input makes it
/// crash, and nothing is read but the headers and the packets that name recipients.
/// Source: RFC 9580, sections 4.2 (headers), 5.1 (tag 1), 5.3 (tag 3), 5.7 and 5.13 (tags 9 and 18), and 6 (armour);
/// tag 20 is GnuPG's own form of authenticated encryption.
public struct MessagePackets: Sendable, Hashable {
    /// How changes of the ciphertext are noticed.
    public enum Protection: Sendable, Hashable {
        /// Not at all (tag 9).
        case none
        /// By a hash at the end (tag 18, version 1).
        case modificationDetection
        /// By authenticated encryption (tag 20, or tag 18 of version 2).
        case authenticated
    }

    /// How the message ends.
    public enum Ending: Sendable, Hashable {
        /// With the last byte of its last packet.
        case whole
        /// In the middle of a packet, or without any encrypted data.
        case truncated
        /// With something after the encrypted data, such as a second message.
        case trailingBytes
    }

    /// The public keys it is encrypted to, in the order of the message; ``KeyID/hidden`` for each unnamed one.
    public private(set) var recipients: [KeyID] = []

    /// How many passphrases decrypt it.
    public private(set) var passphraseCount = 0

    /// How the encrypted data are protected; `nil` when there are none.
    public private(set) var protection: Protection?

    /// How the message ends.
    public private(set) var ending = Ending.truncated

    /// How many bytes stand before the encrypted data.
    private(set) var keyLength = 0

    /// Whether there are encrypted data; a signed, compressed or literal message has none.
    public var isEncrypted: Bool { protection != nil }

    /// Whether a change of the ciphertext would be noticed.
    public var hasIntegrityProtection: Bool { isEncrypted && protection != Protection.none }

    /// Reads the headers of `message`.
    ///
    /// - Throws: ``MalformedMessage`` when the bytes cannot be an OpenPGP message at all. A message that is merely not
    ///   encrypted, or is cut within its encrypted data, is described and not thrown.
    public init(_ message: Span<UInt8>) throws(MalformedMessage) {
        if Armor.isBinary(message) {
            try read(message)
        } else {
            let armor = try Armor(message, label: "PGP MESSAGE")
            try read(armor.bytes.span)
            if ending == .whole, armor.hasTrailingText { ending = .trailingBytes }
        }
    }

    /// The public keys that `message` is encrypted to; no process is started and no key is needed.
    ///
    /// - Throws: ``MalformedMessage`` when the bytes are not an encrypted OpenPGP message.
    public static func recipients(of message: Span<UInt8>) throws(MalformedMessage) -> [KeyID] {
        let packets = try MessagePackets(message)
        guard packets.isEncrypted else { throw .notEncrypted }
        return packets.recipients
    }

    private mutating func read(_ message: Span<UInt8>) throws(MalformedMessage) {
        var cursor = PacketCursor()
        while cursor.offset < message.count {
            let start = cursor.offset
            let header = try cursor.header(in: message)
            switch header.tag {
            case .publicKeySession:
                recipients.append(recipient(of: try cursor.body(header, in: message), in: message))
            case .passphraseSession:
                _ = try cursor.body(header, in: message)
                passphraseCount += 1
            case .marker, .padding:
                _ = try cursor.body(header, in: message)
            case .encrypted, .protected, .authenticated:
                keyLength = start
                return readData(header, &cursor, message)
            default:
                return
            }
        }
    }

    private mutating func readData(
        _ header: PacketHeader,
        _ cursor: inout PacketCursor,
        _ message: Span<UInt8>
    ) {
        let isSecondVersion = cursor.offset < message.count && message[cursor.offset] == 2
        protection =
            switch header.tag {
            case .encrypted: Protection.none
            case .protected where !isSecondVersion: .modificationDetection
            default: .authenticated
            }
        guard cursor.skip(header.length, in: message) else { return }
        ending = cursor.offset == message.count ? .whole : .trailingBytes
    }

    /// A packet of an unknown version names nobody that we could tell, and so counts as unnamed.
    private func recipient(of body: Range<Int>, in message: Span<UInt8>) -> KeyID {
        let packet = message.extracting(body)
        guard let version = packet.isEmpty ? nil : packet[0] else { return .hidden }
        switch version {
        case 2, 3: return keyID(at: 1, in: packet)
        case 6:
            // A length, the version of the key and its fingerprint; no length, no name.
            guard packet.count > 2, packet[1] > 1 else { return .hidden }
            let end = 2 + Int(packet[1])
            return packet[2] == 4 ? keyID(at: end - 8, in: packet) : keyID(at: 3, in: packet)
        default: return .hidden
        }
    }

    private func keyID(at offset: Int, in packet: Span<UInt8>) -> KeyID {
        guard offset >= 0, offset + 8 <= packet.count else { return .hidden }
        return KeyID(rawValue: (offset..<offset + 8).reduce(0) { $0 << 8 | UInt64(packet[$1]) })
    }
}

/// Why bytes are not the OpenPGP message that they should be.
public enum MalformedMessage: Error, Sendable, Hashable {
    /// They are neither OpenPGP packets nor armour.
    case notOpenPGP
    /// They end within a packet header or within a packet that names a recipient.
    case truncated
    /// A packet header makes no sense.
    case badHeader
    /// The armour has characters or a shape that it cannot have.
    case badArmor
    /// They are an OpenPGP message, which nobody encrypted.
    case notEncrypted
}
