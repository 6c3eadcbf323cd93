import SecretMemory
import Testing

@testable import OneTimePassword

@Suite struct OTPAuthLineTests {
    private let uri = "otpauth://hotp/x?secret=MFRGG&counter=1"

    @Test(arguments: [
        "URI", "URI\n", "pw\nURI\nmore", "pw\r\n\tURI \r\nURI\n", "\n\n URI", "xURI\nurl: otpauth://\nURI",
    ])
    func findsTheFirstLineThatIsAURI(_ contents: String) throws {
        let contents = SecretBytes(contents.replacing("URI", with: uri))
        let line = try #require(OTPAuthLine(firstIn: contents))
        #expect(try line.uri(in: contents).text.text == uri)
    }

    @Test(arguments: ["", "\n", "pw\n", "totp/x", "x otpauth://totp/x?secret=MFRGG", "otpauth:/"])
    func findsNothingElse(_ contents: String) {
        #expect(OTPAuthLine(firstIn: SecretBytes(contents)) == nil)
    }

    @Test(arguments: ["URI", "URI\n", "pw\nURI\nlast\n", " URI \r\nlast", "a\nURI\nb\nURI\n"])
    func replacesNothingButTheFirstURI(_ text: String) throws {
        let contents = SecretBytes(text.replacing("URI", with: uri))
        let line = try #require(OTPAuthLine(firstIn: contents))
        let next = try #require(try line.uri(in: contents).countedOn())
        let expected = text.replacing(
            "URI",
            with: "otpauth://hotp/x?secret=MFRGG&counter=2",
            maxReplacements: 1
        )
        #expect(line.replacing(with: next, in: contents).text == expected.replacing("URI", with: uri))
    }

    @Test(arguments: [
        ("", "\nURI\n"), ("pw", "pw\nURI\n"), ("pw\n", "pw\nURI\n"), ("pw\n\n", "pw\n\nURI\n"),
        ("\n", "\nURI\n"),
    ])
    func appendsALine(_ before: String, _ after: String) throws {
        let appended = OTPAuthLine.appending(try OTPAuthURI(SecretBytes(uri)), to: SecretBytes(before))
        #expect(appended.text == after.replacing("URI", with: uri))
    }
}
