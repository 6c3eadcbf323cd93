package import SecretMemory

/// A key URI: the key of a one-time password, and how codes are made from it.
///
/// Reading is lenient where that is safe, because web sites and programs write these URIs in many ways: blanks, small
/// and capital letters, padding, `%3A` for the colon of the label. Where two readings would give different codes it
/// is an error: a wrong code locks people out.
///
/// - Source: the key URI format of Google Authenticator, as pass-otp stores it in a line of an entry.
package struct OTPAuthURI: Sendable {
    /// What makes one code differ from the next.
    package enum Movement: Sendable, Hashable {
        /// The time in steps of so many seconds.
        case time(period: UInt64)
        /// A number that counts the codes. As with pass-otp it is the number of the last code that was made.
        case counter(UInt64)
    }

    /// The URI as it is stored, without blanks at its ends.
    package let text: SecretBytes
    /// What makes one code differ from the next.
    package let movement: Movement
    /// The shared key, decoded.
    package let key: SecretBytes
    /// The hash function; SHA-1 unless the URI says otherwise.
    package let algorithm: HashAlgorithm
    /// How many digits a code has: 6 unless the URI says otherwise, 8 at most.
    package let digits: Int
    /// Who the account is with: the parameter, or what stands before the label's colon.
    ///
    /// In the parameter `+` is a blank, as in a web form.
    package let issuer: [UInt8]?
    /// Whose account it is: the label, without an issuer.
    ///
    /// In it `+` is a plus, as in mail addresses.
    package let account: [UInt8]?

    /// Where the counter's digits are in `text`.
    let counterRange: Range<Int>?

    /// Reads a key URI.
    ///
    /// The label may be empty, since no code depends on it.
    ///
    /// - Throws: ``OTPError``.
    package init(_ text: SecretBytes) throws(OTPError) {
        let uri = text.withBytes { text.slice($0.trimming(0..<$0.count)) }
        self = try uri.withBytes { (bytes) throws(OTPError) in try OTPAuthURI(uri, bytes) }
    }

    private init(_ text: SecretBytes, _ bytes: Span<UInt8>) throws(OTPError) {
        let all = 0..<bytes.count
        let isCounted = bytes.hasPrefix("otpauth://hotp", in: all)
        guard isCounted || bytes.hasPrefix("otpauth://totp", in: all),
            let question = bytes.firstIndex(of: UInt8(ascii: "?"), in: all), question + 1 < bytes.count
        else { throw .notAKeyURI }
        // Both kinds have as many letters.
        let label = "otpauth://totp".utf8.count..<question
        guard label.isEmpty || bytes[label.lowerBound] == UInt8(ascii: "/") else { throw .notAKeyURI }

        let parameters = try URIParameters(bytes, question + 1..<bytes.count)
        guard let secret = parameters[.secret] else { throw .missing(.secret) }
        self.text = text
        key = try Base32.decode(bytes, secret)
        algorithm = try OTPAuthURI.algorithm(bytes, parameters[.algorithm])
        digits = Int(try OTPAuthURI.number(bytes, parameters[.digits], .digits, within: 6...8) ?? 6)
        if isCounted {
            guard
                let counter = try OTPAuthURI.number(bytes, parameters[.counter], .counter, within: 0...(.max))
            else { throw .missing(.counter) }
            movement = .counter(counter)
        } else {
            // Some hundred years are enough for a step, and none is too little.
            let period = try OTPAuthURI.number(bytes, parameters[.period], .period, within: 1...(1 << 32))
            movement = .time(period: period ?? 30)
        }
        counterRange = parameters[.counter]
        let names = OTPAuthURI.names(bytes, label.dropFirst(), issuer: parameters[.issuer])
        issuer = names.issuer.isEmpty ? nil : names.issuer
        account = names.account.isEmpty ? nil : names.account
    }

    /// The issuer and the account.
    ///
    /// A colon divides the label, or else a `%3A`; the issuer parameter wins.
    private static func names(
        _ bytes: Span<UInt8>,
        _ label: Range<Int>,
        issuer: Range<Int>?
    ) -> (issuer: [UInt8], account: [UInt8]) {
        var before = label.lowerBound..<label.lowerBound
        var after = label
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: label) {
            (before, after) = (label.lowerBound..<colon, colon + 1..<label.upperBound)
        } else if let colon = label.first(where: { bytes.hasPrefix("%3a", in: $0..<label.upperBound) }) {
            (before, after) = (label.lowerBound..<colon, colon + 3..<label.upperBound)
        }
        var names = (issuer: bytes.decoded(before), account: bytes.decoded(after))
        if names.account.isEmpty { names = ([], names.issuer) }
        if let issuer { names.issuer = bytes.decoded(issuer, plusIsBlank: true) }
        return names
    }

    private static func algorithm(_ bytes: Span<UInt8>, _ range: Range<Int>?) throws(OTPError)
        -> HashAlgorithm
    {
        guard let range else { return .sha1 }
        let name = bytes.decoded(range).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        switch String(decoding: name.map(\.lowercased), as: UTF8.self) {
        case "sha1", "hmacsha1": return .sha1
        case "sha256", "hmacsha256": return .sha256
        case "sha512", "hmacsha512": return .sha512
        default: throw .invalid(.algorithm)
        }
    }

    private static func number(
        _ bytes: Span<UInt8>,
        _ range: Range<Int>?,
        _ piece: OTPError.Piece,
        within limits: ClosedRange<UInt64>
    ) throws(OTPError) -> UInt64? {
        guard let range else { return nil }
        let digits = bytes.decoded(range)
        // UInt64's own reading would take a sign.
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(String(decoding: digits, as: UTF8.self)), limits.contains(number)
        else { throw .invalid(piece) }
        return number
    }
}
