import SecretMemory
import Testing

@testable import OneTimePassword

@Suite struct OTPAuthURITests {
    /// `12345678901234567890`, the key of RFC 4226.
    private let rfcKey = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    private func parse(_ text: String) throws(OTPError) -> OTPAuthURI { try OTPAuthURI(SecretBytes(text)) }

    private func names(_ text: String) throws -> [String?] {
        let uri = try parse(text)
        return [uri.issuer, uri.account].map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func readsEveryPiece() throws {
        let uri = try parse(
            "otpauth://totp/ACME%20Co:john.doe@email.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ"
                + "&issuer=ACME%20Co&algorithm=SHA512&digits=8&period=60&image=x"
        )
        #expect(uri.movement == .time(period: 60))
        #expect(uri.algorithm == .sha512)
        #expect(uri.digits == 8)
        #expect(uri.key.count == 20)
        #expect(try names(uri.text.text) == ["ACME Co", "john.doe@email.com"])
    }

    @Test func assumesWhatTheFormatSays() throws {
        let uri = try parse("otpauth://totp/x?secret=\(rfcKey)")
        #expect(uri.movement == .time(period: 30))
        #expect(uri.algorithm == .sha1)
        #expect(uri.digits == 6)
        #expect(uri.key.text == "12345678901234567890")
        #expect(uri.issuer == nil)
    }

    @Test(arguments: [
        "otpauth://hotp/x?secret=KEY&counter=1",
        "  otpauth://hotp/x?secret=KEY&counter=1 \t\r",
        "OTPAUTH://HOTP/x?SECRET=KEY&Counter=1",
        "otpauth://hotp?secret=KEY&counter=1",
        "otpauth://hotp/?counter=1&secret=KEY",
        "otpauth://hotp/My Site:me and you?secret=KEY&counter=1",
        "otpauth://hotp/x?secret=KEY&amp;counter=1&amp;digits=6",
        "otpauth://hotp/x?&&secret=KEY&&counter=1&",
        "otpauth://hotp/x?secret=%47EZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&%63ounter=%31",
        "otpauth://hotp/x?secret=gezdgnbvgy3tqojqgezdgnbvgy3tqojq&counter=01",
        "otpauth://hotp/x?secret=GEZD GNBV GY3T QOJQ%20GEZD-GNBV-GY3T-QOJQ&counter=1",
        "otpauth://hotp/x?secret=KEY======&counter=1",
        "otpauth://hotp/x?secret=KEY%3D%3d&counter=1",
        "otpauth://hotp/x?secret=KEY&secret=KEY&counter=1",
        "otpauth://hotp/x?secret=KEY&counter=1&algorithm=sha1&digits=6&period=30",
        "otpauth://hotp/x?secret=KEY&counter=1&algorithm=HMAC-SHA-1&digits= 6 ",
        "otpauth://hotp/x?secret=KEY&counter=1&algorithm=HmacSHA1&digits=",
        "otpauth://hotp/a?secret=KEY&counter=1&issuer=%",
    ])
    func makesTheSameCodeHoweverItIsWritten(_ text: String) throws {
        let text = text.replacing("KEY", with: rfcKey)
        #expect(try parse(text).code(at: 0).text == "287082")
    }

    private static let refused: [(String, OTPError)] = [
        ("", .notAKeyURI), ("otpauth://", .notAKeyURI), ("http://totp/x?secret=KEY", .notAKeyURI),
        ("otpauth://motp/x?secret=KEY", .notAKeyURI), ("otpauth://totpx?secret=KEY", .notAKeyURI),
        ("otpauth://totp/x", .notAKeyURI), ("otpauth://totp/x?", .notAKeyURI),
        ("xotpauth://totp/x?secret=KEY", .notAKeyURI),
        ("otpauth://totp/x&secret=KEY", .notAKeyURI), ("otpauth:totp/x?secret=KEY", .notAKeyURI),
        ("otpauth://totp/x?issuer=y", .missing(.secret)), ("otpauth://totp/x?secret=", .missing(.secret)),
        ("otpauth://totp/x?secret=%20", .missing(.secret)),
        ("otpauth://totp/x?secret====", .missing(.secret)),
        ("otpauth://totp/x?secret=KEY1", .invalid(.secret)),
        ("otpauth://totp/x?secret=KEY0", .invalid(.secret)),
        ("otpauth://totp/x?secret=KE+Y", .invalid(.secret)),
        ("otpauth://totp/x?secret=KEYA", .invalid(.secret)),
        ("otpauth://totp/x?secret=ABC", .invalid(.secret)),
        ("otpauth://totp/x?secret=ABCDEF", .invalid(.secret)),
        ("otpauth://totp/x?secret=AB==CD", .invalid(.secret)),
        ("otpauth://totp/x?secret=KEY#x", .invalid(.secret)),
        ("otpauth://totp/x?secret=K\u{c9}Y", .invalid(.secret)),
        ("otpauth://totp/x?secret=%4", .invalid(.secret)),
        ("otpauth://totp/x?secret=AB&secret=AC", .contradictory(.secret)),
        ("otpauth://totp/x?secret=KEY&digits=6&Digits=8", .contradictory(.digits)),
        ("otpauth://totp/x?secret=KEY&issuer=a&issuer=b", .contradictory(.issuer)),
        ("otpauth://totp/x?secret=KEY&digits=5", .invalid(.digits)),
        ("otpauth://totp/x?secret=KEY&digits=9", .invalid(.digits)),
        ("otpauth://totp/x?secret=KEY&digits=+6", .invalid(.digits)),
        ("otpauth://totp/x?secret=KEY&digits=six", .invalid(.digits)),
        ("otpauth://totp/x?secret=KEY&period=0", .invalid(.period)),
        ("otpauth://totp/x?secret=KEY&period=30s", .invalid(.period)),
        ("otpauth://totp/x?secret=KEY&period=-30", .invalid(.period)),
        ("otpauth://totp/x?secret=KEY&period=99999999999999999999", .invalid(.period)),
        ("otpauth://totp/x?secret=KEY&algorithm=MD5", .invalid(.algorithm)),
        ("otpauth://totp/x?secret=KEY&algorithm=SHA", .invalid(.algorithm)),
        ("otpauth://totp/x?secret=KEY&algorithm=SHA3-256", .invalid(.algorithm)),
        ("otpauth://hotp/x?secret=KEY", .missing(.counter)),
        ("otpauth://hotp/x?secret=KEY&counter=", .missing(.counter)),
        ("otpauth://hotp/x?secret=KEY&counter=-1", .invalid(.counter)),
        ("otpauth://hotp/x?secret=KEY&counter=0x1", .invalid(.counter)),
        ("otpauth://hotp/x?secret=KEY&counter=18446744073709551616", .invalid(.counter)),
        ("otpauth://hotp/x?secret=KEY&counter=1&counter=1", .contradictory(.counter)),
    ]

    @Test(arguments: refused)
    func refusesWhatCouldGiveAWrongCode(_ text: String, _ error: OTPError) {
        #expect(throws: error) { try parse(text.replacing("KEY", with: rfcKey)) }
    }

    private static let labels: [(String, [String?])] = [
        ("totp/Example:alice@google.com?", ["Example", "alice@google.com"]),
        ("totp/Example%3Aalice@google.com?", ["Example", "alice@google.com"]),
        ("totp/Example%3aalice?", ["Example", "alice"]),
        ("totp/Example:%20alice?", ["Example", "alice"]),
        ("totp/Example: alice?", ["Example", "alice"]),
        ("totp/My Site:me too?", ["My Site", "me too"]),
        ("totp/My%20Site:me+tag@x.org?", ["My Site", "me+tag@x.org"]),
        ("totp/Exa%3Ample:alice?", ["Exa:mple", "alice"]),
        ("totp/Example:a:b?", ["Example", "a:b"]),
        ("totp/alice?", [nil, "alice"]),
        ("totp/alice:?", [nil, "alice"]),
        ("totp/:alice?", [nil, "alice"]),
        ("totp/?", [nil, nil]), ("totp?", [nil, nil]), ("totp/%20?", [nil, nil]),
        ("totp/Label:alice?issuer=Parameter&", ["Parameter", "alice"]),
        ("totp/alice?issuer=My+Site%2B%26&", ["My Site+&", "alice"]),
        ("totp/alice?issuer=A=B&", ["A=B", "alice"]),
        ("totp/J%C3%B6rg%?", [nil, "J\u{f6}rg%"]),
    ]

    @Test(arguments: labels)
    func tellsIssuerAndAccountApart(_ start: String, _ expected: [String?]) throws {
        #expect(try names("otpauth://\(start)secret=\(rfcKey)") == expected)
    }

    @Test func countsOnInPlace() throws {
        let uri = try parse(" otpauth://hotp/a b?Counter=9&secret=\(rfcKey)&x=counter=9&digits=8 ")
        let next = try #require(try uri.countedOn())
        #expect(next.text.text == "otpauth://hotp/a b?Counter=10&secret=\(rfcKey)&x=counter=9&digits=8")
        #expect(next.movement == .counter(10))
        #expect(try parse("otpauth://totp/a?secret=\(rfcKey)&counter=1").countedOn() == nil)
    }

    @Test func doesNotCountPastTheEnd() throws {
        let last = try parse("otpauth://hotp/a?secret=\(rfcKey)&counter=\(UInt64.max)")
        #expect(throws: OTPError.counterExhausted) { try last.countedOn() }
    }

    private static let secrets: [(String, String?, String?, String)] = [
        (
            "JBSWY3DPEHPK3PXP", "Example", "alice@google.com",
            "Example:alice%40google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        ),
        ("jbsw y3dp-ehpk 3pxp==", "My Site", nil, "My%20Site?secret=JBSWY3DPEHPK3PXP&issuer=My%20Site"),
        ("JBSWY3DPEHPK3PXP", nil, "a+b:c", "a%2Bb%3Ac?secret=JBSWY3DPEHPK3PXP"),
        ("JBSWY3DPEHPK3PXP", "", "J\u{f6}rg", "J%C3%B6rg?secret=JBSWY3DPEHPK3PXP"),
    ]

    @Test(arguments: secrets)
    func makesAURIOfASecret(_ secret: String, _ issuer: String?, _ account: String?, _ uri: String) throws {
        let made = try OTPAuthURI(
            secret: SecretBytes(secret),
            issuer: issuer.map { Array($0.utf8) },
            account: account.map { Array($0.utf8) }
        )
        #expect(made.text.text == "otpauth://totp/\(uri)")
        #expect(made.key.count == 10)
    }

    @Test(arguments: ["JBSWY3DP&digits=8", "JBSWY3DP#", "", "0189"])
    func makesNoURIOfWhatIsNoSecret(_ secret: String) {
        #expect(throws: OTPError.self) {
            try OTPAuthURI(secret: SecretBytes(secret), issuer: Array("x".utf8), account: nil)
        }
    }

    @Test func showsNoSecretInAnErrorOrADump() throws {
        let uri = try parse("otpauth://totp/x?secret=\(rfcKey)")
        var shown = ""
        dump(uri, to: &shown)
        #expect(!shown.contains("GEZDG") && !shown.contains("12345"))
        #expect(!"\(uri)".contains("GEZDG"))
    }

    @Test func survivesEveryByteChanged() {
        let bytes = Array("otpauth://hotp/a:b%20?secret=MFRGG===&counter=7&issuer=%41".utf8)
        var accepted = 0
        for index in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = byte
                if (try? OTPAuthURI(SecretBytes(changed))) != nil { accepted += 1 }
            }
            _ = try? OTPAuthURI(SecretBytes(Array(bytes[..<index])))
        }
        #expect(accepted > 0 && accepted < bytes.count * 256)
    }
}
