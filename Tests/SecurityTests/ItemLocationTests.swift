// swift-format-ignore-file: NeverForceUnwrap
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

    /// As released before names could be longer: each of these stands whole in its path.
    @Test func namesThatFitAreNotShortened() throws {
        let account = String(repeating: "a", count: 250)
        #expect(try Self.text(Self.generic("s", account)) == "s/" + account)
        var location = Self.generic("s", String(account.dropLast(5)))
        location.isSynchronizable = true
        #expect(try Self.text(location) == "s/\(account.dropLast(5))%sync")
        let escaped = String(repeating: "%", count: 83)
        #expect(try Self.text(Self.generic("s", escaped)) == "s/" + String(repeating: "%25", count: 83))
        let host = String(account.dropLast(18))
        #expect(
            try Self.text(Self.internet(["srvr": account, "acct": host, "ptcl": "http", "port": "8"]))
                == "%inet/\(account)/\(host)%ptcl=http%port=8"
        )
        // 13 pieces of 229 bytes, their slashes and the account are 2,991 bytes.
        let service = Array(repeating: String(account.dropLast(21)), count: 13).joined(separator: "/")
        #expect(try Self.text(Self.generic(service, "a")) == service + "/a")
        #expect(try Self.text(Self.generic(service, "elevenbytes")).hasSuffix("/elevenbytes"))
        #expect(try Self.generic(service, "ten bytes.").path().count == 3_000)
    }

    @Test func aComponentThatDoesNotFitIsItsBeginningAndAHash() throws {
        let hash = "%long=[0-9a-f]{32}"
        let a = String(repeating: "a", count: 300)
        func expect(_ location: ItemLocation, _ pattern: String) throws {
            let path = try Self.text(location)
            #expect(try Regex(pattern).wholeMatch(in: path) != nil, "\(path)")
            #expect(
                path.split(separator: "/").allSatisfy { $0.utf8.count <= 250 } && path.utf8.count <= 3_000
            )
        }
        try expect(Self.generic("s", a), "s/a{182}\(hash)")
        try expect(Self.generic(a, ""), "a{182}\(hash)")
        try expect(Self.generic(a, "me"), "a{182}\(hash)/me")
        try expect(Self.generic("x/\(a)/y", "me"), "x/a{182}\(hash)/y/me")
        try expect(Self.generic("s", String(repeating: "🐘", count: 100)), "s/🐘{45}\(hash)")
        try expect(Self.generic("s", String(repeating: "x%/", count: 100)), "s/(x%25%2F){26}\(hash)")
        try expect(Self.internet(["srvr": a, "acct": a]), "%inet/a{182}\(hash)/a{182}\(hash)")
        try expect(Self.internet(["srvr": "h", "path": "/" + a]), "%inet/h/%%path=%2Fa{172}\(hash)")
        try expect(
            Self.internet(["srvr": "h", "acct": String(repeating: "b", count: 179), "path": a]),
            "%inet/h/b{179}\(hash)"
        )
        var location = Self.generic("s", a)
        location.isSynchronizable = true
        location.group = Array(a.utf8)
        try expect(location, "%groups/a{182}\(hash)/s/a{177}\(hash)%sync")
        // What would make the path too long or too deep is one folder.
        try expect(Self.generic(String(repeating: "/", count: 65_536), ""), "(%/){99}(%2F){60}\(hash)/%")
        try expect(Self.generic(String(repeating: "/", count: 110), "me"), "(%/){99}(%2F){11}/me")
        let deep = Array(repeating: String(a.prefix(200)), count: 50).joined(separator: "/")
        try expect(Self.generic(deep, "me"), "(a{200}/){13}a{182}\(hash)/me")
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
            for line in location.itemClass.attributes where line.isInPath && line.field != "access-group" {
                guard line.place != .location(field: nil) else { continue }
                if Bool.random(using: &random) { location.set(line.code, to: Self.bytes(&random)) }
            }
            let path = try location.path()
            #expect(ItemLocation(path: path) == location)
            if let other = seen.updateValue(location, forKey: path) { #expect(other == location) }
            if seen.count > 200_000 { seen.removeAll() }
        }
    }

    /// Pieces of all lengths: the outline of a path takes the values that it was made of, and no others.
    @Test func outlinesTakeTheirOwnValuesAlone() throws {
        var random = SeededGenerator(seed: 65_536)
        var outlines = 0
        for _ in 0..<Fuzz.rounds / 20 {
            var location = ItemLocation(
                itemClass: Bool.random(using: &random) ? .genericPassword : .internetPassword
            )
            location.isSynchronizable = Bool.random(using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { location.group = Self.longBytes(&random) }
            if location.group.isEmpty { location.group = ItemLocation.defaultGroup }
            for line in location.itemClass.attributes
            where line.isInPath && line.place != .location(field: nil) {
                guard line.code != .group, Bool.random(using: &random) else { continue }
                location.set(line.code, to: Self.longBytes(&random))
            }
            let path = try location.path()
            #expect(path.count <= 3_000)
            #expect(path.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= 250 })
            let read = try #require(ItemLocation(path: path))
            guard let outline = read.outline else {
                #expect(read == location)
                continue
            }
            outlines += 1
            var values = location.key.mapValues(AttributeValue.data)
            values[.group] = .data(location.group)
            #expect(read.completed(with: values) == location)
            for (code, value) in values {
                let line = try #require(location.itemClass.attribute(code))
                #expect(read.mayHave(value, for: line))
                guard outline.attributes.contains(code) else { continue }
                let other = AttributeValue.data(value.bytes + [UInt8(ascii: "x")])
                #expect(read.completed(with: values.merging([code: other]) { $1 }) == nil)
            }
        }
        #expect(outlines > Fuzz.rounds / 100)
    }

    private static func longBytes(_ random: inout SeededGenerator) -> [UInt8] {
        let piece = bytes(&random)
        let times = [1, 1, 10, 60, 100, 300, 1_500].randomElement(using: &random) ?? 1
        return (0..<times).flatMap { _ in piece }
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
