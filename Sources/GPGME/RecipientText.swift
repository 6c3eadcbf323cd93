internal import SecretMemory

/// Whether GnuPG could take `text` for a recipient, and for one only.
package func isPossibleRecipient(_ text: [UInt8]) -> Bool {
    !text.contains(UInt8(ascii: "\n")) && !text.contains(0) && !trimmed(text).isEmpty
}

/// Leaves out blanks and tabs at the ends, as GPGME does with recipients.
package func trimmed(_ text: [UInt8]) -> [UInt8] { Array(text.trimmed(where: \.isBlank)) }

/// The mail address that `text` means and nothing else, in small letters; `nil` for a text that means something else.
///
/// A text with an `@` and no `<` is one: gpg alone would take it for a part of an address, and `ann@example.org` for
/// `joann@example.org`, too. The marks before which gpg has its own rules stay: `=` for a whole user ID, `*` for a part
/// of one.
func exactAddress(_ text: [UInt8]) -> [UInt8]? {
    let text = trimmed(text)
    guard text.contains(UInt8(ascii: "@")), let first = text.first else { return nil }
    if first == UInt8(ascii: "<") {
        guard text.last == UInt8(ascii: ">"), text.count > 2 else { return nil }
        return text.dropFirst().dropLast().map(\.lowercased)
    }
    guard !text.contains(UInt8(ascii: "<")), !"=*".utf8.contains(first) else { return nil }
    return text.map(\.lowercased)
}

/// What gpg is to be given for `text`: a mail address in angle brackets, with which gpg takes it as a whole.
package func exactRecipient(_ text: [UInt8]) -> [UInt8] {
    exactAddress(text).map { PlainRecipient.address($0).pattern } ?? trimmed(text)
}
