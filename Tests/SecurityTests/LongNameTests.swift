import Foundation
import TestSupport
import Testing

@testable import Security

/// A name of so many bytes.
struct LongName: Sendable, CustomTestStringConvertible {
    let text: String
    let testDescription: String

    init(_ bytes: Int, of pattern: String, starting start: String = "") {
        let times = (bytes - start.utf8.count) / pattern.utf8.count
        let text = start + String(repeating: pattern, count: times)
        self.text = text + String(repeating: "z", count: bytes - text.utf8.count)
        testDescription = "\(bytes) bytes of \(pattern.debugDescription)"
    }

    static let all =
        [80, 250, 255, 256, 1_000, 4_000, 65_536].flatMap { length in
            ["a", "🐘"].map { LongName(length, of: $0) }
        }
        + [255, 1_000, 65_536].flatMap { length in
            ["/", "\n", "%", "a/b", "%long="].map { LongName(length, of: $0) }
        }
}

/// Names that do not fit into a path: they are found as all others.
@Suite struct LongNameTests {
    private let long = LongName(1_000, of: "long", starting: "a").text

    /// The path of a generic password.
    private func path(_ service: String, _ account: String) throws -> String {
        var location = ItemLocation(itemClass: .genericPassword)
        location.set(.service, to: Array(service.utf8))
        location.set(.account, to: Array(account.utf8))
        return String(decoding: try location.path(), as: UTF8.self)
    }

    private func accounts(_ answer: Answer) -> Set<String> {
        Set(answer.dictionaries?.compactMap { $0["acct"] as? String } ?? [])
    }

    @Test(arguments: LongName.all) func aGenericPasswordIsFoundByAllItsNames(_ name: LongName) throws {
        let store = try TestKeychain()
        let text = name.text
        let query = item(text, text, ["r_Attributes": true, "r_Data": true])
        #expect(
            store.add(item(text, text, ["v_Data": secret("long"), "labl": text])).status == errSecSuccess
        )
        #expect(store.add(item(text, text, oneSecret)).status == errSecDuplicateItem)
        #expect(store.add(item("short", text, oneSecret)).status == errSecSuccess)
        #expect(store.add(item(text, "", oneSecret)).status == errSecSuccess)
        for keychain in [store.keychain, store.anotherProcess()] {
            let found = try #require(TestKeychain.copy(query, from: keychain).attributes)
            #expect(found["acct"] as? String == text && found["svce"] as? String == text)
            #expect(found["labl"] as? String == text && found["v_Data"] as? Data == secret("long"))
            func count(_ query: [String: Any]) -> Int? {
                let all = query.merging(["r_Attributes": true]) { $1 }.merging(noLimit) { $1 }
                return TestKeychain.copy(all, from: keychain).list?.count
            }
            #expect(count(genp(["svce": text])) == 2)
            #expect(count(genp(["acct": text])) == 2)
            #expect(count(genp(["labl": text])) == 1)
            #expect(count(genp()) == 3)
            #expect(count(genp(["acct": text + "x"])) == nil)
        }
        #expect(store.entries.allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count <= 254 } })
        #expect(store.delete(item(text, text)) == errSecSuccess)
        #expect(store.copy(item(text, text)).status == errSecItemNotFound)
        #expect(store.delete(genp(["svce": text])) == errSecSuccess)
        #expect(store.entries.count == 1)
    }

    @Test(arguments: [255, 4_000, 65_536]) func allNamesOfAnInternetPasswordMayBeLongTogether(_ length: Int)
        throws
    {
        let store = try TestKeychain()
        var query = inet()
        for (index, code) in ["srvr", "acct", "sdmn", "ptcl", "atyp", "port", "path", "agrp"].enumerated() {
            query[code] = LongName(length, of: ["a", "🐘", "/", "\t", "%"][index % 5], starting: code).text
        }
        let others = ["labl": LongName(length, of: "l").text, "icmt": LongName(length, of: "c\n").text]
        #expect(store.add(query.merging(others) { $1 }.merging(oneSecret) { $1 }).status == errSecSuccess)
        #expect(store.add(query).status == errSecDuplicateItem)
        var other = query
        other["path"] = (query["path"] as? String ?? "") + "x"
        if length < 65_536 { #expect(store.add(other).status == errSecSuccess) }
        for key in ["srvr", "acct", "labl", "icmt"] {
            let value = query[key] ?? others[key] ?? ""
            let found = store.copy(inet([key: value, "r_Attributes": true])).attributes
            for (code, value) in query.merging(others, uniquingKeysWith: { $1 }) where code != "class" {
                #expect(found?[code] as? String == value as? String, "\(code) by \(key)")
            }
        }
        #expect(store.copy(query.merging(["r_Data": true]) { $1 }).text == "x")
        #expect(store.update(query, ["port": 443, "ptcl": "http", "path": "/"]) == errSecSuccess)
        #expect(store.copy(query).status == errSecItemNotFound)
        let changed = query.merging(["port": 443, "ptcl": "http", "path": "/", "r_Data": true]) { $1 }
        #expect(store.copy(changed).text == "x")
        #expect(store.delete(query.filter { ["class", "srvr", "acct"].contains($0.key) }) == errSecSuccess)
        #expect(store.entries.isEmpty)
    }

    @Test func whatIsNotAStringComesBackInItsType() throws {
        let store = try TestKeychain()
        let data = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(
            store.add(genp(["acct": data, "svce": data]).merging(oneSecret) { $1 }).status == errSecSuccess
        )
        for query in [genp(["acct": data]), genp(["acct": data, "svce": data]), genp()] {
            let found = store.copy(query.merging(["r_Attributes": true]) { $1 }).attributes
            #expect(found?["acct"] as? Data == data && found?["svce"] as? Data == data)
        }
    }

    @Test func aNameBecomesLongAndShortAgain() throws {
        let store = try TestKeychain(git: true)
        let added = store.add(item("short", "s", ["r_PersistentRef": true]).merging(oneSecret) { $1 })
        let reference = try #require(added.data)
        var last = "short"
        for name in [long, long + "2", "short", long] {
            #expect(store.update(item(last), ["acct": name]) == errSecSuccess)
            #expect(store.copy(item(last)).status == errSecItemNotFound)
            #expect(store.copy(item(name, "s", ["r_Data": true])).text == "x")
            let found = store.copy(["v_PersistentRef": reference, "r_Attributes": true]).attributes
            #expect(found?["acct"] as? String == name)
            #expect(
                Answer.text(store.anotherProcess(), ["v_PersistentRef": reference, "r_Data": true]) == "x"
            )
            let fields = try store.contents(path("s", name))
            #expect(fields.contains("keychain-account") == (name != "short"))
            last = name
        }
        #expect(store.add(item("short")).status == errSecSuccess)
        #expect(store.update(item("short"), ["acct": long]) == errSecDuplicateItem)
        #expect(store.update(item(long), ["v_Data": secret("y"), "labl": "L"]) == errSecSuccess)
        #expect(store.copy(item(long, "s", ["labl": "L", "r_Data": true])).text == "y")
        #expect(store.entries.count == 2)
    }

    @Test func namesWithOneBeginningAreApart() throws {
        let store = try TestKeychain()
        let start = LongName(600, of: "x").text
        let names = ["", "a", "A", "é", "e\u{301}", "/", "%2F", "\0", " "].map { start + $0 }
        for (index, name) in names.enumerated() {
            #expect(store.add(item(name, "s", ["v_Data": secret("\(index)")])).status == errSecSuccess)
        }
        for (index, name) in names.enumerated() {
            #expect(store.copy(item(name, "s", ["r_Data": true])).text == "\(index)")
        }
        #expect(store.entries.count == names.count)
    }

    @Test func aNameThatLooksShortenedIsAnother() throws {
        let store = try TestKeychain()
        let look = String(try path("s", long).dropFirst(2))
        let lookService = try path(long, "")
        for (index, name) in [long, look, look.replacingOccurrences(of: "%", with: "%25")].enumerated() {
            #expect(store.add(item(name, "s", ["v_Data": secret("\(index)")])).status == errSecSuccess)
            #expect(store.copy(item(name, "s", ["r_Data": true])).text == "\(index)")
        }
        #expect(store.add(item("", lookService, oneSecret)).status == errSecSuccess)
        #expect(store.copy(item("", long)).status == errSecItemNotFound)
        #expect(store.copy(item(long, "s", ["r_Data": true])).text == "0")
        #expect(store.entries.count == 4)
    }

    /// What stands at a name's path is that name's only if its field says so.
    @Test func anItemOfAnotherNameAtThePathIsNotTheOne() throws {
        let store = try TestKeychain()
        #expect(
            store.add(item(long + "2", "s", ["v_Data": secret("2"), "labl": "L"])).status == errSecSuccess
        )
        let contents = try store.contents(path("s", long + "2"))
        #expect(store.delete(item(long + "2")) == errSecSuccess)
        try store.insert(contents, at: path("s", long))
        #expect(store.copy(item(long, "s", ["r_Data": true])).status == errSecDecode)
        #expect(store.copy(item(long, "s")).status == errSecDecode)
        #expect(store.copy(item(long + "2")).status == errSecItemNotFound)
        #expect(store.update(item(long), ["labl": "M"]) == errSecDecode)
        #expect(store.add(item(long)).status == errSecDuplicateItem)
        for query in [genp(noLimit), genp(["svce": "s"]), genp(["labl": "L"])] {
            #expect(store.copy(query).status == errSecItemNotFound)
            #expect(store.delete(query.filter { $0.key != "m_Limit" }) == errSecItemNotFound)
        }
        #expect(store.entries == [try path("s", long) + ".gpg"])
        #expect(store.delete(item(long)) == errSecSuccess)
    }

    @Test func anOrdinaryEntryAtThePathIsGuarded() throws {
        let store = try TestKeychain()
        try store.insert("mine\nuser: me\n", at: path("s", long))
        #expect(store.add(item(long)).status == errSecDuplicateItem)
        for query in [genp(), genp(["svce": "s"]), genp(["acct": long])] {
            #expect(store.copy(query.merging(noLimit) { $1 }).status == errSecItemNotFound)
            #expect(store.update(query, ["labl": "L"]) == errSecItemNotFound)
            #expect(store.delete(query) == errSecItemNotFound)
        }
        #expect(try store.contents(path("s", long)) == "mine\nuser: me\n")
        let found = store.copy(item(long, "s", ["r_Attributes": true, "r_Data": true])).attributes
        #expect(found?["v_Data"] as? Data == secret("mine") && found?["acct"] as? String == long)
        let reference = try #require(store.copy(item(long, "s", ["r_PersistentRef": true])).data)
        #expect(store.copy(["v_PersistentRef": reference, "r_Data": true]).text == "mine")
        #expect(store.update(item(long), ["v_Data": secret("new")]) == errSecSuccess)
        #expect(try store.contents(path("s", long)) == "new\nuser: me\nkeychain-account: \(long)\n")
        #expect(store.copy(genp(["svce": "s", "r_Data": true])).text == "new")
        #expect(store.copy(genp(noLimit)).status == errSecItemNotFound)
        #expect(store.delete(genp(["svce": "s"])) == errSecItemNotFound)
        #expect(store.delete(item(long)) == errSecSuccess)
        let key = "-----BEGIN KEY-----\nabc\n"
        try store.insert(key, at: path("s", long))
        #expect(store.copy(item(long, "s", ["r_Data": true])).text == key)
        #expect(store.update(item(long), ["acct": long + "2"]) == errSecReadOnlyAttr)
        #expect(store.update(item(long), ["acct": "short"]) == errSecSuccess)
        #expect(try store.contents("s/short") == key)
    }

    @Test func aDamagedOneIsAnErrorWhereItIsNamedAndCanBeDeleted() throws {
        let store = try TestKeychain()
        try store.countRuns()
        try store.insert(bytes: Array("damaged".utf8), at: path("s", long))
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.copy(item(long, "s", ["r_Data": true])).status == errSecDecode)
        #expect(store.copy(genp(["svce": "s", "r_Data": true])).text == "x")
        #expect(store.delete(genp(["svce": "s"])) == errSecSuccess)
        _ = store.runs()
        #expect(store.delete(item(long)) == errSecSuccess)
        #expect(store.runs() == 0)
        #expect(store.entries.isEmpty)
    }

    /// One gpg for a long name as for a short one, and none for its neighbours.
    @Test func namingOneDecryptsOne() throws {
        let store = try TestKeychain()
        try store.countRuns()
        for number in 0..<5 {
            #expect(store.add(item(long + "\(number)", "s", oneSecret)).status == errSecSuccess)
        }
        _ = store.runs()
        #expect(store.copy(item(long + "3", "s", ["r_Data": true])).text == "x")
        #expect(store.runs() == 1)
        #expect(store.copy(genp(["svce": "t"])).status == errSecItemNotFound)
        #expect(store.copy(genp(["acct": long])).status == errSecItemNotFound)
        #expect(store.copy(genp(["svce": "s" + long])).status == errSecItemNotFound)
        #expect(store.runs() == 0)
    }

    @Test func aDeclaredGroupMayHaveALongName() throws {
        let store = try TestKeychain(groups: [long, "other"])
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("a", "s", ["agrp": long])).status == errSecDuplicateItem)
        #expect(store.copy(item("a", "s", ["r_Attributes": true])).attributes?["agrp"] as? String == long)
        #expect(store.copy(genp(["labl": "x"])).status == errSecItemNotFound)
        #expect(store.copy(genp(["agrp": long, "r_Data": true])).text == "x")
        let stranger = store.anotherProcess(groups: [long + "2"])
        #expect(TestKeychain.copy(genp(), from: stranger).status == errSecItemNotFound)
        #expect(TestKeychain.copy(genp(["agrp": long]), from: stranger).status == errSecMissingEntitlement)
        #expect(store.update(item("a"), ["agrp": "other"]) == errSecSuccess)
        #expect(store.entries == ["%groups/other/s/a.gpg"])
        #expect(!(try store.contents("%groups/other/s/a")).contains("keychain-access-group"))
    }

    @Test func moreThan64KiBAreRefused() throws {
        let store = try TestKeychain()
        let over = LongName(65_537, of: "a").text
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        for query in [item(over), item("a", over), item("a", "s", ["agrp": over]), inet(["path": over])] {
            #expect(store.add(query).status == errSecDataTooLarge)
            #expect(store.copy(query).status == errSecItemNotFound)
        }
        for code in ["acct", "svce", "agrp"] {
            #expect(store.update(item("a"), [code: over]) == errSecDataTooLarge)
        }
        #expect(store.entries == ["s/a.gpg"])
        let cause = StoreFailure.attributeTooLong(.account, 65_537, limit: ItemLocation.longestValue).cause
        #expect(cause == "acct has 65537 bytes; 65536 are allowed")
    }

    /// Entries as they were written before names could be longer than a component.
    @Test func entriesOfEarlierVersionsAreFoundAtTheirPaths() throws {
        let store = try TestKeychain()
        let name = LongName(250, of: "n").text
        let deep = Array(repeating: LongName(229, of: "d").text, count: 11).joined(separator: "/")
        let host = LongName(232, of: "h").text
        let items: [(path: String, query: [String: Any])] = [
            ("com.example.app/alice", item("alice", "com.example.app")), ("s/\(name)", item(name)),
            (name, item("", name)), ("\(deep)/\(name)", item(name, deep)),
            (
                "%inet/\(name)/\(host)%ptcl=http%port=8",
                inet(["srvr": name, "acct": host, "ptcl": "http", "port": 8])
            ),
        ]
        for (index, one) in items.enumerated() {
            let fields = "keychain-id: \(UUID().uuidString)\nkeychain-created: 2026-01-02T03:04:05.678901Z\n"
            try store.insert("secret \(index)\n\(fields)keychain-label: L\n", at: one.path)
        }
        let entries = store.entries
        for (index, one) in items.enumerated() {
            #expect(store.copy(one.query.merging(["r_Data": true]) { $1 }).text == "secret \(index)")
            #expect(store.add(one.query).status == errSecDuplicateItem)
            #expect(store.update(one.query, ["labl": "M"]) == errSecSuccess)
            #expect(!(try store.contents(one.path)).contains("keychain-account"))
        }
        #expect(
            store.copy(genp(["labl": "M"]).merging(noLimit) { $1 }.merging(["r_Attributes": true]) { $1 })
                .list?.count == 4
        )
        #expect(store.entries == entries)
    }

    @Test(.enabled(if: TestKeychain.hasPass, "Debian's pass is not installed"))
    func passWorksOnThem() throws {
        let store = try TestKeychain(git: true)
        let reference = try #require(
            store.add(item(long, "app", ["r_PersistentRef": true]).merging(oneSecret) { $1 }).data
        )
        let entry = try path("app", long)
        #expect(try store.pass("show", entry).text.hasPrefix("x\n"))
        #expect(try store.pass("ls").text.contains(entry.dropFirst(4)))
        try store.pass("generate", "-i", "-n", entry, "9")
        #expect(store.copy(item(long, "app", ["r_Data": true])).text?.count == 9)
        // The folder is the service: the shortened account goes along, and its field still has its value.
        try store.pass("mv", "app", "moved")
        #expect(store.copy(item(long, "moved", ["r_Data": true])).text?.count == 9)
        #expect(accounts(store.copy(genp(["r_Attributes": true]).merging(noLimit) { $1 })) == [long])
        #expect(
            Answer.text(store.anotherProcess(), ["v_PersistentRef": reference, "r_Data": true])?.count == 9
        )
        // A name of its own: the path is the truth, and the field is passed over.
        try store.pass("mv", try path("moved", long), "moved/bob")
        #expect(store.copy(item(long, "moved")).status == errSecItemNotFound)
        let found = store.copy(item("bob", "moved", ["r_Attributes": true])).attributes
        #expect(found?["acct"] as? String == "bob")
        #expect(
            Answer.text(store.anotherProcess(), ["v_PersistentRef": reference, "r_Data": true])?.count == 9
        )
        // What pass puts in its place is an entry of that name still.
        #expect(store.add(item(long, "app", oneSecret)).status == errSecSuccess)
        try store.pass("insert", "-e", "-f", entry, input: "rotated\n")
        #expect(store.copy(item(long, "app", ["r_Data": true])).text == "rotated")
    }
}
