/// What GnuPG's status lines tell of one decryption, and whether it is to be believed.
///
/// GnuPG writes plaintext before it knows that all is well, and ends with status 0 in cases in which it gave another
/// thing than the one plaintext that was encrypted. Source: doc/DETAILS of GnuPG.
package struct DecryptionReport: Sendable {
    private var counts: [String: Int] = [:]
    private var formats: [String] = []
    private var lengths: [Int] = []
    private var hasOtherError = false
    private var hasOtherLines = false

    /// Makes a report of nothing.
    package init() {}

    /// Reads all that gpg wrote as status, at a descriptor where gpg also writes what is no plaintext.
    package init(lines: [UInt8]) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard line.starts(with: "[GNUPG:] ".utf8) else {
                // A log is let pass, a list of keys is not.
                let isLog = line.starts(with: "gpg".utf8) || line.first == UInt8(ascii: " ")
                hasOtherLines = hasOtherLines || !isLog
                continue
            }
            let words = line.dropFirst(9).split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard let keyword = words.first else { continue }
            take(String(decoding: keyword, as: UTF8.self), Array(words.dropFirst().first ?? []))
        }
    }

    /// Takes one status line.
    package mutating func take(_ keyword: String, _ arguments: [UInt8]) {
        counts[keyword, default: 0] += 1
        let words = arguments.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        switch keyword {
        case "PLAINTEXT": formats.append(words.first ?? "")
        case "PLAINTEXT_LENGTH": lengths.append(words.first.flatMap { Int($0) } ?? -1)
        // A secret key that could not be used does not matter where another one could. Beside a session key that is
        // given, gpg opens no keyring, and cannot look the recipients up that it would name.
        case "ERROR":
            hasOtherError = hasOtherError || !["pkdecrypt_failed", "keydb_search"].contains(words.first)
        default: break
        }
    }

    /// How often GnuPG wrote the status `keyword`.
    package func count(_ keyword: String) -> Int { counts[keyword, default: 0] }

    /// Whether a session key was found, so that what failed is not for want of a secret key.
    package var hasSessionKey: Bool { count("DECRYPTION_KEY") + count("DECRYPTION_INFO") > 0 }

    /// How many bytes GnuPG said that there would be; 0 where it did not say.
    package var length: Int { lengths.max() ?? 0 }

    /// Why the plaintext is not to be believed.
    ///
    /// - Parameters:
    ///   - status: gpg's exit status.
    ///   - size: how many bytes of plaintext came.
    /// - Returns: `nil` when it is to be believed; `general` where gpg ended before it was through.
    package func problem(status: Int32, size: Int) -> GPGMEError.Code? {
        if count("BADSIG") > 0 { return .badSignature }
        if count("NEED_PASSPHRASE_SYM") > 0 || count("BEGIN_DECRYPTION") > 1 { return .badData }
        if count("BADMDC") + count("DECRYPTION_FAILED") > 0 { return .decryptionFailed }
        let isWhole = ["DECRYPTION_INFO", "DECRYPTION_OKAY", "GOODMDC", "END_DECRYPTION"].allSatisfy {
            count($0) == 1
        }
        // gpg ended before it was through, for a reason that is not the message's.
        guard isWhole else { return count("END_DECRYPTION") == 0 ? .general : .decryptionFailed }
        let isRefused = ["FAILURE", "NODATA", "UNEXPECTED"].contains { count($0) > 0 } || hasOtherError
        guard formats.count == 1, !hasOtherLines, !isRefused, isRight(size) else { return .badData }
        guard status == 0 else { return count("ERRSIG") > 0 ? .noPublicKey : .badData }
        return nil
    }

    /// Whether so many bytes are all that GnuPG said there would be; it does not know the length of each message.
    private func isRight(_ size: Int) -> Bool {
        guard let length = lengths.first else { return true }
        // In a text gpg leaves out carriage returns.
        let isText = formats.first.map { ["74", "75"].contains($0) } ?? false
        return lengths.count == 1 && (size == length || isText && size < length && size >= 0)
    }
}
