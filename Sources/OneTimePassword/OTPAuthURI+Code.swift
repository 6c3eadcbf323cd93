package import SecretMemory

extension OTPAuthURI {
    /// The code for a time, or the code with the counter's present number.
    ///
    /// `seconds` counts from the start of 1970, UTC; only time-based codes depend on it.
    ///
    /// - Throws: ``OTPError/library(code:)``.
    /// - Source: RFC 6238, section 4.2, and RFC 4226, section 5.3.
    package func code(at seconds: UInt64) throws(OTPError) -> SecretBytes {
        let factor =
            switch movement {
            case .time(let period): seconds / period
            case .counter(let counter): counter
            }
        var number = try algorithm.number(for: factor, key: key)
        var divisor: UInt32 = (0..<digits).reduce(1) { power, _ in power * 10 }
        var code = SecretBuffer(capacity: digits)
        for _ in 0..<digits {
            number %= divisor
            divisor /= 10
            code.append(UInt8(ascii: "0") + UInt8(number / divisor))
        }
        return code.finish()
    }

    /// The same URI with the next number as its counter, every other byte as it was; `nil` for a time-based one.
    ///
    /// - Throws: ``OTPError/counterExhausted``.
    package func countedOn() throws(OTPError) -> OTPAuthURI? {
        guard case .counter(let counter) = movement, let counterRange else { return nil }
        guard counter < .max else { throw .counterExhausted }
        var uri = SecretBuffer(capacity: text.count + 1)
        text.withBytes { bytes in
            uri.append(bytes.extracting(..<counterRange.lowerBound))
            String(counter + 1).utf8.forEach { uri.append($0) }
            uri.append(bytes.extracting(counterRange.upperBound...))
        }
        return try OTPAuthURI(uri.finish())
    }
}
