internal import SecretMemory
internal import Unix

extension Output {
    /// Writes an entry to standard output: on a pipe exactly as it is, on a terminal without what that would obey.
    ///
    /// An entry that somebody else wrote could otherwise set the clipboard, or rewrite what stands above it.
    ///
    /// - Parameters:
    ///   - secret: an entry, or a part of it.
    ///   - name: the entry's name, for the warning.
    ///   - keepingColours: whether the sequences that colour text stay, as grep(1) puts them around a match.
    /// - Throws: ``Failure`` when it cannot be written.
    func show(_ secret: SecretBytes, of name: [UInt8], keepingColours: Bool = false) throws(Failure) {
        guard isTerminal, let harmless = secret.harmless(keepingColours: keepingColours) else {
            return try write(secret)
        }
        error(
            """
            Warning: \(name) holds control characters, which show as escapes here. A pipe gets them as they are.
            """
        )
        try write(harmless)
    }
}

extension SecretBytes {
    /// With control and hidden characters as escapes, line ends and tabs as they are; `nil` when there are none.
    func harmless(keepingColours: Bool) -> SecretBytes? {
        withBytes { bytes in
            var buffer = SecretBuffer(capacity: bytes.count)
            var isChanged = false
            var place = 0
            while place < bytes.count {
                let colour = keepingColours ? TerminalText.lengthOfColour(in: bytes, at: place) : 0
                if colour > 0 {
                    for index in place..<(place + colour) { buffer.append(bytes[index]) }
                    place += colour
                    continue
                }
                let byte = bytes[place]
                let isLineEnd =
                    byte == 0x0A || byte == 0x09
                    || byte == 0x0D && place + 1 < bytes.count && bytes[place + 1] == 0x0A
                let character = bytes.character(at: place)
                if isLineEnd || character.map({ !TerminalText.isHarmful($0.scalar) }) ?? false {
                    for index in place..<(place + (character?.length ?? 1)) { buffer.append(bytes[index]) }
                } else {
                    isChanged = true
                    buffer.append(TerminalText.escape(character?.scalar, byte: byte).span)
                }
                place += character?.length ?? 1
            }
            return isChanged ? buffer.finish() : nil
        }
    }
}

extension TerminalText {
    fileprivate static func isHarmful(_ scalar: UInt32) -> Bool {
        scalar < 0x20 || scalar == 0x7F || isHidden(scalar)
    }

    /// The length of a sequence as grep(1) writes them, `ESC [ digits and semicolons m` or `ESC [ K`; 0 for anything else.
    ///
    /// An entry with such sequences of its own can colour text with them, and no more.
    fileprivate static func lengthOfColour(in bytes: Span<UInt8>, at place: Int) -> Int {
        guard bytes.count - place >= 3, bytes[place] == 0x1B, bytes[place + 1] == UInt8(ascii: "[") else {
            return 0
        }
        if bytes[place + 2] == UInt8(ascii: "K") { return 3 }
        for index in (place + 2)..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"): continue
            case UInt8(ascii: "m"): return index + 1 - place
            default: return 0
            }
        }
        return 0
    }

    /// An escape that says which character, or which byte, there is.
    fileprivate static func escape(_ scalar: UInt32?, byte: UInt8) -> [UInt8] {
        guard let scalar, scalar > 0x7F else { return escape(byte: byte) }
        return Array("\\u{\(String(scalar, radix: 16))}".utf8)
    }
}
