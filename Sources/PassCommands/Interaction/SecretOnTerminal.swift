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
    ///   - kept: what stays on a terminal.
    /// - Throws: ``Failure`` when it cannot be written.
    func show(_ secret: SecretBytes, of name: [UInt8], keeping kept: TerminalText.Kept = .lines)
        throws(Failure)
    {
        guard isTerminal, let harmless = TerminalText.harmless(secret, keeping: kept) else {
            return try write(secret)
        }
        warning("\(name) holds control characters, which show as escapes here. A pipe gets them as they are.")
        try write(harmless)
    }
}
