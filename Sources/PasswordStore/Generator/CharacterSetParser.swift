/// Reads the text of a set as `tr` does.
struct CharacterSetParser {
    typealias Failure = CharacterSet.Failure

    /// A character of a set: ASCII, another one of Unicode, or a byte from 128 on that belongs to none.
    enum Value: Hashable, Comparable {
        case character(UInt32)
        case byte(UInt8)

        var bytes: [UInt8] {
            switch self {
            case .character(let value): Unicode.Scalar(value).map { Array(String($0).utf8) } ?? []
            case .byte(let byte): [byte]
            }
        }
    }

    /// A character of the text, and whether a backslash before it took its special meaning away.
    private struct Unit {
        let value: Value
        let isEscaped: Bool

        func isSpecial(_ scalar: Unicode.Scalar) -> Bool { !isEscaped && value == .character(scalar.value) }
    }

    private let units: [Unit]
    private var values: Set<Value> = []

    init(_ text: [UInt8]) { units = Self.units(of: text) }

    /// The characters of the set.
    mutating func parse() throws(Failure) -> Set<Value> {
        var place = 0
        while place < units.count {
            if let next = try parseBracket(at: place) {
                place = next
            } else if place + 2 < units.count, units[place + 1].isSpecial("-") {
                try insertRange(from: units[place].value, to: units[place + 2].value)
                place += 3
            } else {
                values.insert(units[place].value)
                place += 1
            }
        }
        return values
    }

    // MARK: Escapes

    private static func units(of text: [UInt8]) -> [Unit] {
        var units: [Unit] = []
        var rest = text[...]
        while let first = rest.first {
            if first == UInt8(ascii: "\\"), rest.count > 1 {
                rest.removeFirst()
                units.append(Unit(value: escaped(&rest), isEscaped: true))
            } else {
                units.append(Unit(value: character(&rest), isEscaped: false))
            }
        }
        return units
    }

    /// What stands behind a backslash: up to three octal digits of a byte, a letter, or any character for itself.
    private static func escaped(_ rest: inout ArraySlice<UInt8>) -> Value {
        let octal = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        if !octal.isEmpty {
            // Of a number above 255, as in `\400`, tr takes two digits.
            let number = octal.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }
            rest.removeFirst(number > 255 ? 2 : octal.count)
            return value(ofByte: UInt8(number > 255 ? number / 8 : number))
        }
        let letters: [UInt8: UInt8] = [
            UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
            UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
        ]
        if let first = rest.first, let byte = letters[first] {
            rest.removeFirst()
            return value(ofByte: byte)
        }
        return character(&rest)
    }

    private static func value(ofByte byte: UInt8) -> Value {
        byte < 128 ? .character(UInt32(byte)) : .byte(byte)
    }

    private static func character(_ rest: inout ArraySlice<UInt8>) -> Value {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = rest.makeIterator()
        if case .valid(let encoded) = parser.parseScalar(from: &iterator) {
            rest.removeFirst(encoded.count)
            return .character(Unicode.UTF8.decode(encoded).value)
        }
        return .byte(rest.removeFirst())
    }

    // MARK: Ranges

    private mutating func insertRange(from first: Value, to last: Value) throws(Failure) {
        switch (first, last) {
        case (.character(let low), .character(let high)) where low <= high:
            for value in low...high where Unicode.Scalar(value) != nil { values.insert(.character(value)) }
        case (.byte(let low), .byte(let high)) where low <= high:
            for value in low...high { values.insert(.byte(value)) }
        case (.character(let low), .byte(let high)) where low < 128:
            // Only a byte can be meant: tr knows nothing else.
            for value in UInt8(low)...high { values.insert(Self.value(ofByte: value)) }
        default: throw .reversedRange(first: first.bytes, last: last.bytes)
        }
    }

    // MARK: Brackets

    /// Reads `[:NAME:]`, `[=C=]` or `[C*N]`, and answers the place behind it; `nil` when none of these is at `place`.
    private mutating func parseBracket(at place: Int) throws(Failure) -> Int? {
        guard place + 2 < units.count, units[place].isSpecial("[") else { return nil }
        for delimiter: Unicode.Scalar in [":", "="] where units[place + 1].isSpecial(delimiter) {
            guard let end = closing(delimiter, from: place + 2) else { continue }
            if try insertGroup(delimiter, place + 2..<end) { return end + 2 }
        }
        return try insertRepeated(at: place + 1)
    }

    /// The place of a delimiter that has a `]` behind it.
    private func closing(_ delimiter: Unicode.Scalar, from start: Int) -> Int? {
        guard start < units.count - 1 else { return nil }
        return (start..<units.count - 1).first {
            units[$0].isSpecial(delimiter) && units[$0 + 1].isSpecial("]")
        }
    }

    /// Takes the class or the equivalence class in `range`; `false` when it may yet be a repeated `:` or `=`.
    private mutating func insertGroup(_ delimiter: Unicode.Scalar, _ range: Range<Int>) throws(Failure)
        -> Bool
    {
        let operand = units[range].flatMap(\.value.bytes)
        if delimiter == ":" {
            if let members = CharacterClass(rawValue: String(decoding: operand, as: UTF8.self)) {
                for byte in UInt8(0)...127 where members.contains(byte) {
                    values.insert(.character(UInt32(byte)))
                }
                return true
            }
        } else if range.count == 1 {
            values.insert(units[range.lowerBound].value)
            return true
        }
        if !range.isEmpty, isRepeatCount(at: range.lowerBound) { return false }
        throw delimiter == ":" ? .unknownClass(name: operand) : .invalidEquivalence(operand: operand)
    }

    /// Whether `*`, digits and `]` stand there.
    private func isRepeatCount(at place: Int) -> Bool {
        guard place < units.count, units[place].isSpecial("*") else { return false }
        let rest = units[(place + 1)...].drop { Self.digit($0) != nil }
        return rest.first?.isSpecial("]") ?? false
    }

    /// Takes a `C*N]` at `place` and answers the place behind it; `nil` when it is none.
    private mutating func insertRepeated(at place: Int) throws(Failure) -> Int? {
        guard place + 1 < units.count, units[place + 1].isSpecial("*") else { return nil }
        let rest = units[(place + 2)...]
        // As in tr, an escaped character before the `]` makes it text.
        guard let end = rest.firstIndex(where: { $0.isEscaped || $0.isSpecial("]") }), !units[end].isEscaped
        else {
            return nil
        }
        let digits = units[place + 2..<end]
        // A leading 0 makes the number octal. How large it is does not matter, as long as it is one and not 0.
        let base: UInt32 = digits.first.flatMap(Self.digit) == 0 ? 8 : 10
        let isNumber = digits.allSatisfy { (Self.digit($0) ?? base) < base }
        let isZero = digits.allSatisfy { Self.digit($0) == 0 }
        let fits =
            UInt64(String(decoding: digits.flatMap(\.value.bytes), as: UTF8.self), radix: Int(base)) != nil
        guard isNumber, !isZero, fits else { throw .invalidRepeat(count: digits.flatMap(\.value.bytes)) }
        values.insert(units[place].value)
        return end + 1
    }

    private static func digit(_ unit: Unit) -> UInt32? {
        guard !unit.isEscaped, case .character(let value) = unit.value else { return nil }
        return (0x30...0x39).contains(value) ? value - 0x30 : nil
    }
}
