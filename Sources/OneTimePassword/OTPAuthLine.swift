package import SecretMemory

/// The line of an entry that holds its key URI.
package struct OTPAuthLine: Sendable {
    /// Where the URI is in the contents, without blanks at its ends.
    package let range: Range<Int>

    /// Finds the first line that starts with `otpauth://`, be it after blanks; `nil` when there is none.
    package init?(firstIn contents: SecretBytes) {
        let found: Range<Int>? = contents.withBytes { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes.firstIndex(of: UInt8(ascii: "\n"), in: start..<bytes.count) ?? bytes.count
                let line = bytes.trimming(start..<end)
                if bytes.hasPrefix("otpauth://", in: line) { return line }
                start = end + 1
            }
            return nil
        }
        guard let found else { return nil }
        range = found
    }

    /// Reads the URI.
    ///
    /// - Throws: ``OTPError``.
    package func uri(in contents: SecretBytes) throws(OTPError) -> OTPAuthURI {
        try OTPAuthURI(contents.slice(range))
    }

    /// The contents with another URI in this place, every other byte as it was.
    package func replacing(with uri: OTPAuthURI, in contents: SecretBytes) -> SecretBytes {
        var result = SecretBuffer(capacity: contents.count + uri.text.count)
        contents.withBytes { result.append($0.extracting(..<range.lowerBound)) }
        result.append(uri.text)
        contents.withBytes { result.append($0.extracting(range.upperBound...)) }
        return result.finish()
    }

    /// The contents with a URI as one more line.
    ///
    /// Empty contents become an empty first line, since that is where the password goes.
    package static func appending(_ uri: OTPAuthURI, to contents: SecretBytes) -> SecretBytes {
        var result = SecretBuffer(capacity: contents.count + uri.text.count + 2)
        result.append(contents)
        let endsInLine = contents.withBytes { !$0.isEmpty && $0[$0.count - 1] == UInt8(ascii: "\n") }
        if !endsInLine { result.append(UInt8(ascii: "\n")) }
        result.append(uri.text)
        result.append(UInt8(ascii: "\n"))
        return result.finish()
    }
}
