import Foundation
import Testing

@testable import Security

/// How six libraries call the keychain.
@Suite struct LibraryIdiomTests {
    @Test("keychain-swift: no service at all; set is delete then add; clear is a class")
    func keysWithoutAService() throws {
        let store = try TestKeychain()
        func set(_ text: String, _ key: String) -> OSStatus {
            _ = store.delete(genp(["acct": key, "sync": "syna"]))
            return store.add(genp(["acct": key, "v_Data": secret(text), "pdmn": "ak", "sync": true])).status
        }
        #expect(set("1", "one") == errSecSuccess)
        #expect(set("2", "one") == errSecSuccess)
        #expect(set("3", "two") == errSecSuccess)
        #expect(store.entries == ["%/one%sync.gpg", "%/two%sync.gpg"])
        let get = genp([
            "acct": "one", "r_Data": kCFBooleanTrue as Any, "m_Limit": "m_LimitOne", "sync": "syna",
        ])
        #expect(store.copy(get).text == "2")
        let all = store.copy(
            genp(["r_Data": true, "r_Attributes": true, "r_PersistentRef": true, "sync": "syna"])
                .merging(noLimit) { $1 }
        )
        #expect(all.dictionaries?.compactMap { $0["acct"] as? String } == ["one", "two"])
        #expect(
            all.dictionaries?.allSatisfy { $0["v_PersistentRef"] is Data && $0["v_Data"] is Data } == true
        )
        #expect(store.delete(genp(["sync": "syna"])) == errSecSuccess)
        #expect(store.entries.isEmpty)
    }

    @Test("SwiftKeychainWrapper: account and generic are data; add, and update a duplicate")
    func dataForNames() throws {
        let store = try TestKeychain()
        let key = Data("token".utf8)
        let query = genp(["svce": "app", "gena": key, "acct": key])
        func set(_ text: String) -> OSStatus {
            let status = store.add(query.merging(["v_Data": secret(text), "pdmn": "ak"]) { $1 }).status
            return status == errSecDuplicateItem ? store.update(query, ["v_Data": secret(text)]) : status
        }
        #expect(set("1") == errSecSuccess)
        #expect(set("2") == errSecSuccess)
        #expect(store.copy(query.merging(["r_Data": true, "m_Limit": "m_LimitOne"]) { $1 }).text == "2")
        let keys = store.copy(genp(["svce": "app", "r_Attributes": true]).merging(noLimit) { $1 })
            .dictionaries
        #expect(keys?.compactMap { $0["acct"] as? Data } == [key])
        let one = store.copy(query.merging(["r_Attributes": true]) { $1 })
        #expect(one.attributes?["pdmn"] as? String == "ak")
        for itemClass in ["genp", "inet", "cert", "keys", "idnt"] {
            let expected = itemClass == "genp" ? errSecSuccess : errSecItemNotFound
            #expect(store.delete(["class": itemClass]) == expected)
        }
    }

    @Test("SimpleKeychain: add, and update a duplicate; whether there is one; delete all with a limit")
    func simple() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "app", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("a", "app", oneSecret)).status == errSecDuplicateItem)
        #expect(store.update(item("a", "app"), ["v_Data": secret("y")]) == errSecSuccess)
        #expect(store.copy(item("a", "app")).status == errSecSuccess)
        #expect(store.copy(item("b", "app")).status == errSecItemNotFound)
        #expect(store.delete(genp(["svce": "app"]).merging(noLimit) { $1 }) == errSecSuccess)
        #expect(store.copy(item("a", "app")).status == errSecItemNotFound)
    }

    @Test("Valet: a canary, and update where there is one")
    func canary() throws {
        let store = try TestKeychain()
        let base = genp(["svce": "VAL_app", "agrp": "group.app", "pdmn": "ck", "nleg": true])
        func with(_ more: [String: Any]) -> [String: Any] { base.merging(more) { $1 } }
        #expect(store.add(with(["acct": "canary", "v_Data": secret("c")])).status == errSecSuccess)
        #expect(store.copy(with(["acct": "canary", "r_Data": true])).text == "c")
        let exists = with(["acct": "key"])
        #expect(store.copy(exists).status == errSecItemNotFound)
        #expect(store.add(with(["acct": "key", "v_Data": secret("1")])).status == errSecSuccess)
        #expect(store.copy(exists).status == errSecSuccess)
        #expect(store.update(exists, ["v_Data": secret("2")]) == errSecSuccess)
        let keys = store.copy(with(["r_Attributes": true]).merging(noLimit) { $1 }).dictionaries
        #expect(keys?.compactMap { $0["acct"] as? String } == ["canary", "key"])
        #expect(store.delete(with(noLimit)) == errSecSuccess)
        #expect(store.copy(exists).status == errSecItemNotFound)
    }

    @Test("KeychainAccess: attributes as options, and remove all with a limit")
    func options() throws {
        let store = try TestKeychain()
        let options = inet([
            "srvr": "example.org", "port": 443, "ptcl": "htps", "atyp": "dflt", "sync": "syna",
        ])
        let key = options.merging(["acct": "alice"]) { $1 }
        #expect(store.copy(key).status == errSecItemNotFound)
        let attributes: [String: Any] = [
            "v_Data": secret("1"), "pdmn": "ck", "sync": false, "labl": "L", "icmt": "C",
        ]
        #expect(
            store.add(options.merging(["acct": "alice"]) { $1 }.merging(attributes) { $1 }).status
                == errSecSuccess
        )
        #expect(store.copy(key).status == errSecSuccess)
        #expect(store.update(key, attributes.merging(["v_Data": secret("2")]) { $1 }) == errSecSuccess)
        let all = store.copy(
            options.merging(noLimit) { $1 }.merging(["r_Attributes": true, "r_Data": true]) { $1 }
        )
        let found = try #require(all.dictionaries?.first)
        #expect(found["ptcl"] as? String == "htps")
        #expect(found["atyp"] as? String == "dflt")
        #expect(found["pdmn"] as? String == "ck")
        #expect(found["sync"] as? Bool == false)
        #expect(found["port"] as? Int == 443)
        #expect(found["v_Data"] as? Data == secret("2"))
        #expect(store.delete(options.merging(noLimit) { $1 }) == errSecSuccess)
        #expect(store.copy(key).status == errSecItemNotFound)
    }

    @Test("SwiftPM: an update renames, and dates find the newest")
    func registryLogin() throws {
        let store = try TestKeychain()
        let search = inet(["srvr": "packages.example.org", "ptcl": "htps", "port": 8443])
        for (account, text) in [("alice", "1"), ("bob", "2")] {
            #expect(
                store.add(search.merging(["acct": account, "v_Data": secret(text)]) { $1 }).status
                    == errSecSuccess
            )
        }
        let all = store.copy(search.merging(noLimit) { $1 }.merging(["r_Attributes": true]) { $1 })
            .dictionaries
        let newest = try #require(
            all?.max { ($0["mdat"] as? Date ?? .distantPast) < ($1["mdat"] as? Date ?? .distantPast) }
        )
        #expect(newest["acct"] as? String == "bob")
        let exact = search.merging([
            "cdat": try #require(newest["cdat"]), "mdat": try #require(newest["mdat"]),
            "m_Limit": "m_LimitOne",
            "r_Attributes": true, "r_Data": true,
        ]) { $1 }
        #expect(store.copy(exact).attributes?["v_Data"] as? Data == secret("2"))
        #expect(store.update(search, ["acct": "carol", "v_Data": secret("3")]) == errSecDuplicateItem)
        #expect(store.delete(search.merging(["acct": "alice"]) { $1 }) == errSecSuccess)
        #expect(store.update(search, ["acct": "carol", "v_Data": secret("3")]) == errSecSuccess)
        #expect(
            store.copy(search.merging(["r_Attributes": true]) { $1 }).attributes?["acct"] as? String
                == "carol"
        )
        #expect(store.delete(search) == errSecSuccess)
    }
}
