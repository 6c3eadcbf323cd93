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
    /// With `quiet` in `gpg.conf` GnuPG 2.2 does not say why a secret key could not be used, and a damaged message, a
    /// prompt that was not answered and a prompt that was not possible all become `decryptionFailed` or, when some
    /// recipients' keys are elsewhere, `noSecretKey`. The status lines that remain show which: a session key that was
    /// found, a pinentry that was started, and the recipients whose keys are missing. What remains alike then is a
    /// cancelled and a wrongly answered prompt (both `badPassphrase`). An agent that cannot be started looks to GnuPG
    /// like keys that are not here.
    private func explain(_ error: GPGMEError, of packets: MessagePackets) -> GPGMEError {
        // A pinentry that is there, but finds neither a display nor a terminal, says it in these words.
        if error.code == .noTerminal { return GPGMEError(.decrypt, .noPinentry) }
        let isVague = error.code == .decryptionFailed || error.code == .noSecretKey
        let hasSessionKey = statusLog.count("DECRYPTION_KEY") + statusLog.count("DECRYPTION_INFO") > 0
        guard isVague, !hasSessionKey else { return error }
        if statusLog.count("PINENTRY_LAUNCHED") > 0 { return GPGMEError(.decrypt, .badPassphrase) }
        let isNoKeyHere = statusLog.count("NO_SECKEY") >= packets.recipients.count
        return GPGMEError(.decrypt, isNoKeyHere ? .noSecretKey : .noPinentry)
    }
}
