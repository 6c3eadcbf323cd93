/// Reading a key URI in place: a secret is looked at, not copied.
extension Span<UInt8> {
    /// `range` without the blanks, tabs and carriage returns at its ends.
    func trimming(_ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, self[first].isBlank { range = first + 1..<range.upperBound }
        while let last = range.last, self[last].isBlank { range = range.lowerBound..<last }
        return range
    }

    /// The first place in `range` that holds `byte`.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        range.first { self[$0] == byte }
    }

    /// Whether `range` starts with the small letters of `text`, or with their capitals.
    func hasPrefix(_ text: String, in range: Range<Int>) -> Bool {
        let wanted = text.utf8
        return wanted.count <= range.count
            && zip(wanted, range).allSatisfy { byte, index in self[index].lowercased == byte }
    }

    /// Whether the decoded bytes of `range` are the small letters of `text`, or their capitals.
    func decodes(_ range: Range<Int>, to text: String) -> Bool {
        var index = range.lowerBound
        for byte in text.utf8 {
            guard index < range.upperBound else { return false }
            guard decodedByte(at: &index, before: range.upperBound).lowercased == byte else { return false }
        }
        return index == range.upperBound
    }

    /// The byte at `index`, or the one that `%` and two hexadecimal digits there stand for; `index` moves behind it.
    ///
    /// A `%` without two digits stands for itself.
    func decodedByte(at index: inout Int, before end: Int) -> UInt8 {
        if self[index] == UInt8(ascii: "%"), index + 2 < end,
            let high = self[index + 1].hexadecimalValue, let low = self[index + 2].hexadecimalValue
        {
            index += 3
            return high << 4 | low
        }
        index += 1
        return self[index - 1]
    }

    /// The decoded bytes of `range`, which are no secret, without blanks at the ends.
    func decoded(_ range: Range<Int>, plusIsBlank: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let isPlus = self[index] == UInt8(ascii: "+")
            let byte = decodedByte(at: &index, before: range.upperBound)
            bytes.append(plusIsBlank && isPlus ? UInt8(ascii: " ") : byte)
        }
        return Array(bytes.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed())
    }
}

extension UInt8 {
    /// Whether it is a blank, a tab or a carriage return.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }

    /// The small letter of a capital one; itself otherwise.
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// What it counts as a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt8? {
        switch lowercased {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: lowercased - 0x57
        default: nil
        }
    }
}
