/// The hexadecimal digits of a number, from the highest to the lowest, leading zeroes included.
///
/// Each is worked out when it is asked for: the digits of a secret leave no copy behind.
package struct HexadecimalDigits: RandomAccessCollection {
    private let number: UInt64
    private let ten: UInt8

    package let endIndex: Int

    /// Makes the digits of a number of at most 64 bits; `ten` is the letter that stands for ten.
    fileprivate init(_ number: some FixedWidthInteger & UnsignedInteger, ten: UInt8) {
        self.number = UInt64(number)
        self.ten = ten
        endIndex = number.bitWidth / 4
    }

    package var startIndex: Int { 0 }

    /// The digit at `index`, in ASCII.
    package subscript(index: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: number >> UInt64((endIndex - 1 - index) * 4)) & 15
        return value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Its hexadecimal digits with small letters, leading zeroes included.
    package var hexadecimal: HexadecimalDigits { HexadecimalDigits(self, ten: UInt8(ascii: "a")) }

    /// Its hexadecimal digits with capital letters, leading zeroes included.
    package var capitalHexadecimal: HexadecimalDigits { HexadecimalDigits(self, ten: UInt8(ascii: "A")) }
}

extension UInt8 {
    /// What it counts as a hexadecimal digit in either case; `nil` when it is none.
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Whether it is a hexadecimal digit in either case.
    package var isHexDigit: Bool { hexadecimalValue != nil }

    /// How it stands in a text that is percent-encoded: `%` and two digits with capital letters.
    package var percentEncoded: [UInt8] { [UInt8(ascii: "%")] + capitalHexadecimal }
}

extension Span<UInt8> {
    /// The byte that `mark` and two hexadecimal digits at `index` stand for, or the one that is there.
    ///
    /// `index` moves behind it. A `mark` without two digits before `end` stands for itself.
    package func unescapedByte(at index: inout Int, before end: Int, mark: StaticString = "%") -> UInt8 {
        let digits = index + mark.utf8CodeUnitCount
        if digits + 1 < end, starts(with: mark, at: index),
            let high = self[digits].hexadecimalValue, let low = self[digits + 1].hexadecimalValue
        {
            index = digits + 2
            return high << 4 | low
        }
        index += 1
        return self[index - 1]
    }

    /// The bytes, which are no secret, with each `mark` and its two hexadecimal digits undone.
    package func unescaped(mark: StaticString = "%") -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < count { bytes.append(unescapedByte(at: &index, before: count, mark: mark)) }
        return bytes
    }

    private func starts(with mark: StaticString, at index: Int) -> Bool {
        mark.withUTF8Buffer { mark in mark.indices.allSatisfy { self[index + $0] == mark[$0] } }
    }
}
