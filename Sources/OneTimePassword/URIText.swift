internal import SecretMemory

/// Reading a key URI in place: a secret is looked at, not copied.
extension Span<UInt8> {
    /// `range` without the blanks, tabs and carriage returns at its ends.
    func trimming(_ range: Range<Int>) -> Range<Int> { range.trimmed { self[$0].isBlankOrReturn } }

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
            guard unescapedByte(at: &index, before: range.upperBound).lowercased == byte else { return false }
        }
        return index == range.upperBound
    }

    /// The decoded bytes of `range`, which are no secret, without blanks at the ends.
    func decoded(_ range: Range<Int>, plusIsBlank: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let isPlus = self[index] == UInt8(ascii: "+")
            let byte = unescapedByte(at: &index, before: range.upperBound)
            bytes.append(plusIsBlank && isPlus ? UInt8(ascii: " ") : byte)
        }
        return Array(bytes.trimmed(where: \.isBlankOrReturn))
    }
}
