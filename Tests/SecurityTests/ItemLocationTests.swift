import TestSupport
import Testing

@testable import Security

@Suite struct ItemLocationTests {
    private static func generic(_ service: String, _ account: String) -> ItemLocation {
        var location = ItemLocation(itemClass: .genericPassword)
        location.set(.service, to: Array(service.utf8))
        location.set(.account, to: Array(account.utf8))
        return location
    }

    private static func internet(_ values: [AttributeCode: String]) -> ItemLocation {
        var location = ItemLocation(itemClass: .internetPassword)
        for (code, value) in values { location.set(code, to: Array(value.utf8)) }
        return location
    }

    private static func text(_ location: ItemLocation) throws -> String {
        String(decoding: try location.path(), as: UTF8.self)
    }

    @Test(arguments: [
        ("com.example.app", "alice", "com.example.app/alice"),
        ("a/b", "alice", "a/b/alice"),
        ("wifi-at-home", "", "wifi-at-home"),
        ("", "Rhode", "%/Rhode"),
        ("", "", "%/%"),
        ("a/b", "", "a/b/%"),
        ("a//b", "c", "a/%/b/c"),
        ("/", "c", "%/%/c"),
        ("/", "", "%/%/%"),
        ("a/", "c", "a/%/c"),
        ("a", "b/c", "a/b%2Fc"),
        ("50%", "x", "50%25/x"),
        (".git", "config", "%2Egit/config"),
        ("..", ".", "%2E./%2E"),
        ("a", "b.gpg", "a/b%2Egpg"),
        ("a", ".gpg", "a/%2Egpg"),
        ("a.gpg", "b", "a%2Egpg/b"),
        ("a", "b.gpg.gpg", "a/b.gpg%2Egpg"),
        ("a", "tab\tnewline\ndel\u{7F}nul\0", "a/tab%09newline%0Adel%7Fnul%00"),
        ("with space", "Ünïcode 🐘", "with space/Ünïcode 🐘"),
        ("%inet", "x", "%25inet/x"),
        ("a", "b%sync", "a/b%25sync"),
    ])
    func genericPasswordsHaveTheirPath(_ service: String, _ account: String, _ path: String) throws {
        let location = Self.generic(service, account)
        #expect(try Self.text(location) == path)
        #expect(ItemLocation(path: Array(path.utf8)) == location)
    }

    @Test(
        arguments: [
            ([:], "%inet/%/%"),
            (["srvr": "example.org", "acct": "alice"], "%inet/example.org/alice"),
            (
                ["srvr": "example.org", "acct": "alice", "ptcl": "htps", "port": "8443"],
                "%inet/example.org/alice%ptcl=htps%port=8443"
            ),
            (["srvr": "example.org", "port": "443"], "%inet/example.org/%%port=443"),
            (["srvr": "a/b", "acct": "x", "path": "/index"], "%inet/a%2Fb/x%path=%2Findex"),
            (
                ["srvr": "h", "acct": "x", "port": "0", "ptcl": "0", "path": "", "atyp": "", "sdmn": ""],
                "%inet/h/x"
            ),
            (["srvr": "h", "acct": "x", "port": "0080"], "%inet/h/x%port=80"),
            (["srvr": "h", "acct": "x", "port": ""], "%inet/h/x%port=%"),
            (
                ["srvr": "h", "acct": "x", "ptcl": "ftp ", "atyp": "dflt", "sdmn": "d"],
                "%inet/h/x%sdmn=d%ptcl=ftp %atyp=dflt"
            ),
            (["srvr": "h", "acct": "x", "path": "a.gpg"], "%inet/h/x%path=a%2Egpg"),
        ] as [([AttributeCode: String], String)]
    )
    func internetPasswordsHaveTheirPath(_ values: [AttributeCode: String], _ path: String) throws {
        let location = Self.internet(values)
        #expect(try Self.text(location) == path)
        #expect(ItemLocation(path: Array(path.utf8)) == location)
    }

    @Test func groupsAreFoldersAndSynchronizableItemsHaveAMark() throws {
        var location = Self.generic("com.example.app", "alice")
        location.group = Array("team/a".utf8)
        location.isSynchronizable = true
        #expect(try Self.text(location) == "%groups/team%2Fa/com.example.app/alice%sync")
        #expect(ItemLocation(path: try location.path()) == location)
        location = Self.generic("wifi", "")
        location.isSynchronizable = true
        #expect(try Self.text(location) == "wifi%sync")
        location = Self.internet(["srvr": "h", "port": "1"])
        location.isSynchronizable = true
        #expect(try Self.text(location) == "%inet/h/%%port=1%sync")
    }

    @Test func certificatesAndKeysAreNamedByTheirUUID() throws {
        let name = "7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11"
        let location = ItemLocation(itemClass: .key, name: Array(name.utf8))
        #expect(try Self.text(location) == "%keys/\(name)")
        #expect(ItemLocation(path: Array("%keys/\(name)".utf8)) == location)
        #expect(ItemLocation(path: Array("%cert/\(name)%sync".utf8))?.isSynchronizable == true)
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", "%", "%sync", "a/%/", "a%2fb", "a%41", "a%", "a%4", "a%zz", "%/%/",
        "wifi/%",
        ".git/config", ".extensions/x", "a/.b", "a/b.gpg", "a/b%sync%sync", "a%sync/b", "a/b%port=1",
        "%inet/x",
        "%inet/x/y/z", "%inet/h/x%port=080", "%inet/h/x%port=0", "%inet/h/x%path=%",
        "%inet/h/x%port=1%ptcl=a",
        "%inet/h/x%port=1%port=1", "%inet/h/x%port", "%inet/h/x%", "%groups/default/a/b", "%groups/team",
        "%keys/x", "%cert/7b0c3b1e-5b0c-4c55-9a51-3c1b8f6d0a11", "%idnt/x", "%Inet/h/x", "%unknown/x",
        "a/b%foo=1",
        "%keys/7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11/x", "%groups/%inet/h/x",
    ])
    func otherPathsAreNoItems(_ path: String) {
        #expect(ItemLocation(path: Array(path.utf8)) == nil)
    }

    @Test(arguments: [[0xFF], [0x61, 0x2F, 0xC3], [0x61, 0x2F, 0xED, 0xA0, 0x80]] as [[UInt8]])
    func pathsThatAreNotUTF8AreNoItems(_ path: [UInt8]) {
        #expect(ItemLocation(path: path) == nil)
    }

    @Test func accountsThatAreNotUTF8AreEscapedByteByByte() throws {
        var location = Self.generic("s", "")
        location.set(.account, to: [0xFF, 0x61, 0xC3, 0xA9, 0xC3])
        #expect(try Self.text(location) == "s/%FFaé%C3")
        #expect(ItemLocation(path: try location.path()) == location)
    }

    @Test func lengthsHaveLimitsThatIncludeTheMarks() throws {
        var location = Self.generic("s", String(repeating: "a", count: 250))
        #expect(try location.path().count == 252)
        location.isSynchronizable = true
        #expect(throws: StatusError(errSecDataTooLarge)) { try location.path() }
        location = Self.generic("s", String(repeating: "%", count: 84))
        #expect(throws: StatusError(errSecDataTooLarge)) { try location.path() }
        // Each piece of the service is short; 13 of 230 and their slashes are under 3,000 bytes, 14 are not.
        let piece = String(repeating: "b", count: 230)
        location = Self.generic(Array(repeating: piece, count: 12).joined(separator: "/"), "a")
        #expect(try location.path().count == 12 * 231 + 1)
        location = Self.generic(Array(repeating: piece, count: 13).joined(separator: "/"), "a")
        #expect(throws: StatusError(errSecDataTooLarge)) { try location.path() }
    }
}

@Suite struct ItemLocationFuzzTests {
    private static let pieces =
        [
            "a", "%", "%%", "/", ".", ".gpg", "\0", "é", "e\u{301}", "\u{7F}", "%2F", "%sync",
            "sync", "port=", "%port=1", "0", "%inet", "%groups", "default", "🐘", " ",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3]]

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...4, using: &random)).flatMap { _ in pieces.randomElement(using: &random)! }
    }

    @Test func decodingUndoesEncodingAndNoTwoKeysShareAPath() throws {
        var random = SeededGenerator(seed: 85_104)
        var seen: [[UInt8]: ItemLocation] = [:]
        for _ in 0..<Fuzz.rounds {
            var location = ItemLocation(
                itemClass: Bool.random(using: &random) ? .genericPassword : .internetPassword
            )
            location.isSynchronizable = Bool.random(using: &random)
            if Bool.random(using: &random) { location.group = Self.bytes(&random) }
            if location.group.isEmpty { location.group = ItemLocation.defaultGroup }
            for line in location.itemClass.attributes where line.isInPath && line.place != .location {
                if Bool.random(using: &random) { location.set(line.code, to: Self.bytes(&random)) }
            }
            let path = try location.path()
            #expect(ItemLocation(path: path) == location)
            if let other = seen.updateValue(location, forKey: path) { #expect(other == location) }
            if seen.count > 200_000 { seen.removeAll() }
        }
    }

    @Test func encodingUndoesDecodingOnCanonicalPaths() throws {
        var random = SeededGenerator(seed: 4_711)
        for _ in 0..<Fuzz.rounds {
            let path = Self.bytes(&random) + [UInt8(ascii: "/")] + Self.bytes(&random)
            guard let location = ItemLocation(path: path) else { continue }
            #expect(try location.path() == path)
        }
    }
}
