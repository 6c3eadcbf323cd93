extension UInt8 {
    /// The small letter of an ASCII capital; itself otherwise.
    @inlinable package var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
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
