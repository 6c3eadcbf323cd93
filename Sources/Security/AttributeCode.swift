/// The name of an attribute in a dictionary: Apple's four letters, as `acct`.
struct AttributeCode: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let account = Self(rawValue: "acct")
    static let service = Self(rawValue: "svce")
    static let server = Self(rawValue: "srvr")
    static let group = Self(rawValue: "agrp")
    static let synchronizable = Self(rawValue: "sync")
    static let accessible = Self(rawValue: "pdmn")
    static let accessControl = Self(rawValue: "accc")
    static let created = Self(rawValue: "cdat")
    static let modified = Self(rawValue: "mdat")
}

extension AttributeCode: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension AttributeCode: Comparable {
    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
