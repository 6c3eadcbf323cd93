internal import SecretMemory

/// A recipient whose keys can be told from those of others, where gpg listed the keys of several at once.
///
/// That is certain of two kinds of text: an ID or a fingerprint, and a mail address with nothing around it, for which
/// gpg takes each key with a user ID that has it within, in whatever case.
enum PlainRecipient {
    case id(KeyIDText)
    /// In small letters.
    case address([UInt8])

    /// Answers `nil` for any other text; blanks at the ends do not count.
    init?(_ text: [UInt8]) {
        if let id = KeyIDText(text) {
            self = .id(id)
        } else if PlainRecipient.isAddress(trimmed(text)) {
            self = .address(trimmed(text).map(\.lowercased))
        } else {
            return nil
        }
    }

    /// What gpg is asked for.
    var pattern: [UInt8] {
        switch self {
        case .id(let id): id.digits
        case .address(let text): text
        }
    }

    /// Whether gpg lists `key` for it.
    func fits(_ key: Key) -> Bool {
        switch self {
        case .id(let id): key.subkeys.contains(where: id.names)
        case .address(let address): key.userIDs.contains { $0.text.map(\.lowercased).contains(address) }
        }
    }

    /// Whether it is an address, of characters that mean nothing else to gpg.
    private static func isAddress(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let first = text.first, isLetterOrDigit(first) else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte.lowercased {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
