import Foundation
import Testing

@testable import Security

/// Persistent references.
@Suite struct PersistentReferenceTests {
    private func reference(_ store: TestKeychain, _ account: String = "a") throws -> Data {
        let added = store.add(item(account, "s", oneSecret).merging(["r_PersistentRef": true]) { $1 })
        return try #require(added.data)
    }

    @Test("10, 54: a reference finds its item without a class")
    func itFindsItsItem() throws {
        let store = try TestKeychain()
        let reference = try reference(store)
        #expect(store.copy(["v_PersistentRef": reference, "r_Data": true]).text == "x")
        let byReference = store.copy(["v_PersistentRef": reference, "r_Attributes": true]).attributes
        let byAttributes = store.copy(item("a", "s", ["r_Attributes": true])).attributes
        #expect(try #require(byReference) as NSDictionary == (try #require(byAttributes)) as NSDictionary)
        #expect(store.copy(item("a", "s", ["r_PersistentRef": true])).data == reference)
        #expect(store.copy(["class": "genp", "v_PersistentRef": reference]).status == errSecSuccess)
        #expect(store.copy(["class": "inet", "v_PersistentRef": reference]).status == errSecNoSuchClass)
    }

    @Test("59: it begins with the class, and two items differ")
    func itBeginsWithTheClass() throws {
        let store = try TestKeychain()
        let references = [try reference(store), try reference(store, "b")]
        for reference in references { #expect(reference.prefix(4) == Data("genp".utf8)) }
        #expect(references[0].prefix(20) != references[1].prefix(20))
        // Apple's have 20 bytes and no hint; such a one is understood.
        #expect(
            store.copy(["v_PersistentRef": references[1].prefix(20), "r_Attributes": true]).attributes?[
                "acct"
            ]
                as? String == "b"
        )
    }

    @Test("it survives updates, renames and restarts, and dies with its item")
    func itLivesAsLongAsItsItem() throws {
        let store = try TestKeychain()
        let reference = try reference(store)
        let read: [String: Any] = ["v_PersistentRef": reference, "r_Data": true]
        #expect(store.update(item(), ["v_Data": secret("new")]) == errSecSuccess)
        #expect(store.copy(read).text == "new")
        #expect(store.update(item(), ["acct": "b", "svce": "t/u"]) == errSecSuccess)
        #expect(store.copy(read).text == "new")
        #expect(Answer.text(store.anotherProcess(), read) == "new")
        #expect(store.update(["v_PersistentRef": reference], ["labl": "L"]) == errSecSuccess)
        #expect(store.copy(item("b", "t/u", ["r_Attributes": true])).attributes?["labl"] as? String == "L")
        #expect(store.delete(item("b", "t/u")) == errSecSuccess)
        let gone = store.copy(read)
        #expect(gone.status == errSecItemNotFound)
        #expect(gone.object == nil)
    }

    @Test("103: deleting by reference deletes one item")
    func deletingByReference() throws {
        let store = try TestKeychain()
        let (one, other) = (try reference(store), try reference(store, "b"))
        #expect(store.delete(["v_PersistentRef": one, "acct": "b"]) == errSecItemNotFound)
        #expect(store.delete(["v_PersistentRef": one]) == errSecSuccess)
        #expect(store.copy(["v_PersistentRef": one]).status == errSecItemNotFound)
        #expect(store.copy(["v_PersistentRef": other]).status == errSecSuccess)
    }

    @Test("57: an unknown one finds nothing")
    func anUnknownOne() throws {
        let store = try TestKeychain()
        _ = try reference(store)
        let unknown = Data("genp".utf8) + Data(repeating: 9, count: 16)
        #expect(store.copy(["v_PersistentRef": unknown]).status == errSecItemNotFound)
        #expect(store.copy(["v_PersistentRef": unknown + Data("s/a".utf8)]).status == errSecItemNotFound)
        #expect(store.delete(["v_PersistentRef": unknown]) == errSecItemNotFound)
    }

    /// Callers may keep references anywhere, and so hand over any bytes.
    @Test(arguments: [
        "s\0/a", "\0", "s/a\0", "%long=\(hash)/a\0b", "a\0/%long=\(hash)", "%groups/\0%long=\(hash)/s/a",
        "../%long=\(hash)", "/%long=\(hash)", "./.git/%long=\(hash)", "s//a", "", "/",
        String(repeating: "x", count: 300) + "/%long=\(hash)",
        String(repeating: "x/", count: 40_000) + "%long=\(hash)",
    ])
    func aHintThatIsNoPathIsNoHint(_ hint: String) throws {
        let store = try TestKeychain()
        let start = try reference(store).prefix(20)
        let hinted = start + Data(hint.utf8)
        #expect(store.copy(["v_PersistentRef": hinted, "r_Data": true]).text == "x")
        for ordinary in [Data(repeating: 0, count: 16), Data(repeating: 9, count: 16)] {
            let unknown = Data("genp".utf8) + ordinary + Data(hint.utf8)
            #expect(store.copy(["v_PersistentRef": unknown, "r_Data": true]).status == errSecItemNotFound)
            #expect(store.delete(["v_PersistentRef": unknown]) == errSecItemNotFound)
        }
        #expect(store.update(["v_PersistentRef": hinted], ["labl": "L"]) == errSecSuccess)
        #expect(store.delete(["v_PersistentRef": hinted]) == errSecSuccess)
        #expect(store.entries.isEmpty)
    }

    private static let hash = "0123456789abcdef0123456789abcdef"

    @Test("Valet: all references, then one query for each")
    func referencesOfAllItems() throws {
        let store = try TestKeychain()
        for account in ["a", "b", "c"] { _ = try reference(store, account) }
        let all = store.copy(
            genp([
                "svce": "s", "r_Attributes": true, "r_PersistentRef": true, "r_Data": false, "r_Ref": false,
            ])
            .merging(noLimit) { $1 }
        )
        let found = try #require(all.dictionaries)
        #expect(found.map { $0["acct"] as? String } == ["a", "b", "c"])
        for one in found {
            let reference = try #require(one["v_PersistentRef"] as? Data)
            #expect(store.copy(["v_PersistentRef": reference, "r_Data": true]).text == "x")
        }
    }
}
