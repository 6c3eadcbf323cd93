internal import SecretMemory

/// The 64-bit ID of a key or subkey, as it stands in messages.
public struct KeyID: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt64

    /// Makes an ID of its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Makes an ID of exactly 16 hexadecimal digits.
    public init?(_ text: [UInt8]) {
        guard text.count == 16, text.allSatisfy(\.isHexDigit) else { return nil }
        guard let number = UInt64(String(decoding: text, as: UTF8.self), radix: 16) else { return nil }
        rawValue = number
    }

    /// Stands in a message for a recipient who is not named (`throw-keyids`, `hidden-recipient`).
    public static let hidden = KeyID(rawValue: 0)
}

extension KeyID: CustomStringConvertible {
    /// 16 hexadecimal digits in upper case.
    public var description: String { String(decoding: rawValue.capitalHexadecimal, as: UTF8.self) }
}

extension KeyID: Comparable {
    /// Orders as the 16 digits sort.
    public static func < (left: KeyID, right: KeyID) -> Bool { left.rawValue < right.rawValue }
}
