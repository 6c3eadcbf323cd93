// What a byte is in ASCII. Here so that every room sees it, and looks at a secret where it is.

extension UInt8 {
    /// The small letter of an ASCII capital; itself otherwise.
    @inlinable package var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// Whether it is a space or a tab.
    @inlinable package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// Whether it is a space, a tab or a carriage return, which no line of text needs at its end.
    @inlinable package var isBlankOrReturn: Bool { isBlank || self == UInt8(ascii: "\r") }
}

extension BidirectionalCollection {
    /// What is left without the elements at both ends that are to go.
    ///
    /// It serves the places of bytes, too: `range.trimmed { bytes[$0].isBlank }`.
    @inlinable package func trimmed(where isToGo: (Element) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isToGo($0) }), let last = lastIndex(where: { !isToGo($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension BidirectionalCollection<UInt8> {
    /// Whether the bytes end in `suffix`, whose letters are small; with `ignoringCase` their capitals count too.
    package func hasSuffix(_ suffix: [UInt8], ignoringCase: Bool = false) -> Bool {
        count >= suffix.count
            && zip(self.suffix(suffix.count), suffix).allSatisfy {
                (ignoringCase ? $0.lowercased : $0) == $1
            }
    }
}
