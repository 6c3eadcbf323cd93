internal import CGPGME
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
        guard !Armor.isBinary(ciphertext) else { return try decryptPackets(ciphertext, limit: limit) }
        let armor: Armor
        do throws(MalformedMessage) {
            armor = try Armor(ciphertext, label: "PGP MESSAGE")
        } catch {
            throw GPGMEError(.decrypt, error == .truncated ? .truncated : .noData)
        }
        guard !armor.hasTrailingText else { throw GPGMEError(.decrypt, .badData) }
        // gpg gets the packets that were looked at, and not a text in which it might find others.
        return try decryptPackets(armor.bytes.span, limit: limit)
    }

    private func decryptPackets(_ message: Span<UInt8>, limit: Int) throws(GPGMEError) -> Decryption {
        let packets = try MessagePackets(acceptable: message)
        let sink = try DataSink(limit: limit, for: .decrypt)
        statusLog.reset()
        let status = try DataSource.lending(message, to: .decrypt) { source in
            withExtendedLifetime(sink) { gpgme_op_decrypt(raw, source.raw, sink.raw) }
        }
        if sink.isOverfull { throw GPGMEError(.decrypt, .tooLarge) }
        do throws(GPGMEError) {
            try GPGMEError.check(status, .decrypt)
        } catch {
            throw explain(error, of: packets)
        }
        // Old GnuPG gives nothing, and no error, for encryption that it does not know: success must be seen.
        guard let result = gpgme_op_decrypt_result(raw)?.pointee,
            result.legacy_cipher_nomdc == 0, result.recipients != nil
        else { throw GPGMEError(.decrypt, .decryptionFailed) }
        return Decryption(plaintext: sink.finish(), recipients: packets.recipients)
    }

    /// Tells apart what GnuPG reports alike.
    ///
    /// GnuPG 2.2 answers `decryptionFailed`, or `noSecretKey`, for almost every reason why a secret key could not be
    /// used. The status lines show which: a session key that was found (then the message is damaged), the code of the
    /// agent, a pinentry that was started, and the recipients whose keys are missing. With `quiet` in `gpg.conf` only a
    /// few lines remain; then a cancelled and a wrongly answered prompt are alike (both `badPassphrase`), and every
    /// other reason is `noPinentry`, with ``isFailureUnclear`` set. An agent that cannot be reached looks to GnuPG like
    /// keys that are not here: `noSecretKey` says only that GnuPG has found none.
    private func explain(_ error: GPGMEError, of packets: MessagePackets) -> GPGMEError {
        isFailureUnclear = false
        // A pinentry that is there, but finds neither a display nor a terminal, says it in these words.
        if error.code == .noTerminal { return GPGMEError(.decrypt, .noPinentry) }
        let isVague = error.code == .decryptionFailed || error.code == .noSecretKey
        let hasSessionKey = statusLog.count("DECRYPTION_KEY") + statusLog.count("DECRYPTION_INFO") > 0
        guard isVague, !hasSessionKey else { return error }
        if let reason = statusLog.decryptionFailure { return GPGMEError(.decrypt, reason) }
        if statusLog.count("PINENTRY_LAUNCHED") > 0 { return GPGMEError(.decrypt, .badPassphrase) }
        if statusLog.count("NO_SECKEY") >= packets.recipients.count {
            return GPGMEError(.decrypt, .noSecretKey)
        }
        isFailureUnclear = true
        return GPGMEError(.decrypt, .noPinentry)
    }
}

extension StatusLog {
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
            .wrongSecretKey, .badChecksum, .damagedNumber, .unknownKeyAlgorithm, .unknownCipher,
        ]
        return code.kind == .damagedMessage && !areOfMessages.contains(code) ? .unusableSecretKey : code
    }

    /// The same of all lines that a gpg wrote to `--status-fd`; ``GPGMEError/Code/noSecretKey`` when it only found no key.
    package static func decryptionFailure(in lines: [UInt8]) -> GPGMEError.Code? {
        let log = StatusLog(forward: nil)
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard words.count >= 2, words[0].elementsEqual("[GNUPG:]".utf8) else { continue }
            log.take(String(decoding: words[1], as: UTF8.self), words.count > 2 ? Array(words[2]) : [])
        }
        return log.decryptionFailure ?? (log.count("NO_SECKEY") > 0 ? .noSecretKey : nil)
    }
}
