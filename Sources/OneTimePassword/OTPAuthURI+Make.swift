package import SecretMemory

extension OTPAuthURI {
    /// Makes the URI of a time-based key with SHA-1, six digits and 30 seconds, which is what a bare secret stands for.
    ///
    /// - Parameters:
    ///   - secret: base32 as it was typed; it is stored without blanks, hyphens and padding, in capital letters.
    ///   - issuer: who the account is with.
    ///   - account: whose account it is. One of the two is needed.
    /// - Throws: ``OTPError``.
    package init(secret: SecretBytes, issuer: [UInt8]?, account: [UInt8]?) throws(OTPError) {
        let issuer = (issuer ?? []).flatMap(OTPAuthURI.encoded)
        let account = (account ?? []).flatMap(OTPAuthURI.encoded)
        guard !issuer.isEmpty || !account.isEmpty else { throw .missing(.account) }
        // What is not base32 could say something else inside a URI.
        _ = try secret.withBytes { (bytes) throws(OTPError) in try Base32.decode(bytes, 0..<bytes.count) }
        let colon = issuer.isEmpty || account.isEmpty ? "" : ":"
        let head = Array("otpauth://totp/".utf8) + issuer + colon.utf8 + account + "?secret=".utf8
        let tail = issuer.isEmpty ? [] : "&issuer=".utf8 + issuer

        var uri = SecretBuffer(capacity: head.count + secret.count + tail.count)
        uri.append(head.span)
        secret.withBytes { bytes in
            for index in 0..<bytes.count
            where !bytes[index].isBlankOrReturn && bytes[index] != UInt8(ascii: "-") {
                let byte = bytes[index]
                if byte == UInt8(ascii: "=") { continue }
                uri.append((0x61...0x7A).contains(byte) ? byte & 0xDF : byte)
            }
        }
        uri.append(tail.span)
        try self.init(uri.finish())
    }

    /// A byte of a name as it stands in a URI.
    private static func encoded(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return [byte]
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return [byte]
        default: return byte.percentEncoded
        }
    }
}
