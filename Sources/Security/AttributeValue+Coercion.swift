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

extension UUID {
    /// Its 16 bytes.
    var bytes: [UInt8] {
        let raw = uuid
        return [
            raw.0, raw.1, raw.2, raw.3, raw.4, raw.5, raw.6, raw.7,
            raw.8, raw.9, raw.10, raw.11, raw.12, raw.13, raw.14, raw.15,
        ]
    }

    /// The UUID of 16 bytes; nil for another number of them.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }
}
