internal import CGPGME
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
        for line in try configuration().split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count == 4, fields[0].elementsEqual("cfg".utf8),
                fields[1].elementsEqual("group".utf8)
            else { continue }
            let members = fields[3].split(separator: UInt8(ascii: ";"))
            groups[unescaped(fields[2]), default: []] += members.map(unescaped)
        }
        return groups
    }

    private func configuration() throws(GPGMEError) -> [UInt8] {
        var context: gpgme_ctx_t?
        try GPGMEError.check(gpgme_new(&context), .listGroups)
        defer { gpgme_release(context) }
        try GPGMEError.check(gpgme_set_protocol(context, GPGME_PROTOCOL_SPAWN), .listGroups)
        let home = options.home.map { [Array("--homedir".utf8), $0] } ?? []
        let arguments = [engine.program] + home + ["--list-config", "--with-colons"].map { Array($0.utf8) }
        let output = try DataSink(limit: 16 * 1024 * 1024, for: .listGroups)
        let status = withExtendedLifetime(output) {
            withCStrings(arguments) { arguments in
                gpgme_op_spawn(context, arguments[0], arguments, nil, output.raw, nil, 0)
            }
        }
        try GPGMEError.check(status, .listGroups)
        return output.finish().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// Undoes the `\x3a` with which gpg writes colons and control characters.
    private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] { text.span.unescaped(mark: "\\x") }
}
