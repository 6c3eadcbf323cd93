internal import SecretMemory

/// Whether GnuPG could take `text` for a recipient, and for one only.
package func isPossibleRecipient(_ text: [UInt8]) -> Bool {
    !text.contains(UInt8(ascii: "\n")) && !text.contains(0) && !trimmed(text).isEmpty
}

/// Leaves out blanks and tabs at the ends, as GPGME does with recipients.
package func trimmed(_ text: [UInt8]) -> [UInt8] { Array(text.trimmed(where: \.isBlank)) }
