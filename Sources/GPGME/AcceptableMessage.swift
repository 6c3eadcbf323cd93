internal import SecretMemory

/// A message that may be handed to GnuPG: exactly one, encrypted to public keys, with integrity protection, and
/// nothing behind it.
package struct AcceptableMessage: Sendable {
    /// Its packets, without armour: GnuPG gets what was looked at, and not a text in which it might find others.
    package let bytes: [UInt8]
    /// What their headers tell.
    package let packets: MessagePackets

    /// Reads a message, binary or armoured.
    ///
    /// - Throws: ``GPGMEError`` of operation `decrypt`: `noData`, `truncated`, `badData`, `notSupported`,
    ///   `unsupportedProtection`.
    package init(_ ciphertext: [UInt8]) throws(GPGMEError) {
        let binary = Armor.isBinary(ciphertext.span) ? ciphertext : try Self.packets(in: ciphertext.span)
        packets = try MessagePackets(acceptable: binary.span)
        bytes = binary
    }

    private static func packets(in text: Span<UInt8>) throws(GPGMEError) -> [UInt8] {
        let armor: Armor
        do throws(MalformedMessage) {
            armor = try Armor(text, label: "PGP MESSAGE")
        } catch {
            throw GPGMEError(.decrypt, error == .truncated ? .truncated : .noData)
        }
        guard !armor.hasTrailingText else { throw GPGMEError(.decrypt, .badData) }
        return armor.bytes
    }

    /// The packets that hold the session key, with encrypted data behind them that nobody wrote and that are too short
    /// to hold anything.
    ///
    /// GnuPG asks for all that it takes to find the session key, and then has nothing to ask for.
    var withoutContents: [UInt8] {
        let tagAndVersion: [UInt8] = [0xD2, 19, 1]
        let data = (0..<18).map { _ in UInt8.random(in: 0...255) }
        return Array(bytes[..<packets.keyLength]) + tagAndVersion + data
    }
}
