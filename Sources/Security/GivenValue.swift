internal import Foundation
internal import SecretMemory

/// A value as a caller gave it, in one form for Swift's and Foundation's types.
///
/// Values arrive as Swift or Foundation objects, perhaps wrapped in an `AnyHashable` or an `Optional`.
enum GivenValue {
    case text([UInt8])
    case data(Data)
    case bool(Bool)
    /// A whole number; one that is not whole, or too large, is `other`.
    case number(Int64)
    case date(Date)
    case access(SecAccessControl)
    case user(UUID)
    case null
    case other

    init(_ value: Any) {
        switch value {
        case let wrapped as AnyHashable where type(of: value) == AnyHashable.self:
            self.init(wrapped.base)
        case let text as String: self = .text(Array(text.utf8))
        case let text as NSString: self = .text(Array(String(text).utf8))
        case let data as Data: self = .data(data)
        case let data as NSData: self = .data(Data(referencing: data))
        // Only a Boolean that is one: `as? Bool` would take the number 1 too.
        case let bool as Bool where type(of: value) == Bool.self: self = .bool(bool)
        case let number as NSNumber: self = Self.number(number)
        case let date as Date: self = .date(date)
        case let date as NSDate: self = .date(date as Date)
        case let access as SecAccessControl: self = .access(access)
        case let user as UUID: self = .user(user)
        case is NSNull: self = .null
        default: self = Self.unwrapped(value)
        }
    }

    private static func number(_ number: NSNumber) -> GivenValue {
        // A Boolean in Foundation's dress: there are just these two objects.
        if number === kCFBooleanTrue { return .bool(true) }
        if number === kCFBooleanFalse { return .bool(false) }
        return Int64(exactly: number).map(GivenValue.number) ?? .other
    }

    private static func unwrapped(_ value: Any) -> GivenValue {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return .other }
        return mirror.children.first.map { GivenValue($0.value) } ?? .null
    }
}

extension GivenValue {
    /// True and false of a Boolean or a number; nil for anything else.
    ///
    /// Apple refuses a number here; on Linux the two cannot always be told apart.
    var truth: Bool? {
        switch self {
        case .bool(let bool): bool
        case .number(let number): number != 0
        default: nil
        }
    }

    /// The secret of an item; only data is one.
    var secret: SecretBytes? {
        guard case .data(let data) = self else { return nil }
        return SecretBytes(copying: data)
    }
}

extension SecretBytes {
    /// Copies the bytes of `data`, which the caller goes on owning.
    convenience init(copying data: Data) { self.init(copying: data.span) }
}
