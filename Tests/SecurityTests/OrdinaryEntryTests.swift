import Foundation
import Testing

@testable import Security

/// Entries that nobody but people made: readable as items, and guarded.
@Suite struct OrdinaryEntryTests {
    private func filled() throws -> TestKeychain {
        let store = try TestKeychain()
        try store.insert("bank\nuser: me\n", at: "bank/me")
        try store.insert("wifi\n", at: "wifi")
        try store.insert("web\n", at: "%inet/example.org/alice")
        try store.insert("-----BEGIN KEY-----\nabc\n-----END KEY-----\n", at: "keys/deploy")
        try store.insert("odd\n", at: "odd%name/x")
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        return store
    }

    @Test func aQueryThatNamesTheServiceReadsThem() throws {
        let store = try filled()
        #expect(store.copy(item("me", "bank", ["r_Data": true])).text == "bank")
        #expect(store.copy(genp(["svce": "bank", "r_Data": true])).text == "bank")
        #expect(store.copy(genp(["svce": "wifi", "r_Data": true])).text == "wifi")
        #expect(store.copy(inet(["srvr": "example.org", "r_Data": true])).text == "web")
        #expect(
            store.copy(item("deploy", "keys", ["r_Data": true])).text
                == "-----BEGIN KEY-----\nabc\n-----END KEY-----\n"
        )
    }

    @Test func theyHaveAttributesAndTheDatesOfTheirFile() throws {
        let store = try filled()
        let found = try #require(store.copy(item("me", "bank", ["r_Attributes": true])).attributes)
        #expect(found["acct"] as? String == "me")
        #expect(found["svce"] as? String == "bank")
        #expect(found["agrp"] as? String == "default")
        let file = try FileManager.default.attributesOfItem(atPath: store.folder + "/bank/me.gpg")
        let modified = try #require(file[.modificationDate] as? Date)
        #expect(abs(try #require(found["mdat"] as? Date).timeIntervalSince(modified)) < 0.001)
        #expect(found["cdat"] as? Date == found["mdat"] as? Date)
    }

    @Test func everyOtherSearchPassesThemOver() throws {
        let store = try filled()
        for query in [genp(), genp(["acct": "me"]), genp(["agrp": "default"]), genp(["sync": "syna"])] {
            let answer = store.copy(query.merging(["r_Attributes": true]) { $1 }.merging(noLimit) { $1 })
            let accounts = answer.dictionaries?.compactMap { $0["acct"] as? String } ?? []
            #expect(accounts.allSatisfy { $0 == "a" })
        }
        #expect(store.copy(inet(noLimit)).status == errSecItemNotFound)
        #expect(store.copy(inet(["acct": "alice"])).status == errSecItemNotFound)
    }

    @Test func classWideChangesLeaveThemAlone() throws {
        let store = try filled()
        let entries = store.entries
        #expect(store.update(genp(), ["labl": "L"]) == errSecSuccess)
        #expect(store.update(genp(["svce": "bank"]), ["labl": "L"]) == errSecItemNotFound)
        #expect(store.update(genp(["acct": "me"]), ["labl": "L"]) == errSecItemNotFound)
        #expect(store.update(inet(["srvr": "example.org"]), ["labl": "L"]) == errSecItemNotFound)
        #expect(store.delete(genp(["svce": "bank"])) == errSecItemNotFound)
        #expect(store.delete(genp(["acct": "me"])) == errSecItemNotFound)
        for itemClass in ["genp", "inet", "cert", "keys", "idnt"] {
            _ = store.delete(["class": itemClass, "sync": "syna"])
        }
        #expect(store.entries == entries.filter { $0 != "s/a.gpg" })
        #expect(try store.contents("bank/me") == "bank\nuser: me\n")
    }

    @Test func namedInFullTheyAreChangedButStayOrdinary() throws {
        let store = try filled()
        #expect(store.update(item("me", "bank"), ["v_Data": secret("new")]) == errSecSuccess)
        #expect(try store.contents("bank/me") == "new\nuser: me\n")
        #expect(store.update(item("me", "bank"), ["labl": "Bank", "acct": "you"]) == errSecSuccess)
        #expect(try store.contents("bank/you") == "new\nuser: me\nkeychain-label: Bank\n")
        #expect(store.copy(genp(["labl": "Bank"])).status == errSecItemNotFound)
        #expect(store.copy(genp(["labl": "Bank", "svce": "bank"])).status == errSecSuccess)
        #expect(store.update(item("you", "bank"), ["v_Data": secret("two\nlines")]) == errSecSuccess)
        #expect(try store.contents("bank/you").hasPrefix("\nuser: me\n"))
        #expect(store.copy(item("you", "bank", ["r_Data": true])).text == "two\nlines")
        #expect(store.delete(genp(["svce": "bank"])) == errSecItemNotFound)
        #expect(store.delete(item("you", "bank")) == errSecSuccess)
        #expect(store.update(item("", "wifi"), ["v_Data": secret("w")]) == errSecSuccess)
        #expect(store.delete(item("", "wifi")) == errSecSuccess)
    }

    @Test func aSecretThatIsAWholeFileIsReplacedAsAWhole() throws {
        let store = try filled()
        let key = "-----BEGIN KEY-----\nxyz\n"
        #expect(store.update(item("deploy", "keys"), ["labl": "L"]) == errSecReadOnlyAttr)
        #expect(store.update(item("deploy", "keys"), ["v_Data": secret(key)]) == errSecSuccess)
        #expect(try store.contents("keys/deploy") == key)
        #expect(
            store.update(item("deploy", "keys"), ["v_Data": secret("short"), "labl": "L"]) == errSecSuccess
        )
        #expect(try store.contents("keys/deploy") == "short\nkeychain-label: L\n")
    }

    @Test func aReferenceToOneReadsItAndChangesNothing() throws {
        let store = try filled()
        let reference = try #require(store.copy(item("me", "bank", ["r_PersistentRef": true])).data)
        #expect(store.copy(["v_PersistentRef": reference, "r_Data": true]).text == "bank")
        #expect(store.update(["v_PersistentRef": reference], ["labl": "L"]) == errSecItemNotFound)
        #expect(store.delete(["v_PersistentRef": reference]) == errSecItemNotFound)
    }

    @Test func aPathThatIsNotCanonicalIsNoItem() throws {
        let store = try filled()
        #expect(store.copy(item("x", "odd%name")).status == errSecItemNotFound)
        #expect(store.add(item("x", "odd%name", oneSecret)).status == errSecSuccess)
        #expect(store.entries.contains("odd%25name/x.gpg"))
    }

    @Test func linksAreNoItemsAndAreNotWrittenThrough() throws {
        let store = try filled()
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: store.folder + "/alias.gpg", withDestinationPath: "wifi.gpg")
        try manager.createSymbolicLink(atPath: store.folder + "/folder", withDestinationPath: "bank")
        #expect(store.copy(item("", "alias")).status == errSecItemNotFound)
        #expect(store.copy(item("me", "folder")).status == errSecItemNotFound)
        #expect(store.add(item("", "alias", oneSecret)).status == errSecDuplicateItem)
        #expect(store.add(item("new", "folder", oneSecret)).status == errSecIO)
        #expect(try store.contents("wifi") == "wifi\n")
    }
}
