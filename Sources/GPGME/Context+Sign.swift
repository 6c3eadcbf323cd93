internal import CGPGME
internal import SecretMemory

extension Context {
    /// Signs `data` with each of `keys`, apart from the data and in binary.
    ///
    /// Calls `gpgme_op_sign`.
    ///
    /// - Parameters:
    ///   - data: what is signed; it may be empty.
    ///   - keys: texts that each name one secret key; gpg uses the newest signing subkey of it.
    /// - Returns: one signature packet for each key.
    /// - Throws: ``GPGMEError`` of operation `sign`: `noSecretKey` when a text fits no secret key,
    ///   `ambiguousName` when it fits several, `missingKey` for no keys, `unusableSecretKey`, `canceled` and others.
    public func signDetached(_ data: [UInt8], by keys: [[UInt8]]) throws(GPGMEError) -> [UInt8] {
        guard !keys.isEmpty else { throw GPGMEError(.sign, .missingKey) }
        gpgme_signers_clear(raw)
        defer { gpgme_signers_clear(raw) }
        for key in keys { try addSigner(key) }
        gpgme_set_armor(raw, 0)
        let sink = try DataSink(limit: .max, for: .sign)
        let status = try DataSource.lending(data.span, to: .sign) { source in
            withExtendedLifetime(sink) { gpgme_op_sign(raw, source.raw, sink.raw, GPGME_SIG_MODE_DETACH) }
        }
        try GPGMEError.check(status, .sign)
        let made = nodes(gpgme_op_sign_result(raw)?.pointee.signatures, \.next)
        guard made.count == keys.count else { throw GPGMEError(.sign, .unusableSecretKey) }
        let signature = sink.finish().withBytes { bytes in bytes.indices.map { bytes[$0] } }
        guard isRowOfSignatures(signature.span) else { throw GPGMEError(.sign, .badData) }
        return signature
    }

    private func addSigner(_ text: [UInt8]) throws(GPGMEError) {
        guard isPossibleRecipient(text) else { throw GPGMEError(.sign, .invalidValue) }
        var status: gpgme_error_t = 0
        var count = 0
        do throws(GPGMEError) {
            try forEachSecretKey([text]) { key in
                count += 1
                // GPGME keeps a reference of its own.
                if count == 1 { status = gpgme_signers_add(raw, key) }
            }
        } catch {
            throw GPGMEError(.sign, error.code)
        }
        guard count > 0 else { throw GPGMEError(.sign, .noSecretKey) }
        guard count == 1 else { throw GPGMEError(.sign, .ambiguousName) }
        try GPGMEError.check(status, .sign)
    }

    /// Judges the signatures on `data` that stand apart from it.
    ///
    /// Calls `gpgme_op_verify`.
    ///
    /// That a call succeeds says nothing: GnuPG reports success for changed data, for unknown, revoked and expired
    /// keys. Ask ``Swift/Array/verdict(trusting:)`` of the answer.
    ///
    /// - Parameters:
    ///   - signature: signature packets and nothing else, binary or armoured. A signed message, which carries data of
    ///     its own, is refused: GnuPG would judge those data and not `data`.
    ///   - data: what is signed.
    /// - Returns: what GnuPG found, in the order of the packets.
    /// - Throws: ``GPGMEError`` of operation `verify`: `noData` when `signature` is anything else, and others.
    public func verifyDetached(_ signature: [UInt8], of data: [UInt8]) throws(GPGMEError) -> [Signature] {
        guard let packets = signaturePackets(signature) else { throw GPGMEError(.verify, .noData) }
        let status = try DataSource.lending(packets.span, to: .verify) { (signature) throws(GPGMEError) in
            try DataSource.lending(data.span, to: .verify) { data in
                gpgme_op_verify(raw, signature.raw, data.raw, nil)
            }
        }
        try GPGMEError.check(status, .verify)
        // Copied before the next call on this context.
        let found = nodes(gpgme_op_verify_result(raw)?.pointee.signatures, \.next).map { signature in
            (
                status: GPGMEError.Code(rawValue: gpgme_err_code(signature.status).rawValue),
                signer: bytes(of: signature.fpr), created: Int64(signature.timestamp)
            )
        }
        return try found.map { (signature) throws(GPGMEError) in
            let fingerprint = Fingerprint(signature.signer)
            return Signature(
                status: signature.status,
                fingerprint: fingerprint,
                keyID: fingerprint?.keyID ?? KeyID(signature.signer),
                primaryFingerprint: try primaryFingerprint(of: signature.signer),
                created: signature.created
            )
        }
    }

    private func primaryFingerprint(of signer: [UInt8]) throws(GPGMEError) -> Fingerprint? {
        guard Fingerprint(signer) != nil || KeyID(signer) != nil else { return nil }
        do throws(GPGMEError) {
            let keys = try keys(matching: [signer])
            return keys.count == 1 ? keys.first?.fingerprint : nil
        } catch {
            throw GPGMEError(.verify, error.code)
        }
    }

    /// The packets of `data`, if they are signatures and nothing else.
    private func signaturePackets(_ data: [UInt8]) -> [UInt8]? {
        if Armor.isBinary(data.span) { return isRowOfSignatures(data.span) ? data : nil }
        // What is not armour either is no signature. A text before it is what was signed in clear text.
        guard let armor = try? Armor(data.span, label: "PGP SIGNATURE") else { return nil }
        guard !armor.hasLeadingText, !armor.hasTrailingText else { return nil }
        return isRowOfSignatures(armor.bytes.span) ? armor.bytes : nil
    }

    private func isRowOfSignatures(_ data: Span<UInt8>) -> Bool {
        var cursor = PacketCursor()
        while cursor.offset < data.count {
            // What cannot be read is no signature.
            guard let header = try? cursor.header(in: data), header.tag == .signature,
                (try? cursor.body(header, in: data)) != nil
            else { return false }
        }
        return !data.isEmpty
    }
}
