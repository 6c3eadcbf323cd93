internal import Foundation
internal import SecretMemory

/// What an item's entry holds: the secret, the user's own lines, and fields.
///
/// Line 1 is the secret wherever that can be, so that pass and everything that reads its entries work with it.
struct ItemFields {
    /// The fields but `keychain-data`.
    var attributes = ItemAttributes()
    /// Every line below the first that is not ours, with its line end.
    private(set) var ownLines: SecretBytes
    /// Line 1 without its line feed.
    private(set) var firstLine: SecretBytes
    private(set) var data: DataField
    /// All the bytes of an ordinary entry that is one secret as a whole, as a private key.
    private(set) var wholeFile: SecretBytes?

    /// The field `keychain-data`.
    enum DataField {
        case absent
        /// The item has no secret.
        case none
        /// A secret that is not one line of text.
        case bytes(SecretBytes)
    }

    static let prefix = Array("keychain-".utf8)
    static let wholeFileStart = Array("-----BEGIN ".utf8)

    /// The fields of a new item.
    init(attributes: ItemAttributes, secret: SecretBytes?) {
        self.attributes = attributes
        ownLines = .empty
        firstLine = .empty
        data = .none
        if let secret { replaceSecret(with: secret) }
    }

    /// An entry as it was read.
    init(
        attributes: ItemAttributes,
        firstLine: SecretBytes,
        ownLines: SecretBytes,
        data: DataField,
        wholeFile: SecretBytes? = nil
    ) {
        self.attributes = attributes
        self.firstLine = firstLine
        self.ownLines = ownLines
        self.data = data
        self.wholeFile = wholeFile
    }

    /// The secret; nil for an item that has none.
    ///
    /// A line 1 that is not empty is it, whatever a field says.
    var secret: SecretBytes? {
        if let wholeFile { return wholeFile }
        let line = firstLine.withBytes { line in
            line.count > 0 && line[line.count - 1] == UInt8(ascii: "\r") ? line.count - 1 : line.count
        }
        guard line == 0 else { return firstLine.slice(0..<line) }
        return switch data {
        case .absent: .empty
        case .none: nil
        case .bytes(let bytes): bytes
        }
    }

    /// Puts another secret in place of the present one, in the form that fits it.
    mutating func replaceSecret(with secret: SecretBytes) {
        let staysWhole = wholeFile != nil && Self.isWholeFile(secret)
        wholeFile = staysWhole ? secret : nil
        if Self.isOneLine(secret) {
            firstLine = secret
            data = .absent
        } else {
            firstLine = .empty
            data = .bytes(secret)
        }
    }

    /// Whether `contents` would be read as one secret as a whole.
    static func isWholeFile(_ contents: SecretBytes) -> Bool {
        contents.withBytes { bytes in
            guard bytes.starts(with: wholeFileStart, at: 0) else { return false }
            let mark = prefix + Array("id".utf8)
            return !bytes.lines.contains { bytes.starts(with: mark, at: $0.lowerBound) }
        }
    }

    /// Whether `secret` can stand in line 1 and be read back from there.
    private static func isOneLine(_ secret: SecretBytes) -> Bool {
        secret.withBytes { bytes in
            bytes.isTextWithoutControls && !bytes.starts(with: wholeFileStart, at: 0)
        }
    }
}
