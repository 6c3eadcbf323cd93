internal import SecretMemory

/// The value of an attribute, in the type that it was given in.
enum AttributeValue: Sendable {
    /// UTF-8 bytes: strings are compared as bytes, without Unicode normalisation.
    case text([UInt8])
    case data([UInt8])
    case number(Int64)
    case date(ItemDate)
    case access(AccessRule)
    /// An attribute that is itself secret, as an internet password's notes.
    case secret(SecretBytes)

    static func text(_ string: String) -> AttributeValue { .text(Array(string.utf8)) }
}

extension AttributeValue {
    /// The bytes by which a value is compared and, in a path, written; a number's are its decimal digits.
    var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .data(let bytes): bytes
        case .number(let number): Array(String(number).utf8)
        case .date(let date): Array(date.text.utf8)
        case .access, .secret: []
        }
    }

    /// Whether an item with this value is found by a query for `other`: the same bytes, whatever their types.
    func matches(_ other: AttributeValue) -> Bool {
        switch (self, other) {
        case (.secret(let one), .secret(let another)): one.isEqual(to: another)
        case (.secret, _), (_, .secret): false
        case (.access(let one), .access(let another)): one == another
        case (.access, _), (_, .access): false
        default: bytes == other.bytes
        }
    }
}

extension AttributeValue: Equatable {
    /// Whether both are the same value of the same type.
    static func == (one: AttributeValue, other: AttributeValue) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one == other
        case (.data(let one), .data(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.date(let one), .date(let other)): one == other
        case (.access(let one), .access(let other)): one == other
        case (.secret(let one), .secret(let other)): one.isEqual(to: other)
        default: false
        }
    }
}
