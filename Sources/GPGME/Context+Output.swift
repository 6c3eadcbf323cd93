internal import CGPGME
internal import SecretMemory

extension Context {
    /// What gpg writes, started through `gpgme_op_spawn` with nothing of GPGME's own among its options.
    ///
    /// GPGME's ways of listing give gpg a descriptor for its log. Where `logger-fd 1` stands in `gpg.conf`, gpg closes
    /// descriptor 1 for that, opens its trust database as the next descriptor, which is 1, and writes the list there.
    func output(of words: [String], _ texts: [[UInt8]] = [], for operation: GPGMEError.Operation)
        throws(GPGMEError) -> [UInt8]
    {
        var context: gpgme_ctx_t?
        try GPGMEError.check(gpgme_new(&context), operation)
        defer { gpgme_release(context) }
        try GPGMEError.check(gpgme_set_protocol(context, GPGME_PROTOCOL_SPAWN), operation)
        let home = options.home.map { [Array("--homedir".utf8), $0] } ?? []
        let arguments = [engine.program] + home + words.map { Array($0.utf8) } + texts
        let output = try DataSink(limit: 256 * 1024 * 1024, for: operation)
        let status = withExtendedLifetime(output) {
            withCStrings(arguments) { arguments in
                gpgme_op_spawn(context, arguments[0], arguments, nil, output.raw, nil, 0)
            }
        }
        try GPGMEError.check(status, operation)
        return output.finish().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}
