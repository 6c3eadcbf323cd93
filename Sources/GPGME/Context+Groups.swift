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
            groups[Array(fields[2]), default: []] += fields[3].split(separator: UInt8(ascii: ";")).map(
                Array.init
            )
        }
        return groups
    }

    private func configuration() throws(GPGMEError) -> [UInt8] {
        guard let program = enginePath else { throw GPGMEError(.listGroups, .invalidEngine) }
        var context: gpgme_ctx_t?
        try GPGMEError.check(gpgme_new(&context), .listGroups)
        defer { gpgme_release(context) }
        try GPGMEError.check(gpgme_set_protocol(context, GPGME_PROTOCOL_SPAWN), .listGroups)
        let home = options.home.map { [Array("--homedir".utf8), $0] } ?? []
        let arguments = [program] + home + ["--list-config", "--with-colons"].map { Array($0.utf8) }
        let output = try DataSink(limit: 16 * 1024 * 1024, for: .listGroups)
        let status = withExtendedLifetime(output) {
            withCStrings(arguments) { arguments in
                gpgme_op_spawn(context, arguments[0], arguments, nil, output.raw, nil, 0)
            }
        }
        try GPGMEError.check(status, .listGroups)
        return output.finish().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    /// Where the gpg of this context is.
    ///
    /// Calls `gpgme_ctx_get_engine_info`.
    private var enginePath: [UInt8]? {
        nodes(gpgme_ctx_get_engine_info(raw), \.next)
            .first { $0.protocol == GPGME_PROTOCOL_OpenPGP }
            .map { bytes(of: $0.file_name) }
    }
}
