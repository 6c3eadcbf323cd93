internal import CGcrypt

/// SHA-256, by libgcrypt.
enum Digest {
    private static let libraryIsUsable = cgcrypt_start() == 1
    private static let count = 32

    /// The SHA-256 of `bytes`.
    ///
    /// Calls `gcry_md_hash_buffer`.
    ///
    /// - Throws: `errSecNotAvailable` when libgcrypt is older than the headers that this was built with.
    static func sha256(_ bytes: [UInt8]) throws(StatusError) -> [UInt8] {
        guard libraryIsUsable else { throw StatusError(errSecNotAvailable) }
        let algorithm = Int32(GCRY_MD_SHA256.rawValue)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { digest, length in
            unsafe bytes.withUnsafeBytes { message in
                unsafe gcry_md_hash_buffer(algorithm, digest.baseAddress, message.baseAddress, message.count)
            }
            length = count
        }
    }
}
