import SecretMemory
import Testing

@testable import OneTimePassword

/// Key URIs, and the line of an entry that holds one.
@Suite struct KeyURIFuzzTests {
    private let tokens = [
        "&", "=", "?", "%", "%3A", "%00", "+", ":", "secret=", "issuer=", "digits=", "period=", "counter=",
        "algorithm=SHA256", "otpauth://totp/", "otpauth://hotp/", "18446744073709551615", "0", "-1", "\n",
    ]

    @Test func whatIsReadIsReadAgain() throws {
        try fuzz("otpauth", tokens) { input in
            let contents = SecretBytes(copying: input.span)
            if let line = OTPAuthLine(firstIn: contents) {
                let range = line.range
                try require(range.lowerBound >= 0 && range.upperBound <= input.count, "a line outside")
                try require(!input[range].contains(0x0A), "a line of several")
                if let uri = try? line.uri(in: contents) {
                    let same = line.replacing(with: uri, in: contents).bytes
                    try require(same == input, "replaced by itself it is not the same")
                    let longer = OTPAuthLine.appending(uri, to: contents)
                    try require(OTPAuthLine(firstIn: longer)?.range == range, "another first line")
                }
            }
            guard let uri = try? OTPAuthURI(contents) else { return false }
            try require((6...8).contains(uri.digits), "\(uri.digits) digits")
            let again = try OTPAuthURI(uri.text)
            try require(
                again.key.isEqual(to: uri.key) && again.movement == uri.movement && again.issuer == uri.issuer
                    && again.account == uri.account && again.algorithm == uri.algorithm,
                "another meaning when read again"
            )
            try require(try uri.code(at: 1_700_000_000).count == uri.digits, "a code of another length")
            if case .counter(let counter) = uri.movement, counter < .max {
                let next = try uri.countedOn()
                try require(next?.movement == .counter(counter + 1), "not counted on by one")
            }
            return true
        }
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        return bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    }

    @Test func namesComeBackAsTheyWereGiven() throws {
        try fuzz("otpauth", tokens) { input in
            let middle = input.count / 2
            // Blanks at the ends are nobody's name, and without an issuer a colon would give one.
            let issuer = trimmed(input[..<middle])
            let account = trimmed(input[middle...])
            guard !account.isEmpty, !issuer.isEmpty || !account.contains(0x3A) else { return false }
            let secret = SecretBytes(copying: Array("JBSWY3DP".utf8).span)
            guard let uri = try? OTPAuthURI(secret: secret, issuer: issuer, account: account) else {
                return false
            }
            try require(uri.issuer ?? [] == issuer && uri.account ?? [] == account, "other names")
            return true
        }
    }
}
