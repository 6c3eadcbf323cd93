import Foundation
import GPGME
import PasswordStore
import Testing
import Unix

@testable import Security

/// Damage, and a store that cannot be written.
@Suite struct DamagedEntryTests {
    private func damaged() throws -> TestKeychain {
        let store = try TestKeychain()
        #expect(store.add(item("good", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("cut", "s", oneSecret)).status == errSecSuccess)
        let url = URL(fileURLWithPath: store.folder + "/s/cut.gpg")
        try Data(contentsOf: url).dropLast(5).write(to: url)
        try store.insert(bytes: Array("no message at all".utf8), at: "s/noise")
        try store.insert(
            "x\nkeychain-id: 7B0C3B1E-5B0C-4C55-9A51-3C1B8F6D0A11\nkeychain-created: soon\n",
            at: "s/field"
        )
        return store
    }

    @Test(arguments: ["cut", "noise", "field"])
    func aDamagedItemIsAnErrorWhereItIsNamed(_ account: String) throws {
        let store = try damaged()
        let before = store.entries
        #expect(store.copy(item(account, "s", ["r_Data": true])).status == errSecDecode)
        #expect(store.copy(item(account, "s", ["r_Attributes": true])).status == errSecDecode)
        #expect(store.update(item(account), ["labl": "x"]) == errSecDecode)
        #expect(store.delete(item(account, "s", ["labl": "x"])) == errSecDecode)
        #expect(store.add(item(account, "s", oneSecret)).status == errSecDuplicateItem)
        #expect(store.entries == before)
        #expect(store.delete(item(account)) == errSecSuccess)
        #expect(store.add(item(account, "s", oneSecret)).status == errSecSuccess)
    }

    @Test("the others are found, and the bad ones stay") func theOthersAreFound() throws {
        let store = try damaged()
        let everything = genp(["r_Attributes": true, "r_Data": true]).merging(noLimit) { $1 }
        for _ in 0..<2 {
            #expect(store.copy(everything).dictionaries?.compactMap { $0["acct"] as? String } == ["good"])
        }
        #expect(store.copy(genp(["svce": "s", "r_Data": true])).text == "x")
        #expect(store.update(genp(["svce": "s"]), ["labl": "L"]) == errSecSuccess)
        #expect(store.delete(genp()) == errSecSuccess)
        #expect(store.entries == ["s/cut.gpg", "s/field.gpg", "s/noise.gpg"])
    }

    @Test("75: no store") func noStore() throws {
        let store = try TestKeychain()
        try FileManager.default.removeItem(atPath: store.folder)
        #expect(store.add(item()).status == errSecNoSuchKeychain)
        #expect(store.copy(item()).status == errSecNoSuchKeychain)
        #expect(store.copy(genp(noLimit)).status == errSecNoSuchKeychain)
        #expect(store.update(item(), [:]) == errSecNoSuchKeychain)
        #expect(store.delete(item()) == errSecNoSuchKeychain)
    }

    @Test func aFolderWithoutRecipientsIsNoKeychain() throws {
        let store = try TestKeychain()
        try FileManager.default.removeItem(atPath: store.folder + "/.gpg-id")
        #expect(store.add(item()).status == errSecNoSuchKeychain)
        #expect(store.entries.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).isEmpty)
    }

    @Test func aRecipientThatIsNotKnownMakesTheStoreUnavailable() throws {
        let store = try TestKeychain()
        try Data("nobody@example.org\n".utf8).write(to: URL(fileURLWithPath: store.folder + "/.gpg-id"))
        #expect(store.add(item()).status == errSecNotAvailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == [".gpg-id"])
    }

    @Test func aHomeThatIsNotThereMakesTheStoreUnavailableAndNotEmpty() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        let other = store.anotherProcess(home: "/nowhere")
        let queries = [
            genp(["r_Attributes": true]).merging(noLimit) { $1 }, genp(["labl": "x"]),
            genp(["svce": "s", "r_Data": true]),
            item("a", "s", ["r_Data": true]),
        ]
        for query in queries {
            #expect(TestKeychain.copy(query, from: other).status == errSecNotAvailable, "\(query)")
        }
        #expect(Answer.delete(other, genp(["labl": "x"])) == errSecNotAvailable)
        #expect(store.entries == ["s/a.gpg"])
    }

    @Test func aFileInTheWayIsAnInputOutputError() throws {
        let store = try TestKeychain()
        try Data().write(to: URL(fileURLWithPath: store.folder + "/s"))
        #expect(store.add(item()).status == errSecIO)
    }

    @Test(
        arguments: [
            (StoreError.file(.init(.write, "x", code: 13)), errSecWrPerm),
            (.file(.init(.write, "x", code: 1)), errSecWrPerm),
            (.file(.init(.write, "x", code: 30)), errSecReadOnly),
            (.file(.init(.write, "x", code: 28)), errSecDiskFull),
            (.file(.init(.write, "x", code: 122)), errSecDiskFull),
            (.file(.init(.write, "x", code: 5)), errSecIO),
            (.noGPG, errSecNotAvailable), (.locked(by: 1, command: "x"), errSecNotAvailable),
            (.recipientList("x", .empty), errSecNotAvailable),
            (.signature("x", .missing), errSecNotAvailable),
            (.notInitialized(folder: "x"), errSecNoSuchKeychain),
            (.decryption("x", .init(.decrypt, .canceled)), errSecUserCanceled),
            (.decryption("x", .init(.decrypt, .noPinentry)), errSecInteractionNotAllowed),
            (.decryption("x", .init(.decrypt, .badPassphrase)), errSecAuthFailed),
            (.decryption("x", .init(.decrypt, .noSecretKey)), errSecAuthFailed),
            (.decryption("x", .init(.decrypt, .truncated)), errSecDecode),
            (.decryption("x", .init(.decrypt, .decryptionFailed)), errSecDecode),
        ] as [(StoreError, OSStatus)]
    )
    func eachFailureOfAStoreHasItsStatus(_ error: StoreError, _ status: OSStatus) {
        #expect(
            StoreFailure(error, in: Store(Settings(environment: Environment(), currentFolder: "/"))).status
                == status
        )
    }
}
