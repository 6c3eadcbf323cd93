internal import SecretMemory

/// The full fingerprint of a key or subkey: 40 hexadecimal digits, or 64 for newer keys.
public struct Fingerprint: Sendable, Hashable {
    /// The digits, in upper case.
    public let digits: String

    /// Makes a fingerprint of hexadecimal digits in either case.
    ///
    /// - Returns: `nil` unless `text` is exactly 40 or 64 digits; a short ID or a part never counts as one.
    public init?(_ text: [UInt8]) {
        guard text.count == 40 || text.count == 64, text.allSatisfy(\.isHexDigit) else { return nil }
        digits = String(decoding: text, as: UTF8.self).uppercased()
    }

    /// The same as `init(_:)` on the UTF-8 bytes of `text`.
    public init?(_ text: String) { self.init(Array(text.utf8)) }

    /// The ID that GnuPG derives: the last 16 digits, or the first 16 of a 64-digit fingerprint.
    public var keyID: KeyID {
        let part = digits.count == 40 ? digits.suffix(16) : digits.prefix(16)
        return KeyID(rawValue: UInt64(part, radix: 16) ?? 0)
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The digits.
    public var description: String { digits }
}
