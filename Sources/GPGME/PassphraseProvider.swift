internal import CGPGME
internal import Glibc
public import SecretMemory

/// Answers GnuPG's questions for a passphrase in place of the user's pinentry.
///
/// With a provider a context uses GnuPG's pinentry mode `loopback`, which the agent must allow (it does unless
/// `no-allow-loopback-pinentry` is set). Passphrases that the agent remembers are not asked for.
public protocol PassphraseProvider {
    /// The passphrase for a key, or `nil` to decline, which ends the operation with ``GPGMEError/Code/canceled``.
    ///
    /// A line feed or a NUL in it would end it early; such a passphrase counts as declined.
    ///
    /// - Parameters:
    ///   - userID: GnuPG's hint for the user: a key ID, a blank and a user ID; may be empty.
    ///   - previousWasBad: whether this asks again because the last answer was wrong.
    /// - Returns: the passphrase without a line feed, or `nil`.
    func passphrase(for userID: [UInt8], previousWasBad: Bool) -> SecretBytes?
}

/// Keeps a provider where the C callback finds it.
final class PassphraseHook {
    private let provider: any PassphraseProvider

    init(_ provider: any PassphraseProvider) { self.provider = provider }

    /// Calls `gpgme_set_pinentry_mode` and `gpgme_set_passphrase_cb`.
    ///
    /// The owner of the context keeps the hook alive.
    func install(in context: gpgme_ctx_t) throws(GPGMEError) {
        try GPGMEError.check(gpgme_set_pinentry_mode(context, GPGME_PINENTRY_MODE_LOOPBACK), .start)
        gpgme_set_passphrase_cb(context, Self.callback, Unmanaged.passUnretained(self).toOpaque())
    }

    private static let callback: gpgme_passphrase_cb_t = { hook, userID, _, previousWasBad, descriptor in
        guard let hook else { return gpgme_error_t(GPG_ERR_CANCELED.rawValue) }
        let provider = Unmanaged<PassphraseHook>.fromOpaque(hook).takeUnretainedValue().provider
        let answer = provider.passphrase(for: bytes(of: userID), previousWasBad: previousWasBad != 0)
        guard let answer, isOneLine(answer) else { return gpgme_error_t(GPG_ERR_CANCELED.rawValue) }
        let isWritten = answer.withUnsafeBytes { bytes in
            bytes.isEmpty || gpgme_io_writen(descriptor, bytes.baseAddress, bytes.count) == 0
        }
        guard isWritten, gpgme_io_writen(descriptor, "\n", 1) == 0 else {
            return gpgme_error_from_errno(errno)
        }
        return 0
    }

    private static func isOneLine(_ answer: SecretBytes) -> Bool {
        answer.withBytes { bytes in
            bytes.indices.allSatisfy { bytes[$0] != 0 && bytes[$0] != UInt8(ascii: "\n") }
        }
    }
}
