import Foundation
import Testing

@testable import Security

/// What updates do to dates, keys and types.
@Suite struct ItemUpdateTests {
    private func attributes(_ store: TestKeychain, _ query: [String: Any] = item()) throws -> [String: Any] {
        try #require(store.copy(query.merging(["r_Attributes": true]) { $1 }).attributes)
    }

    @Test("88: no change at all moves the modification date") func anEmptyUpdate() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", ["labl": "L", "v_Data": secret("x")])).status == errSecSuccess)
        var before = try attributes(store)
        #expect(store.update(item(), [:]) == errSecSuccess)
        var after = try attributes(store)
        let (old, new) = (
            before.removeValue(forKey: "mdat") as? Date, after.removeValue(forKey: "mdat") as? Date
        )
        #expect(try #require(new) > (try #require(old)))
        #expect(before as NSDictionary == after as NSDictionary)
    }

    @Test("89: the creation date stays, unless it is given") func dates() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", ["cdat": Date.distantPast, "mdat": Date.distantPast])).status == 0)
        let before = try attributes(store)
        let created = try #require(before["cdat"] as? Date)
        #expect(abs(created.timeIntervalSinceNow) < 3_600)
        #expect(store.update(item(), ["labl": "L", "mdat": Date.distantPast]) == errSecSuccess)
        let after = try attributes(store)
        #expect(after["cdat"] as? Date == created)
        #expect(try #require(after["mdat"] as? Date) > created)
        let given = Date(timeIntervalSinceReferenceDate: 1.5)
        #expect(store.update(item(), ["cdat": given]) == errSecSuccess)
        #expect(try attributes(store)["cdat"] as? Date == given)
    }

    @Test("67: a date that was returned finds its item, a second later does not") func datesFind() throws {
        let store = try TestKeychain()
        #expect(store.add(item()).status == errSecSuccess)
        let found = try attributes(store)
        let created = try #require(found["cdat"] as? Date)
        let modified = try #require(found["mdat"] as? Date)
        #expect(store.copy(item("a", "s", ["cdat": created])).status == errSecSuccess)
        #expect(store.copy(item("a", "s", ["cdat": created, "mdat": modified])).status == errSecSuccess)
        #expect(store.copy(item("a", "s", ["cdat": created + 1])).status == errSecItemNotFound)
    }

    @Test(
        "4.4: returned attributes and the class are a query for the same item",
        arguments: [
            item("a", "s", ["labl": "L", "gena": Data([1]), "crtr": 5, "invi": true]) as NSDictionary,
            inet(["srvr": "h", "acct": Data([0xFF]), "port": 8443, "ptcl": "htps", "path": "/x"])
                as NSDictionary,
            item("a", "s", ["accc": SecAccessControl(AccessRule(protection: .afterFirstUnlock, flags: 1))])
                as NSDictionary,
            ["class": "keys", "atag": "t", "klbl": Data([1]), "kcls": "1", "type": "73"] as NSDictionary,
        ].map(Frozen.init)
    )
    func returnedAttributesAreAQuery(_ added: Frozen) throws {
        let store = try TestKeychain()
        let attributes = try #require(added.dictionary as? [String: Any])
        #expect(store.add(attributes).status == errSecSuccess)
        let itemClass = try #require(attributes["class"])
        let found = try #require(store.copy(["class": itemClass, "r_Attributes": true]).attributes)
        let query = found.merging(["class": itemClass, "r_Attributes": true]) { $1 }
        #expect(try #require(store.copy(query).attributes) as NSDictionary == found as NSDictionary)
    }

    @Test func valuesComeBackInTheTypeTheyWereGivenIn() throws {
        let store = try TestKeychain()
        let given: [String: Any] = [
            "acct": Data("alice".utf8), "svce": 7, "gena": "text", "labl": Data(), "icmt": 5,
            "desc": "two\nlines", "type": "abcd", "crtr": 42,
        ]
        #expect(store.add(genp(given)).status == errSecSuccess)
        let found = try #require(store.copy(genp(["r_Attributes": true])).attributes)
        for (key, value) in given {
            #expect(found[key] as? AnyHashable == value as? AnyHashable, "\(key)")
        }
        // Types do not matter for matching, bytes do.
        #expect(
            store.copy(genp(["acct": "alice", "svce": "7", "gena": Data("text".utf8)])).status
                == errSecSuccess
        )
        #expect(store.add(genp(["acct": "alice", "svce": Data("7".utf8)])).status == errSecDuplicateItem)
        #expect(store.update(genp(["acct": "alice"]), ["acct": "bob"]) == errSecSuccess)
        #expect(store.copy(genp(["r_Attributes": true])).attributes?["acct"] as? String == "bob")
    }

    @Test func anAccessControlIsKeptComparedAndReplaced() throws {
        let store = try TestKeychain()
        let control = SecAccessControl(AccessRule(protection: .afterFirstUnlock, flags: 1))
        #expect(store.add(item("a", "s", ["accc": control])).status == errSecSuccess)
        var found = try attributes(store)
        #expect(found["accc"] as? SecAccessControl == control)
        #expect(found["pdmn"] as? String == "ck")
        #expect(store.update(item(), ["pdmn": "aku"]) == errSecSuccess)
        found = try attributes(store)
        #expect(found["pdmn"] as? String == "aku")
        #expect(
            found["accc"] as? SecAccessControl
                == SecAccessControl(AccessRule(protection: .whenUnlockedThisDeviceOnly, flags: nil))
        )
    }

    @Test("a rename onto an existing item changes nothing") func aTakenName() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("b", "s", ["v_Data": secret("y")])).status == errSecSuccess)
        let commits = try store.commits
        #expect(store.update(item("a"), ["acct": "b", "v_Data": secret("z")]) == errSecDuplicateItem)
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "x")
        #expect(store.copy(item("b", "s", ["r_Data": true])).text == "y")
        #expect(try store.commits == commits)
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
    }

    @Test("100: every item of a service is deleted") func deletingMany() throws {
        let store = try TestKeychain()
        for number in 0..<50 { #expect(store.add(item("\(number)", "s")).status == errSecSuccess) }
        #expect(store.add(item("a", "t", oneSecret)).status == errSecSuccess)
        #expect(store.delete(genp(["svce": "s"])) == errSecSuccess)
        for number in 0..<50 { #expect(store.copy(item("\(number)", "s")).status == errSecItemNotFound) }
        #expect(store.entries == ["t/a.gpg"])
    }

    @Test("an update of nothing makes nothing") func nothingToUpdate() throws {
        let store = try TestKeychain(git: true)
        #expect(store.update(item(), oneSecret) == errSecItemNotFound)
        #expect(store.entries.isEmpty)
        #expect(try store.commits.count == 1)
    }

    @Test func certificatesAndKeysAreUniqueByTheirAttributes() throws {
        let store = try TestKeychain()
        let certificate: [String: Any] = ["class": "cert", "ctyp": 1, "issr": Data([1]), "slnr": Data([2])]
        #expect(store.add(certificate.merging(oneSecret) { $1 }).status == errSecSuccess)
        #expect(store.add(certificate.merging(["labl": "other"]) { $1 }).status == errSecDuplicateItem)
        #expect(store.add(certificate.merging(["slnr": Data([3])]) { $1 }).status == errSecSuccess)
        #expect(store.add(certificate.merging(["agrp": "team"]) { $1 }).status == errSecSuccess)
        #expect(
            store.update(certificate.merging(["agrp": "default"]) { $1 }, ["slnr": Data([3])])
                == errSecDuplicateItem
        )
        #expect(
            store.update(certificate.merging(["agrp": "default"]) { $1 }, ["slnr": Data([4])])
                == errSecSuccess
        )
        #expect(
            store.update(["class": "cert", "agrp": "default"], ["slnr": Data([5])]) == errSecDuplicateItem
        )
        #expect(store.copy(["class": "cert", "slnr": Data([4]), "r_Data": true]).text == "x")
        #expect(store.copy(["class": "cert", "r_Attributes": true]).attributes?["pdmn"] as? String == "dk")
        #expect(store.add(["class": "idnt"]).status == errSecUnimplemented)
        #expect(store.copy(["class": "idnt"]).status == errSecItemNotFound)
        #expect(store.update(["class": "idnt"], [:]) == errSecItemNotFound)
    }
}

/// A dictionary that nobody changes.
struct Frozen: @unchecked Sendable, CustomTestStringConvertible {
    let dictionary: NSDictionary

    init(_ dictionary: NSDictionary) { self.dictionary = dictionary }

    var testDescription: String { (dictionary["class"] as? String) ?? "" }
}
