import Foundation
import Testing
import Unix

@testable import PasswordStore

typealias PasswordCharacters = PasswordStore.CharacterSet

@Suite struct CharacterSetTests {
    private func set(_ text: String) throws(PasswordCharacters.Failure) -> [String] {
        try PasswordCharacters(trSet: Array(text.utf8)).characters.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theSetsOfGenerateHave94And62Characters() throws {
        #expect(PasswordCharacters.graphic.characters.count == 94)
        #expect(PasswordCharacters.alphanumeric.characters.count == 62)
        #expect(try PasswordCharacters(trSet: Array("[:punct:][:alnum:]".utf8)) == .graphic)
        #expect(try PasswordCharacters(trSet: Array("[:alnum:]".utf8)) == .alphanumeric)
    }

    @Test func aCharacterOfSeveralBytesIsOneCharacter() throws {
        #expect(try set("a\u{E9}\u{1F511}") == ["a", "\u{E9}", "\u{1F511}"])
        #expect(try set("\u{430}-\u{434}") == ["\u{430}", "\u{431}", "\u{432}", "\u{433}", "\u{434}"])
        #expect(try set("~-\u{81}") == ["~", "\u{7F}", "\u{80}", "\u{81}"])
        #expect(try set("[=\u{E9}=]") == ["\u{E9}"])
        #expect(try set("\\\u{E9}") == ["\u{E9}"])
    }

    @Test func aRangeLeavesOutWhatIsNoCharacter() throws {
        // The surrogates lie between the two.
        #expect(try set("\u{D7FF}-\u{E000}") == ["\u{D7FF}", "\u{E000}"])
    }

    @Test func aSetMayStartWithADash() throws {
        #expect(try set("-a") == ["-", "a"])
        #expect(try set("--/") == ["-", ".", "/"])
        #expect(try set("-") == ["-"])
    }

    @Test(arguments: [
        ("", PasswordCharacters.Failure.empty),
        ("[:foo:]", .unknownClass(name: Array("foo".utf8))),
        ("[::]", .unknownClass(name: [])),
        ("[=ab=]", .invalidEquivalence(operand: Array("ab".utf8))),
        ("[==]", .invalidEquivalence(operand: [])),
        ("z-a", .reversedRange(first: [0x7A], last: [0x61])),
        ("\u{E9}-a", .reversedRange(first: [0xC3, 0xA9], last: [0x61])),
        ("\u{E9}-\\377", .reversedRange(first: [0xC3, 0xA9], last: [0xFF])),
        ("[a*]", .invalidRepeat(count: [])),
        ("[a*0]", .invalidRepeat(count: [0x30])),
        ("[a*08]", .invalidRepeat(count: Array("08".utf8))),
        ("[a*x]", .invalidRepeat(count: [0x78])),
        ("[a*+1]", .invalidRepeat(count: Array("+1".utf8))),
    ])
    func saysWhatIsWrong(_ text: String, _ failure: PasswordCharacters.Failure) {
        #expect(throws: failure) { try set(text) }
    }
}

/// The same sets, read by the real `tr`.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tr"), "needs tr"))
struct CharacterSetConformanceTests {
    /// Which of all 256 bytes `tr -dc` leaves; `nil` when it refuses the set.
    private func leftByTr(_ text: String) throws -> [UInt8]? {
        var tr = Subprocess(
            "/usr/bin/tr",
            [Array("-dc".utf8), Array("--".utf8), Array(text.utf8)],
            environment: Environment(["LC_ALL": "C"])
        )
        tr.input = .bytes(Array(0...255))
        let outcome = try tr.run()
        return outcome.status == 0 ? outcome.output : nil
    }

    private func ours(_ text: String) -> [UInt8]? {
        // A refusal is what is compared.
        let set = try? PasswordCharacters(trSet: Array(text.utf8))
        return set.map { $0.characters.flatMap { $0 } }
    }

    static let sets = [
        "a", "abc", "a-c", "c-a", "a-a", "a-", "-a", "-", "--", "---", "--/", "a--", "!--", "+--z", "a-c-e",
        "a-cd-f",
        "[:alnum:]", "[:alpha:]", "[:blank:]", "[:cntrl:]", "[:digit:]", "[:graph:]", "[:lower:]",
        "[:print:]",
        "[:punct:]", "[:space:]", "[:upper:]", "[:xdigit:]", "[:word:]", "[:ALPHA:]", "[::]", "[:alpha:",
        "[:alpha]",
        "[:", "[:]", "[:a", "[[:alpha:]]", "[:alpha:][:digit:]_", "[:alpha:]-z", "a-[:digit:]",
        "[:digit:]-[:alpha:]",
        "[=a=]", "[==]", "[===]", "[=ab=]", "[=[=]", "[=]=]", "[=-=]", #"[=\n=]"#, "[=a=", "[=", "[=a=]-z",
        "[a*3]", "[a*]", "[a*0]", "[a*00]", "[a*010]", "[a*08]", "[a*x]", "[a*-1]", "[a*1x]",
        "[a*99999999999999999999]",
        "[*3]", "[**3]", "[]*2]", "[:*3]", "[=*3]", "[:*]", "[=*]", "[:*:]", "[:*3:]", "[a*3]-z", "[a*3",
        "[a*", "[-*3]",
        #"[a\*3]"#, #"[a*\3]"#, #"[a*3\]"#, #"[\a*3]"#, #"[a*\]]"#,
        "[a-c]", "[a]", "[", "]", "[]", "[[", "[a", "][", "^a", "[^a]",
        #"\n"#, #"\t\a\b\f\r\v"#, #"\\"#, #"\"#, #"a\"#, #"a-\"#, #"\-a"#, #"a\-c"#, #"a-\c"#, #"\a-\n"#,
        #"\q"#,
        #"\0"#, #"\00"#, #"\000"#, #"\0000"#, #"\101"#, #"\101-\103"#, #"\377"#, #"\400"#, #"\777"#, #"\8"#,
        #"\18"#,
        #"\200-\377"#, #"a-\377"#, #"\377-a"#, #"\[:alpha:]"#, #"[\:alpha:]"#, #"[:alpha\:]"#, #"[:alpha:\]"#,
        #"[:\alpha:]"#, " ", "  -~", "!-~", "a b", "*", "**", "*-z", "0-9a-fA-F", "a-zA-Z0-9_!@#$%^&*()+=-",
        "%s",
    ]

    @Test(arguments: sets) func takesTheBytesThatTrTakes(_ text: String) throws {
        #expect(try ours(text) == leftByTr(text))
    }

    @Test func takesTheBytesThatTrTakesOfSetsByChance() throws {
        let pieces = [
            "[", "]", ":", "=", "*", "-", "a", "z", "0", "3", "alpha", "digit", #"\"#, #"\n"#, #"\101"#, "[:",
            ":]",
        ]
        // A fixed row of numbers: the same sets each time.
        var state: UInt64 = 7
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<600 {
            let text = (0...next(7)).map { _ in pieces[next(pieces.count)] }.joined()
            #expect(try ours(text) == leftByTr(text), "\(text)")
        }
    }
}
