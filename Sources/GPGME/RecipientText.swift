/// Whether GnuPG could take `text` for a recipient, and for one only.
func isPossibleRecipient(_ text: [UInt8]) -> Bool {
    !text.contains(UInt8(ascii: "\n")) && !text.contains(0) && !trimmed(text).isEmpty
}

/// Leaves out blanks and tabs at the ends, as GPGME does with recipients.
func trimmed(_ text: [UInt8]) -> [UInt8] {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = text.firstIndex(where: { !isBlank($0) }),
        let last = text.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(text[first...last])
}
