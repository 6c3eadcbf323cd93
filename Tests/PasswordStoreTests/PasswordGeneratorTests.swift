import SecretMemory
import Testing

@testable import PasswordStore

@Suite struct PasswordGeneratorTests {
    private func generate(_ length: Int, _ set: String) throws -> [UInt8] {
        let secret = try PasswordGenerator.generate(
            length: length,
            from: CharacterSet(trSet: Array(set.utf8))
        )
        return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    @Test(arguments: [
        ("1", 1), ("25", 25), ("08", 8), ("010", 10), ("0000000000000000000009", 9), ("1048576", 1 << 20),
    ])
    func readsALength(_ text: String, _ length: Int) throws {
        #expect(try PasswordGenerator.length(Array(text.utf8)) == length)
    }

    @Test(arguments: [
        ("", PasswordGenerator.Failure.lengthIsNoNumber), ("x", .lengthIsNoNumber), ("-1", .lengthIsNoNumber),
        ("+1", .lengthIsNoNumber), ("1 ", .lengthIsNoNumber), ("1.5", .lengthIsNoNumber),
        ("0x10", .lengthIsNoNumber),
        ("\u{0663}", .lengthIsNoNumber), ("0", .lengthIsZero), ("000", .lengthIsZero),
        ("1048577", .lengthIsTooLarge),
        ("99999999999999999999999", .lengthIsTooLarge),
    ])
    func refusesWhatIsNoLength(_ text: String, _ failure: PasswordGenerator.Failure) {
        #expect(throws: failure) { try PasswordGenerator.length(Array(text.utf8)) }
    }

    @Test func hasAsManyCharactersAsAskedFor() throws {
        for length in [0, 1, 25, 1023, 1024, 1025, 5000] {
            #expect(try generate(length, "a-z").count == length)
        }
        #expect(try generate(3, "a") == Array("aaa".utf8))
    }

    @Test func countsCharactersAndNotBytes() throws {
        let password = String(decoding: try generate(500, "\u{430}-\u{44F}"), as: UTF8.self)
        #expect(password.unicodeScalars.count == 500)
        #expect(password.unicodeScalars.allSatisfy { ("\u{430}"..."\u{44F}").contains($0) })
    }

    @Test func hasNoCharacterThatIsNotInTheSet() throws {
        let password = try generate(200_000, #"[:digit:]a-f\-_"#)
        #expect(Set(password) == Set("0123456789abcdef-_".utf8))
    }

    @Test(arguments: ["[:space:]", #"a\n"#, #"\0"#, "[:cntrl:]"])
    func refusesCharactersThatBreakTheLine(_ set: String) {
        #expect(throws: PasswordGenerator.Failure.charactersBreakLine) { try generate(5, set) }
    }

    @Test func refusesAPasswordWithoutEnd() {
        #expect(throws: PasswordGenerator.Failure.lengthIsTooLarge) { try generate((1 << 20) + 1, "a") }
    }

    @Test func twoPasswordsAreNotTheSame() throws {
        #expect(try generate(32, "[:alnum:]") != generate(32, "[:alnum:]"))
    }

    // Chi-square over a million characters. A fair generator is beyond the bound, 8 standard deviations, once in 10^12.
    @Test(arguments: ["[:graph:]", "[:alnum:]", "a-c", "0-9a-f", #"\001-\011\013-\377"#])
    func choosesEvenly(_ set: String) throws {
        let password = try generate(1 << 20, set)
        var counts: [UInt8: Double] = [:]
        for byte in password { counts[byte, default: 0] += 1 }
        let expected = Double(password.count) / Double(counts.count)
        let chiSquare = counts.values.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        let freedom = Double(counts.count - 1)
        #expect(chiSquare < freedom + 8 * (2 * freedom).squareRoot() + 30)
    }

    @Test(arguments: [1, 2, 3, 62, 94, 256, 1000, 1 << 31, (1 << 31) + 1, .max] as [UInt32])
    func dealsTheWordsOutEvenly(_ count: UInt32) {
        // The first word that is left over is the largest multiple of the count.
        let all = UInt64(UInt32.max) + 1
        let end = all / UInt64(count) * UInt64(count)
        #expect(PasswordGenerator.choose(one: count, by: UInt32(end - 1)) == count - 1)
        #expect(PasswordGenerator.choose(one: count, by: UInt32(end - UInt64(count))) == 0)
        if end < all {
            #expect(PasswordGenerator.choose(one: count, by: UInt32(end)) == nil)
            #expect(PasswordGenerator.choose(one: count, by: .max) == nil)
        }
    }
}
