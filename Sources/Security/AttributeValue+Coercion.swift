internal import Foundation
internal import SecretMemory

extension AttributeValue {
    /// Makes of `given` what an attribute of `kind` keeps (SecDbItem.c).
    ///
    /// - Throws: `errSecParam` for a value that the attribute does not take.
    init(_ given: GivenValue, as kind: ValueKind) throws(StatusError) {
        guard let value = Self.coerced(given, as: kind) else { throw StatusError(errSecParam) }
        self = value
    }

    private static func coerced(_ given: GivenValue, as kind: ValueKind) -> AttributeValue? {
        switch kind {
        case .blob: blob(given)
        case .data: data(given).map(AttributeValue.data)
        case .secretData: secret(given).map(AttributeValue.secret)
        case .number: number(given)
        case .date: date(given)
        case .string: string(given)
        case .accessible: accessible(given)
        case .accessControl: accessControl(given)
        case .digest: data(given, counts: [20])
        case .user: user(given)
        }
    }

    private static func blob(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .text(let text): .text(text)
        case .data(let data): .data(Array(data))
        case .number(let number): .number(number)
        default: nil
        }
    }

    private static func data(_ given: GivenValue) -> [UInt8]? {
        switch given {
        case .data(let data): Array(data)
        case .text(let text): text
        case .number(let number):
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        default: nil
        }
    }

    /// Data straight into wiped memory; text and numbers have been elsewhere anyway.
    private static func secret(_ given: GivenValue) -> SecretBytes? {
        given.secret ?? data(given).map { SecretBytes(copying: $0.span) }
    }

    private static func number(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .number(let number): .number(number)
        case .bool(let bool): .number(bool ? 1 : 0)
        case .text(let text): numberOrText(text)
        default: nil
        }
    }

    /// The number that `text` writes in decimal digits, or the text itself: `http` is a protocol, too.
    static func numberOrText(_ text: [UInt8]) -> AttributeValue {
        Int64(String(decoding: text, as: UTF8.self)).map(AttributeValue.number) ?? .text(text)
    }

    private static func date(_ given: GivenValue) -> AttributeValue? {
        guard case .date(let date) = given else { return nil }
        return ItemDate(date).map(AttributeValue.date)
    }

    private static func string(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .text(let text): .text(text)
        case .data(let data): String(validating: data, as: UTF8.self).map { .text($0) }
        default: nil
        }
    }

    private static func accessible(_ given: GivenValue) -> AttributeValue? {
        guard case .text(let text) = given else { return nil }
        return Accessible(rawValue: String(decoding: text, as: UTF8.self)).map { .text($0.rawValue) }
    }

    private static func accessControl(_ given: GivenValue) -> AttributeValue? {
        guard case .access(let control) = given else { return nil }
        return .access(control.rule)
    }

    private static func data(_ given: GivenValue, counts: Set<Int>) -> AttributeValue? {
        guard case .data(let data) = given, counts.contains(data.count) else { return nil }
        return .data(Array(data))
    }

    private static func user(_ given: GivenValue) -> AttributeValue? {
        switch given {
        case .null: .data([])
        case .user(let user): .data(user.bytes)
        default: data(given, counts: [0, 16])
        }
    }
}
