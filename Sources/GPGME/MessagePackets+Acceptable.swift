extension MessagePackets {
    /// Reads a binary message that may be handed to GnuPG: one message, encrypted to public keys, with integrity
    /// protection, and nothing behind it.
    ///
    /// - Parameter message: the message.
    /// - Throws: ``GPGMEError`` of operation `decrypt`: `noData`, `truncated`, `badData`, `notSupported`,
    ///   `unsupportedProtection`.
    package init(acceptable message: Span<UInt8>) throws(GPGMEError) {
        guard Armor.isBinary(message) else { throw GPGMEError(.decrypt, .noData) }
        do throws(MalformedMessage) {
            self = try MessagePackets(message)
        } catch {
            throw GPGMEError(.decrypt, error == .truncated ? .truncated : .noData)
        }
        guard isEncrypted else { throw GPGMEError(.decrypt, .noData) }
        guard !recipients.isEmpty else { throw GPGMEError(.decrypt, .notSupported) }
        guard hasIntegrityProtection else { throw GPGMEError(.decrypt, .unsupportedProtection) }
        switch ending {
        case .whole: return
        case .truncated: throw GPGMEError(.decrypt, .truncated)
        case .trailingBytes: throw GPGMEError(.decrypt, .badData)
        }
    }

    /// Whether a message that was just made, binary or armoured, is whole and protected, and somebody can read it.
    package static func isFinished(_ message: Span<UInt8>) -> Bool {
        (try? MessagePackets(message))?.isFinished ?? false
    }

    /// The same of the packets.
    package var isFinished: Bool { ending == .whole && hasIntegrityProtection && !recipients.isEmpty }
}
