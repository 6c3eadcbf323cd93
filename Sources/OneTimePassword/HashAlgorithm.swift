internal import CGcrypt
internal import SecretMemory

/// The hash function behind a one-time password.
package enum HashAlgorithm: Sendable, CaseIterable {
    case sha1
    case sha256
    case sha512

    /// libgcrypt's number for it.
    private var number: Int32 {
        switch self {
        case .sha1: Int32(GCRY_MD_SHA1.rawValue)
        case .sha256: Int32(GCRY_MD_SHA256.rawValue)
        case .sha512: Int32(GCRY_MD_SHA512.rawValue)
        }
    }

    /// How many bytes a digest has.
    private var digestLength: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    private static let libraryIsUsable = cgcrypt_start() == 1

    /// The 31-bit number that is made of a key and a moving factor: its HMAC, truncated.
    ///
    /// Calls `gcry_md_open`, `gcry_md_setkey`, `gcry_md_write` and `gcry_md_read`.
    ///
    /// - Throws: ``OTPError/library(code:)``.
    /// - Source: RFC 4226, section 5.3, and RFC 6238, section 1.2.
    func number(for factor: UInt64, key: SecretBytes) throws(OTPError) -> UInt32 {
        guard HashAlgorithm.libraryIsUsable else { throw .library(code: 0) }
        var error: gcry_error_t = 0
        var buffer = SecretBuffer(capacity: digestLength)
        _ = buffer.appendUninitialized(upTo: digestLength) { digest in
            key.withUnsafeBytes { key in
                withUnsafeBytes(of: factor.bigEndian) { message in
                    error = cgcrypt_hmac(
                        number,
                        key.baseAddress,
                        key.count,
                        message.baseAddress,
                        message.count,
                        digest.baseAddress
                    )
                }
            }
            return digestLength
        }
        guard error == 0 else { throw .library(code: error) }
        return buffer.finish().withBytes { digest in
            let offset = Int(digest[digest.count - 1] & 0x0F)
            return (offset..<offset + 4).reduce(0) { $0 << 8 | UInt32(digest[$1]) } & 0x7FFF_FFFF
        }
    }
}
