internal import CGPGME
internal import Glibc
public import SecretMemory

/// A message that was decrypted, whole and unchanged.
public struct Decryption: Sendable {
    /// What was encrypted; wiped when released.
    ///
    /// It may have no bytes.
    public let plaintext: SecretBytes

    /// The subkeys it was encrypted to, as the message names them; ``KeyID/hidden`` for an unnamed one.
    public let recipients: [KeyID]
}

extension Context {
    /// The most plaintext that ``decrypt(_:limit:)`` takes unless told otherwise: 256 MiB.
    public static var defaultPlaintextLimit: Int { 256 * 1024 * 1024 }

    /// Decrypts one OpenPGP message, binary or armoured.
    ///
    /// Calls `gpgme_op_decrypt`.
    ///
    /// Not a byte is returned unless GnuPG says that it decrypted the message and found it whole and unchanged.
    /// Anything but exactly one message that is encrypted to public keys with integrity protection is refused before
    /// GnuPG sees it: the user is never asked for a passphrase that only the writer of a file may know.
    ///
    /// The session key is found first, and the message decrypted with it. GnuPG writes that key into its log, which GPGME
    /// reads, but for a `logger-file` in the user's `gpg.conf`.
    ///
    /// - Parameters:
    ///   - ciphertext: the message.
    ///   - limit: the most plaintext, in bytes, against small messages that decompress to huge ones.
    /// - Returns: the plaintext and the recipients.
    /// - Throws: ``GPGMEError`` of operation `decrypt`. Refused here: `noData` (not an encrypted message),
    ///   `truncated`, `badData` (something follows it), `notSupported` (for passphrases only),
    ///   `unsupportedProtection` (without integrity protection), `tooLarge`. From GnuPG: `noSecretKey`,
    ///   `badPassphrase`, `canceled`, `noPinentry`, `decryptionFailed` (damaged) and others.
    public func decrypt(
        _ ciphertext: Span<UInt8>,
        limit: Int = Context.defaultPlaintextLimit
    ) throws(GPGMEError) -> Decryption {
        let message = try AcceptableMessage(ciphertext.indices.map { ciphertext[$0] })
        let key = try sessionKey(of: message)
        let sink = try DataSink(limit: limit, for: .decrypt)
        let status = try withFlag("override-session-key", key) { () throws(GPGMEError) in
            try run(message.bytes, into: sink)
        }
        if sink.isOverfull { throw GPGMEError(.decrypt, .tooLarge) }
        // GPGME does not tell gpg's exit status, nor that old gpg gave nothing for encryption that it does not know.
        let plaintext = sink.finish()
        let problem = statusLog.report.problem(status: 0, size: plaintext.count)
        // GPGME takes a recipient that gpg cannot look up for the reason of anything.
        if let problem, statusLog.report.hasSessionKey { throw GPGMEError(.decrypt, problem) }
        try GPGMEError.check(status, .decrypt)
        if let problem { throw GPGMEError(.decrypt, problem) }
        return Decryption(plaintext: plaintext, recipients: message.packets.recipients)
    }

    /// The session key of a message, as `--override-session-key` takes it.
    ///
    /// Calls `gpgme_op_decrypt`. The user may be asked for what the secret key takes. GnuPG gets the packets that hold
    /// the key and none of the contents: what is in there can ask for nothing.
    ///
    /// - Throws: ``GPGMEError`` of operation `decrypt`: `noSecretKey`, `badPassphrase`, `canceled`, `noPinentry` and
    ///   others.
    package func sessionKey(of message: AcceptableMessage) throws(GPGMEError) -> SecretBytes {
        // Of contents that are none; gpg does not write a byte of them.
        let sink = try DataSink(limit: 4096, for: .decrypt)
        statusLog.hold()
        defer { statusLog.release(before: nil) }
        let isWanted = SecretBytes(copying: [UInt8(ascii: "1")].span)
        let status = try withFlag("export-session-key", isWanted) { () throws(GPGMEError) in
            try run(message.withoutContents, into: sink)
        }
        if let key = gpgme_op_decrypt_result(raw)?.pointee.session_key {
            // What follows is of contents that are none.
            statusLog.release(before: "BEGIN_DECRYPTION")
            let count = strlen(key)
            return key.withMemoryRebound(to: UInt8.self, capacity: count) { start in
                SecretBytes(copying: UnsafeBufferPointer(start: start, count: count).span)
            }
        }
        do throws(GPGMEError) {
            try GPGMEError.check(status, .decrypt)
        } catch {
            throw explain(error, of: message.packets)
        }
        throw GPGMEError(.decrypt, .decryptionFailed)
    }

    private func run(_ message: [UInt8], into sink: DataSink) throws(GPGMEError) -> gpgme_error_t {
        statusLog.reset()
        return try DataSource.lending(message.span, to: .decrypt) { source in
            withExtendedLifetime(sink) { gpgme_op_decrypt(raw, source.raw, sink.raw) }
        }
    }

    /// Runs `body` with a flag of the context set, which is empty otherwise.
    ///
    /// Calls `gpgme_set_ctx_flag`.
    private func withFlag<Result>(
        _ name: String,
        _ value: SecretBytes,
        _ body: () throws(GPGMEError) -> Result
    ) throws(GPGMEError) -> Result {
        let status = value.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
                text.initialize(repeating: 0)
                for index in bytes.indices { text[index] = CChar(bitPattern: bytes[index]) }
                defer { text.update(repeating: 0) }
                return gpgme_set_ctx_flag(raw, name, text.baseAddress)
            }
        }
        try GPGMEError.check(status, .decrypt)
        defer { _ = gpgme_set_ctx_flag(raw, name, "") }
        return try body()
    }

    /// Tells apart what GnuPG reports alike.
    ///
    /// GnuPG 2.2 answers `decryptionFailed`, or `noSecretKey`, for almost every reason why a secret key could not be
    /// used. The status lines show which: a session key that was found (then the message is damaged), the code of the
    /// agent, a pinentry that was started, and the recipients whose keys are missing. With `quiet` in `gpg.conf` only a
    /// few lines remain; then a cancelled and a wrongly answered prompt are alike (both `badPassphrase`), and every
    /// other reason is `noPinentry`, with ``isFailureUnclear`` set. An agent that cannot be reached looks to GnuPG like
    /// keys that are not here: `noSecretKey` says only that GnuPG has found none. GPGME says `noData` for a gpg that
    /// ended, or was killed, without a word about the message: that is `general`, or unclear when it had the session key.
    private func explain(_ error: GPGMEError, of packets: MessagePackets) -> GPGMEError {
        isFailureUnclear = false
        // A pinentry that is there, but finds neither a display nor a terminal, says it in these words.
        if error.code == .noTerminal { return GPGMEError(.decrypt, .noPinentry) }
        let hasSessionKey = statusLog.hasSessionKey
        if !hasSessionKey, let reason = statusLog.decryptionFailure { return GPGMEError(.decrypt, reason) }
        if error.code.concernsOneMessage, !statusLog.hasVerdict {
            isFailureUnclear = hasSessionKey
            return hasSessionKey ? error : GPGMEError(.decrypt, .general)
        }
        let isVague = error.code == .decryptionFailed || error.code == .noSecretKey
        guard isVague, !hasSessionKey else { return error }
        if statusLog.count("PINENTRY_LAUNCHED") > 0 { return GPGMEError(.decrypt, .badPassphrase) }
        if statusLog.count("NO_SECKEY") >= packets.recipients.count {
            return GPGMEError(.decrypt, .noSecretKey)
        }
        isFailureUnclear = true
        return GPGMEError(.decrypt, .noPinentry)
    }
}

extension StatusLog {
    fileprivate var hasSessionKey: Bool { count("DECRYPTION_KEY") + count("DECRYPTION_INFO") > 0 }

    /// Whether GnuPG said something about the message, other than that it took it.
    fileprivate var hasVerdict: Bool {
        ["NODATA", "UNEXPECTED", "DECRYPTION_FAILED", "BADMDC"].contains { count($0) > 0 }
    }

    /// Why a secret key could not be used, where GnuPG told more than that it found none.
    var decryptionFailure: GPGMEError.Code? {
        // The agent does not let gpg answer for the user, as `loopback` wants.
        if !errors(at: ["set_pinentry_mode"]).isEmpty { return .noPinentry }
        let codes = errors(at: ["pkdecrypt_failed", "add_keyblock_resource", "keydb_search"]).filter {
            $0 != .noSecretKey && $0 != .noPublicKey
        }
        // Of several reasons one that passes comes first: the others may not have come up otherwise.
        guard let code = codes.first(where: \.mayPass) ?? codes.first else { return nil }
        if code == .noTerminal { return .noPinentry }
        // Of the agent other codes do not mean what they mean of a message: no data, not supported.
        let areOfMessages: Set<GPGMEError.Code> = [
            .wrongSecretKey, .badChecksum, .damagedNumber, .damagedObject, .unknownKeyAlgorithm,
            .unknownCipher,
        ]
        return code.kind == .damagedMessage && !areOfMessages.contains(code) ? .unusableSecretKey : code
    }

    /// The same of all lines that a gpg wrote to `--status-fd`; ``GPGMEError/Code/noSecretKey`` when it only found no key.
    package static func decryptionFailure(in lines: [UInt8]) -> GPGMEError.Code? {
        let log = StatusLog(lines)
        return log.decryptionFailure ?? (log.count("NO_SECKEY") > 0 ? .noSecretKey : nil)
    }

    /// Whether a gpg that wrote `lines` to `--status-fd` found the session key of the message.
    package static func hasSessionKey(in lines: [UInt8]) -> Bool { StatusLog(lines).hasSessionKey }

    private convenience init(_ lines: [UInt8]) {
        self.init(forward: nil)
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard words.count >= 2, words[0].elementsEqual("[GNUPG:]".utf8) else { continue }
            take(String(decoding: words[1], as: UTF8.self), words.count > 2 ? Array(words[2]) : [])
        }
    }
}
