import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import OneTimePassword

private let oathtoolPath = "/usr/bin/oathtool"
private let hasOathtool = FileManager.default.isExecutableFile(atPath: oathtoolPath)

@Suite struct CodeTests {
    @Test(arguments: [
        (0, "755224"), (1, "287082"), (2, "359152"), (3, "969429"), (4, "338314"), (5, "254676"),
        (6, "287922"),
        (7, "162583"), (8, "399871"), (9, "520489"),
    ])
    func givesTheCodesOfRFC4226(_ counter: Int, _ code: String) throws {
        let key = base32(Array("12345678901234567890".utf8))
        let uri = try OTPAuthURI(SecretBytes("otpauth://hotp/x?secret=\(key)&counter=\(counter)"))
        #expect(try uri.code(at: 0).text == code)
    }

    private static let rfc6238: [(UInt64, [String])] = [
        (59, ["94287082", "46119246", "90693936"]),
        (1_111_111_109, ["07081804", "68084774", "25091201"]),
        (1_111_111_111, ["14050471", "67062674", "99943326"]),
        (1_234_567_890, ["89005924", "91819424", "93441116"]),
        (2_000_000_000, ["69279037", "90698825", "38618901"]),
        (20_000_000_000, ["65353130", "77737706", "47863826"]),
    ]

    @Test(arguments: rfc6238)
    func givesTheCodesOfRFC6238(_ time: UInt64, _ codes: [String]) throws {
        // Erratum 2866: the keys of the longer hashes are as long as these.
        for ((name, length), code) in zip([("SHA1", 20), ("SHA256", 32), ("SHA512", 64)], codes) {
            let key = base32(Array(String(repeating: "1234567890", count: 7).utf8.prefix(length)))
            let text = "otpauth://totp/x?secret=\(key)&algorithm=\(name)&digits=8"
            #expect(try OTPAuthURI(SecretBytes(text)).code(at: time).text == code)
        }
    }

    /// The lines that oathtool prints for the arguments.
    private func oathtool(_ arguments: [String]) throws -> [String] {
        let tool = Process()
        let pipe = Pipe()
        tool.executableURL = URL(fileURLWithPath: oathtoolPath)
        tool.arguments = arguments
        tool.standardOutput = pipe
        try tool.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        tool.waitUntilExit()
        #expect(tool.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(.enabled(if: hasOathtool, "Debian package oathtool"), arguments: ["SHA1", "SHA256", "SHA512"])
    func agreesWithOathtoolOnTimeBasedCodes(_ algorithm: String) throws {
        var random = SeededGenerator.forTest()
        for _ in 0..<10 {
            let count = Int.random(in: 1...80, using: &random)
            let key = base32((0..<count).map { _ in .random(in: 0...255, using: &random) })
            let (digits, period) = (
                Int.random(in: 6...8, using: &random), Int.random(in: 1...120, using: &random)
            )
            let start = Int.random(in: 0...40_000_000_000, using: &random)
            let expected = try oathtool([
                "--base32", "--totp=\(algorithm)", "--digits=\(digits)", "--time-step-size=\(period)s",
                "--now=@\(start)", "--window=99", key,
            ])
            let text =
                "otpauth://totp/x?secret=\(key)&algorithm=\(algorithm)&digits=\(digits)&period=\(period)"
            let uri = try OTPAuthURI(SecretBytes(text))
            let codes = try (0...99).map { try uri.code(at: UInt64(start + $0 * period)).text }
            #expect(codes == expected, "\(text) at \(start), \(random)")
        }
    }

    @Test(.enabled(if: hasOathtool, "Debian package oathtool"))
    func agreesWithOathtoolOnCountedCodes() throws {
        var random = SeededGenerator.forTest()
        for _ in 0..<10 {
            let count = Int.random(in: 1...80, using: &random)
            let key = base32((0..<count).map { _ in .random(in: 0...255, using: &random) })
            let digits = Int.random(in: 6...8, using: &random)
            let first = UInt64.random(in: 0...(.max - 200), using: &random)
            let expected = try oathtool([
                "--base32", "--hotp", "--digits=\(digits)", "--counter=\(first)", "--window=99", key,
            ])
            let text = "otpauth://hotp/x?secret=\(key)&digits=\(digits)&counter=\(first)"
            var uri = try OTPAuthURI(SecretBytes(text))
            var codes = [try uri.code(at: 0).text]
            for _ in 1...99 {
                uri = try #require(try uri.countedOn())
                codes.append(try uri.code(at: 0).text)
            }
            #expect(codes == expected, "\(text), \(random)")
        }
    }
}
