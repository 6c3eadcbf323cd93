internal import SecretMemory
internal import Unix

extension Output {
    /// Writes an entry to standard output: on a pipe exactly as it is, on a terminal without what that would obey.
    ///
    /// An entry that somebody else wrote could otherwise set the clipboard, or rewrite what stands above it.
    func show(_ secret: SecretBytes, of name: [UInt8]) throws(Failure) {
        guard isTerminal, let harmless = secret.harmless else {
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
    var harmless: SecretBytes? {
        withBytes { bytes in
            var buffer = SecretBuffer(capacity: bytes.count)
            var isChanged = false
            var place = 0
            while place < bytes.count {
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

    /// An escape that says which character, or which byte, there is.
    fileprivate static func escape(_ scalar: UInt32?, byte: UInt8) -> [UInt8] {
        guard let scalar, scalar > 0x7F else { return escape(byte: byte) }
        return Array("\\u{\(String(scalar, radix: 16))}".utf8)
    }
}
