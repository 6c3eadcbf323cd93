internal import SecretMemory

/// A text that names a key or a subkey by its ID or fingerprint: hexadecimal digits, perhaps behind `0x`, and perhaps
/// a `!` behind them, with which it means that subkey and no other of its key.
package struct KeyIDText: Sendable {
    /// The digits, which also find the key.
    let digits: [UInt8]
    /// Whether there is a `!`.
    package let isExact: Bool

    /// Whether it can mean one key only, as far as anybody can make keys: of short IDs there are too few.
    package var isUnique: Bool { digits.count >= 16 }

    /// Answers `nil` for any other text; blanks at the ends do not count.
    package init?(_ text: [UInt8]) {
        let text = trimmed(text)
        isExact = text.last == UInt8(ascii: "!")
        // gpg knows no `0X`.
        let isPrefixed = text.starts(with: "0x".utf8)
        digits = Array(text.dropFirst(isPrefixed ? 2 : 0).dropLast(isExact ? 1 : 0))
        guard [8, 16, 40, 64].contains(digits.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    }

    /// Whether it is the ID of `subkey`, in a short or a long form, or its fingerprint.
    func names(_ subkey: Key.Subkey) -> Bool {
        let digits = String(decoding: digits, as: UTF8.self).uppercased()
        return subkey.fingerprint?.digits == digits || subkey.keyID.description.hasSuffix(digits)
    }

    /// Whether it names exactly the subkey of one of `ids`, by a `!` behind it.
    package func isNamed(in ids: Set<KeyID>) -> Bool {
        let text = Array(digits.suffix(digits.count == 64 ? 64 : 16))
        let id = digits.count == 64 ? Fingerprint(digits)?.keyID : KeyID(text)
        return isExact && id.map(ids.contains) ?? false
    }

    /// Whether it is, without a `!`, the ID or the fingerprint of one of these primary keys.
    package func isNamed(in keys: Set<Fingerprint>) -> Bool {
        let text = String(decoding: digits, as: UTF8.self).uppercased()
        return !isExact && keys.contains { $0.digits == text || $0.keyID.description == text }
    }
}
