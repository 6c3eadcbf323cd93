import SecretMemory

@testable import OneTimePassword

/// What tests may do and the tool may not: secrets that come from text and show as text.
extension SecretBytes {
    convenience init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }

    convenience init(_ text: String) { self.init(Array(text.utf8)) }

    var text: String {
        withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}

/// A key as base32, without padding.
func base32(_ key: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (text, pending, bits) = ("", 0, 0)
    for byte in key {
        (pending, bits) = (pending << 8 | Int(byte), bits + 8)
        while bits >= 5 {
            bits -= 5
            text.append(digits[pending >> bits & 31])
        }
        pending &= 0xFF
    }
    if bits > 0 { text.append(digits[pending << (5 - bits) & 31]) }
    return text
}
