/// The name of an attribute in a dictionary: Apple's four letters, as `acct`.
struct AttributeCode: Sendable {
    let rawValue: String
    /// The same, the first letter in the highest byte: every look at an item compares and hashes codes.
    private let number: UInt32

    /// Takes a name of four bytes; nil for any other, which is no attribute's.
    init?(rawValue: String) {
        guard rawValue.utf8.count == 4 else { return nil }
        self.rawValue = rawValue
        number = rawValue.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    static let account: Self = "acct"
    static let service: Self = "svce"
    static let server: Self = "srvr"
    static let group: Self = "agrp"
    static let synchronizable: Self = "sync"
    static let accessible: Self = "pdmn"
    static let accessControl: Self = "accc"
    static let created: Self = "cdat"
    static let modified: Self = "mdat"
}

extension AttributeCode: Hashable {
    static func == (one: Self, other: Self) -> Bool { one.number == other.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension AttributeCode: ExpressibleByStringLiteral {
    init(stringLiteral value: String) {
        guard let code = Self(rawValue: value) else {
            preconditionFailure("the name of an attribute has four letters")
        }
        self = code
    }
}

extension AttributeCode: Comparable {
    static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}
