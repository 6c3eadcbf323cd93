import Foundation
import TestSupport
import Testing

@testable import Security

/// Access groups, each of which is a folder of the store.
@Suite struct AccessGroupTests {
    @Test func aGroupIsAFolder() throws {
        let store = try TestKeychain()
        #expect(
            store.add(item("a", "s", ["agrp": "team", "v_Data": secret("team's")])).status == errSecSuccess
        )
        #expect(store.add(item("a", "s", ["v_Data": secret("own")])).status == errSecSuccess)
        #expect(store.entries == ["%groups/team/s/a.gpg", "s/a.gpg"])
        #expect(store.copy(item("a", "s", ["agrp": "team", "r_Data": true])).text == "team's")
        #expect(store.copy(item("a", "s", ["agrp": "default", "r_Data": true])).text == "own")
        let both = store.copy(item("a", "s", ["r_Attributes": true]).merging(noLimit) { $1 })
        #expect(both.dictionaries?.compactMap { $0["agrp"] as? String } == ["team", "default"])
    }

    @Test("a foreign group: nothing is found") func groupsAreApart() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", ["agrp": "team"])).status == errSecSuccess)
        #expect(store.copy(item("a", "s", ["agrp": "other"])).status == errSecItemNotFound)
        #expect(store.delete(item("a", "s", ["agrp": "default"])) == errSecItemNotFound)
        #expect(store.delete(item()) == errSecSuccess)
    }

    @Test("a group that the program did not declare is a missing entitlement")
    func declaredGroups() throws {
        let store = try TestKeychain(groups: ["first", "second"])
        #expect(store.add(item("a", "s", ["r_Attributes": true])).attributes?["agrp"] as? String == "first")
        #expect(store.add(item("a", "s", ["agrp": "second"])).status == errSecSuccess)
        let foreign = item("a", "s", ["agrp": "third"])
        #expect(store.add(foreign).status == errSecMissingEntitlement)
        #expect(store.copy(foreign).status == errSecMissingEntitlement)
        #expect(store.update(foreign, ["labl": "L"]) == errSecMissingEntitlement)
        #expect(store.delete(foreign) == errSecMissingEntitlement)
        #expect(
            store.update(item("a", "s", ["agrp": "first"]), ["agrp": "third"]) == errSecMissingEntitlement
        )
        #expect(store.entries == ["%groups/first/s/a.gpg", "%groups/second/s/a.gpg"])
        // What is in other groups is invisible, the default one among them.
        let stranger = store.anotherProcess(groups: ["third"])
        #expect(TestKeychain.copy(item(), from: stranger).status == errSecItemNotFound)
        #expect(TestKeychain.copy(genp(noLimit), from: stranger).status == errSecItemNotFound)
        #expect(TestKeychain.copy(item(), from: store.anotherProcess(groups: ["*"])).status == errSecSuccess)
    }

    @Test("24: a program that declares to have none is entitled to nothing") func noGroups() throws {
        let store = try TestKeychain(groups: [])
        #expect(store.add(item()).status == errSecMissingEntitlement)
        #expect(store.copy(item()).status == errSecMissingEntitlement)
        #expect(store.delete(item()) == errSecMissingEntitlement)
    }

    @Test("25, where the design differs: no name is special") func everyNameIsAccepted() throws {
        let store = try TestKeychain()
        for name in ["com.apple.token", "a/b", ".hidden", "with space", "%sync", "é"] {
            #expect(
                store.add(item("a", "s", ["agrp": name, "v_Data": secret(name)])).status == errSecSuccess
            )
            #expect(store.copy(item("a", "s", ["agrp": name, "r_Data": true])).text == name)
        }
        let everything = store.copy(item("a", "s", noLimit))
        #expect(everything.status == errSecSuccess)
        #expect(everything.list?.count == 0)
    }

    @Test func anUpdateMovesAnItemToAnotherGroup() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("b", "s", ["agrp": "team"])).status == errSecSuccess)
        #expect(store.update(item("a"), ["agrp": "team"]) == errSecSuccess)
        #expect(store.entries == ["%groups/team/s/a.gpg", "%groups/team/s/b.gpg"])
        #expect(store.copy(item("a", "s", ["agrp": "team", "r_Data": true])).text == "x")
        #expect(store.add(item("a", "s", ["v_Data": secret("y")])).status == errSecSuccess)
        #expect(store.update(item("a", "s", ["agrp": "default"]), ["agrp": "team"]) == errSecDuplicateItem)
    }

    @Test func aGroupWithReadersOfItsOwnEncryptsForThem() throws {
        // A keyring of its own: gpg may not find a key in one that is just being written.
        let keyring = try TestKeyring()
        try keyring.makeKey("keychain test")
        let colleague = try keyring.makeKey("colleague")
        let store = try TestKeychain(keyring: keyring)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("b", "s", ["agrp": "team"])).status == errSecSuccess)
        let own = try keyring.fingerprints(of: "keychain test")[0]
        try Data("\(own)\n\(colleague)\n".utf8)
            .write(to: URL(fileURLWithPath: store.folder + "/%groups/team/.gpg-id"))
        #expect(store.update(item("a"), ["agrp": "team"]) == errSecSuccess)
        let packets = try keyring.gpg(["--list-packets", "\(store.folder)/%groups/team/s/a.gpg"]).text
        #expect(packets.components(separatedBy: ":pubkey enc packet:").count == 3)
    }

    @Test(
        arguments: [
            (["KEYCHAIN_ACCESS_GROUPS": "a:b"], nil, ["a", "b"]),
            (["KEYCHAIN_ACCESS_GROUPS": "a"], ["keychain-access-groups": ["c"]], ["a"]),
            ([:], ["keychain-access-groups": ["c", "d"]], ["c", "d"]),
            (["KEYCHAIN_ACCESS_GROUPS": ""], ["keychain-access-groups": ["c"]], ["c"]),
            ([:], ["CFBundleName": ["x"]], nil),
            ([:], nil, nil),
        ] as [([String: String], [String: [String]]?, [String]?)]
    )
    func theDeclarationIsReadFromTheEnvironmentThenTheList(
        _ environment: [String: String],
        _ list: [String: [String]]?,
        _ groups: [String]?
    ) {
        let read = AccessGroups(environment: environment, propertyList: list)
        #expect(read.declared == groups?.map { Array($0.utf8) })
    }
}
