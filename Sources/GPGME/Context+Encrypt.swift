internal import CGPGME
public import SecretMemory

extension Context {
    /// Encrypts to every one of `recipients`, or to nobody.
    ///
    /// Calls `gpgme_op_encrypt_ext`.
    ///
    /// The texts go to `gpg -r`: fingerprints, key IDs, `SUBKEY!`, user IDs and groups of `gpg.conf` as they are, blanks
    /// at their ends aside, and mail addresses in angle brackets, so that none is taken for a part of another one. They are never taken for options, and never looked up in the network.
    /// As with pass there is no compression, whose effect on the length would tell something of the contents, and a
    /// user's `encrypt-to` adds no reader.
    ///
    /// The options in the user's `gpg.conf` count: `recipient` there adds a reader, `textmode` changes line ends. Whom a
    /// message is for ``MessagePackets`` tells.
    ///
    /// GnuPG takes the first of several keys that fit a text; ask ``encryptionSubkeys(for:groups:)`` first where that
    /// matters.
    ///
    /// - Parameters:
    ///   - plaintext: what to encrypt; it may have no bytes.
    ///   - recipients: whom to encrypt to; at least one.
    ///   - armor: whether to make text in place of binary data.
    /// - Returns: the message.
    /// - Throws: ``EncryptionFailure``, which names each recipient that could not be used, and why.
    public func encrypt(
        _ plaintext: SecretBytes,
        to recipients: [[UInt8]],
        armor: Bool = false
    ) throws(EncryptionFailure) -> [UInt8] {
        // Where gpg ends without a word before it has read all that a pipe takes, GPGME 1.18 waits for ever. Whatever
        // is wrong with more than that is wrong with nothing at all, as a rule.
        if plaintext.count > Self.pipeCapacity { _ = try encrypt(.empty, to: recipients, armor: armor) }
        let lines = try recipientLines(recipients)
        gpgme_set_armor(raw, armor ? 1 : 0)
        let flags = gpgme_encrypt_flags_t(
            GPGME_ENCRYPT_NO_COMPRESS.rawValue | GPGME_ENCRYPT_NO_ENCRYPT_TO.rawValue
        )
        do throws(GPGMEError) {
            let sink = try DataSink(limit: .max, for: .encrypt)
            let status = try plaintext.withUnsafeBytes { (bytes) throws(GPGMEError) in
                try DataSource.lending(bytes, to: .encrypt) { source in
                    withExtendedLifetime(sink) {
                        withCString(lines) { lines in
                            gpgme_op_encrypt_ext(raw, nil, lines, flags, source.raw, sink.raw)
                        }
                    }
                }
            }
            try GPGMEError.check(status, .encrypt)
            return try checkedMessage(sink.finish())
        } catch {
            throw EncryptionFailure(error, recipients: problems(with: recipients, refusals: refusals))
        }
    }

    /// Source: pipe(7).
    private static let pipeCapacity = 64 * 1024

    /// The lines that GPGME turns into `-r` options.
    ///
    /// A first line `--` ends GPGME's own keywords: without it a recipient `--file` would make the next line the name
    /// of a key file, and gpg would encrypt to that key without asking for trust.
    private func recipientLines(_ recipients: [[UInt8]]) throws(EncryptionFailure) -> [UInt8] {
        guard !recipients.isEmpty else { throw EncryptionFailure(GPGMEError(.encrypt, .missingKey)) }
        let unfit = recipients.filter { !isPossibleRecipient($0) }
        guard unfit.isEmpty else {
            throw EncryptionFailure(
                GPGMEError(.encrypt, .invalidValue),
                recipients: unfit.map { RecipientProblem($0, .notARecipient) }
            )
        }
        return recipients.reduce(into: Array("--\n".utf8)) { $0 += exactRecipient($1) + [UInt8(ascii: "\n")] }
    }

    /// Success must be seen: a whole, protected message that somebody can read.
    private func checkedMessage(_ ciphertext: SecretBytes) throws(GPGMEError) -> [UInt8] {
        let message = ciphertext.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        guard MessagePackets.isFinished(message.span) else { throw GPGMEError(.encrypt, .badData) }
        return message
    }

    /// What GnuPG says of recipients, by their texts, which it percent-escapes.
    ///
    /// Calls `gpgme_op_encrypt_result`. gpg stops at the first recipient that it refuses.
    private var refusals: [[UInt8]: GPGMEError.Code] {
        let invalid = nodes(gpgme_op_encrypt_result(raw)?.pointee.invalid_recipients, \.next)
        return invalid.reduce(into: [:]) { refusals, invalid in
            let code = GPGMEError.Code(rawValue: gpgme_err_code(invalid.reason).rawValue)
            refusals[bytes(of: invalid.fpr).span.unescaped()] = code
        }
    }
}
