internal import SecretMemory

extension Context {
    /// The groups of the user's `gpg.conf`, by name, with their members as written there.
    ///
    /// Starts `gpg --list-config --with-colons` through `gpgme_op_spawn`; about 2 ms. GPGME's own way,
    /// `gpgme_op_conf_load`, starts `gpgconf` and does not exist after ``Engine/useOpenPGPOnly()``.
    ///
    /// - Throws: ``GPGMEError`` of operation `listGroups`.
    public func groups() throws(GPGMEError) -> [[UInt8]: [[UInt8]]] {
        var groups: [[UInt8]: [[UInt8]]] = [:]
        let text = try output(of: ["--list-config", "--with-colons"], for: .listGroups)
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count == 4, fields[0].elementsEqual("cfg".utf8),
                fields[1].elementsEqual("group".utf8)
            else { continue }
            let members = fields[3].split(separator: UInt8(ascii: ";"))
            groups[unescaped(fields[2]), default: []] += members.map(unescaped)
        }
        return groups
    }

    /// Undoes the `\x3a` with which gpg writes colons and control characters.
    private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] { text.span.unescaped(mark: "\\x") }
}
