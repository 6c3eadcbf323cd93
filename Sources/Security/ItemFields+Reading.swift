internal import Foundation
internal import SecretMemory

extension ItemFields {
    /// Reads the decrypted contents of an entry at a path of `itemClass`.
    ///
    /// - Throws: `errSecDecode` when a field of ours does not parse, or stands there twice.
    init(reading contents: SecretBytes, of itemClass: ItemClass) throws(StatusError) {
        guard !Self.isWholeFile(contents) else {
            self.init(
                attributes: .ordinary,
                firstLine: .empty,
                ownLines: .empty,
                data: .absent,
                wholeFile: contents
            )
            return
        }
        self = try contents.withBytes { (bytes) throws(StatusError) in
            try ItemFields(lines: bytes, of: itemClass)
        }
    }

    private init(lines bytes: Span<UInt8>, of itemClass: ItemClass) throws(StatusError) {
        var attributes = ItemAttributes()
        var data: DataField?
        var ownLines = SecretBuffer()
        let lines = bytes.lines
        for line in lines.dropFirst() {
            guard let field = try EntryField(bytes, in: line, of: itemClass) else {
                ownLines.append(bytes.extracting(line.lowerBound..<min(line.upperBound + 1, bytes.count)))
                continue
            }
            // Two of one kind, perhaps after a merge: which one counts is not for us to guess.
            let isNew =
                switch field {
                case .identifier(let identifier): attributes.take(identifier)
                case .value(let code, let value): attributes.values.updateValue(value, forKey: code) == nil
                case .data(let field): data.take(field)
                }
            guard isNew else { throw StatusError(errSecDecode) }
        }
        self.init(
            attributes: attributes,
            firstLine: lines.first.map { SecretBytes(copying: bytes.extracting($0)) } ?? .empty,
            ownLines: ownLines.finish(),
            data: data ?? .absent
        )
    }
}

/// A line of ours.
private enum EntryField {
    case identifier(UUID)
    case value(AttributeCode, AttributeValue)
    case data(ItemFields.DataField)
}

extension ItemAttributes {
    /// Reads lines that are nothing but fields.
    ///
    /// - Throws: `errSecDecode` when one does not parse.
    init(
        _ bytes: Span<UInt8>,
        in lines: ArraySlice<Range<Int>>,
        of itemClass: ItemClass
    ) throws(StatusError) {
        self.init()
        for line in lines {
            switch try EntryField(bytes, in: line, of: itemClass) {
            case .identifier(let identifier): self.identifier = identifier
            case .value(let code, let value): values[code] = value
            case .data, nil: throw StatusError(errSecDecode)
            }
        }
    }
}

extension Optional {
    /// Takes `value` when there is none yet, and says whether it did.
    fileprivate mutating func take(_ value: Wrapped) -> Bool {
        guard self == nil else { return false }
        self = value
        return true
    }
}

extension ItemAttributes {
    fileprivate mutating func take(_ identifier: UUID) -> Bool { self.identifier.take(identifier) }
}

extension EntryField {
    /// Reads one line; nil for a line that is not ours, or that we do not know.
    init?(_ bytes: Span<UInt8>, in line: Range<Int>, of itemClass: ItemClass) throws(StatusError) {
        guard bytes.starts(with: ItemFields.prefix, at: line.lowerBound),
            let parts = Parts(bytes, in: line.lowerBound + ItemFields.prefix.count..<line.upperBound)
        else { return nil }
        switch parts.name {
        case "id":
            guard let value = parts.value(bytes), case .text(let text) = value,
                let identifier = UUID(uuidString: String(decoding: text, as: UTF8.self)),
                identifier != PersistentReference.ordinary
            else { throw StatusError(errSecDecode) }
            self = .identifier(identifier)
        case "data":
            guard let data = parts.data(bytes) else { throw StatusError(errSecDecode) }
            self = .data(data)
        default:
            guard let attribute = itemClass.attribute(field: parts.name) else { return nil }
            guard let value = parts.value(bytes, of: attribute.kind) else { throw StatusError(errSecDecode) }
            self = .value(attribute.code, value)
        }
    }
}

/// A field cut into its parts: `name;tag: value` or `name;tag:: base64`.
private struct Parts {
    let name: String
    let tag: String
    let isBase64: Bool
    let range: Range<Int>

    /// The longest name there is, with room to spare; a longer one is nobody's.
    private static let longestName = 40

    init?(_ bytes: Span<UInt8>, in line: Range<Int>) {
        guard let colon = line.prefix(Self.longestName).first(where: { bytes[$0] == UInt8(ascii: ":") })
        else { return nil }
        let words = bytes.copy(line.lowerBound..<colon).split(
            separator: UInt8(ascii: ";"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        name = String(decoding: words[0], as: UTF8.self)
        tag = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
        let start = colon + 1
        isBase64 = start < line.upperBound && bytes[start] == UInt8(ascii: ":")
        range = bytes.trimmed((isBase64 ? start + 1 : start)..<line.upperBound)
    }

    /// The value of a field that is not secret, by its tag; nil when it does not parse.
    func value(_ bytes: Span<UInt8>) -> AttributeValue? {
        let decoded = isBase64 ? Base64.decode(bytes, in: range)?.withBytes { $0.copy(0..<$0.count) } : nil
        guard let raw = isBase64 ? decoded : bytes.copy(range) else { return nil }
        switch tag {
        case "": return String(validating: raw, as: UTF8.self) == nil ? nil : .text(raw)
        case "binary": return .data(raw)
        case "integer": return Int64(String(decoding: raw, as: UTF8.self)).map(AttributeValue.number)
        default: return nil
        }
    }

    /// The value of a field for an attribute of `kind`; nil when it does not parse or is not of that kind.
    func value(_ bytes: Span<UInt8>, of kind: ValueKind) -> AttributeValue? {
        if case .secretData = kind {
            return isBase64 && tag == "binary"
                ? Base64.decode(bytes, in: range).map(AttributeValue.secret) : nil
        }
        guard let value = value(bytes) else { return nil }
        switch (kind, value) {
        case (.date, .text(let text)): return ItemDate(text: text).map(AttributeValue.date)
        case (.accessControl, .text(let text)): return AccessRule(text: text).map(AttributeValue.access)
        case (.accessControl, _): return nil
        default: return try? AttributeValue(GivenValue(value), as: kind)
        }
    }

    /// The field `keychain-data`.
    func data(_ bytes: Span<UInt8>) -> ItemFields.DataField? {
        guard tag.isEmpty else { return nil }
        if isBase64 { return Base64.decode(bytes, in: range).map(ItemFields.DataField.bytes) }
        return bytes.copy(range) == Array("none".utf8) ? ItemFields.DataField.none : nil
    }
}

extension GivenValue {
    /// What a field says, as a caller would have given it.
    fileprivate init(_ value: AttributeValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .data(let data): self = .data(Data(data))
        case .number(let number): self = .number(number)
        case .date(let date): self = .date(date.date)
        case .access, .secret: self = .other
        }
    }
}

extension AccessRule {
    /// Reads `ak 1`: the protection and the flags.
    fileprivate init?(text: [UInt8]) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let protection = Accessible(rawValue: String(words[0])),
            let flags = UInt(words[1])
        else { return nil }
        self.init(protection: protection, flags: flags)
    }
}
