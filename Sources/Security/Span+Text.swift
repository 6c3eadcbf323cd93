internal import SecretMemory
internal import Unix

extension Span<UInt8> {
    /// Whether `prefix` stands at `start`.
    func starts(with prefix: [UInt8], at start: Int) -> Bool {
        guard start + prefix.count <= count else { return false }
        return prefix.indices.allSatisfy { self[start + $0] == prefix[$0] }
    }

    /// The ranges of its lines, without their line feeds.
    ///
    /// What follows the last line feed is a line, if not empty.
    var lines: [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for index in indices where self[index] == UInt8(ascii: "\n") {
            lines.append(start..<index)
            start = index + 1
        }
        return start < count ? lines + [start..<count] : lines
    }

    /// Whether it is UTF-8 without control characters, U+0080 to U+009F included: terminals obey those, too.
    var isTextWithoutControls: Bool {
        var index = 0
        while index < count {
            guard let (scalar, length) = character(at: index) else { return false }
            if scalar < 0x20 || (0x7F...0x9F).contains(scalar) { return false }
            index += length
        }
        return true
    }

    /// `range` without the blanks, tabs and carriage returns at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> { range.trimmed { self[$0].isBlankOrReturn } }

    /// A copy of the bytes in `range`, for what is not secret.
    func copy(_ range: Range<Int>) -> [UInt8] { range.map { self[$0] } }
}
