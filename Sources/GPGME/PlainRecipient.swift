internal import SecretMemory

/// A recipient whose keys can be told from those of others, where gpg listed the keys of several at once.
///
/// That is certain of two kinds of text: an ID or a fingerprint, and a mail address.
enum PlainRecipient {
    case id(KeyIDText)
    /// In small letters, without angle brackets.
    case address([UInt8])

    /// Answers `nil` for any other text; blanks at the ends do not count.
    init?(_ text: [UInt8]) {
        if let id = KeyIDText(text) {
            self = .id(id)
        } else if let address = exactAddress(text) {
            self = .address(address)
        } else {
            return nil
        }
    }

    /// What gpg is asked for.
    var pattern: [UInt8] {
        switch self {
        case .id(let id): id.digits
        case .address(let text): [UInt8(ascii: "<")] + text + [UInt8(ascii: ">")]
        }
    }

    /// Whether gpg lists `key` for it.
    func fits(_ key: Key) -> Bool {
        switch self {
        case .id(let id): key.subkeys.contains(where: id.names)
        case .address(let address): key.userIDs.contains { $0.address.map(\.lowercased) == address }
        }
    }
}
