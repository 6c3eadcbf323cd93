import Foundation
import PasswordStore
import SecretMemory
import Testing
import Unix

@testable import Security

/// Several changes, all or none.
@Suite struct TransactionTests {
    private func contents(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    @Test func aStepThatFailsTakesBackThoseBeforeIt() throws {
        let store = try TestKeychain(git: true)
        for account in ["a", "b", "c"] {
            #expect(store.add(item(account, "s", ["v_Data": secret(account)])).status == errSecSuccess)
        }
        let before = (entries: store.entries, commits: try store.commits)
        let transaction = try Transaction(on: store.keychain.store)
        try transaction.replace("s/a", contents: contents("new\n"))
        try transaction.move("s/b", to: "t/b", contents: contents("new\n"))
        try transaction.remove("s/c")
        try transaction.create("u/d", contents: contents("new\n"))
        // Somebody who does not know of the lock, as pass, is faster.
        try store.insert("theirs\n", at: "u/d")
        #expect(throws: StoreError.self) { try transaction.commit(message: Array("x".utf8)) }
        #expect(store.entries == before.entries + ["u/d.gpg"])
        for account in ["a", "b", "c"] {
            #expect(store.copy(item(account, "s", ["r_Data": true])).text == account)
        }
        #expect(try store.contents("u/d") == "theirs\n")
        #expect(try store.commits == before.commits)
    }

    @Test func nothingHappensWithoutACommit() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        do {
            let transaction = try Transaction(on: store.keychain.store)
            try transaction.create("t/u/b", contents: contents("new\n"))
            try transaction.replace("s/a", contents: contents("new\n"))
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder).sorted()
        #expect(files == [".gpg-id", "s", "s/a.gpg"])
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "x")
    }

    @Test func anUpdateOfSeveralItemsIsAllOrNothing() throws {
        let store = try TestKeychain()
        for account in ["a", "b"] {
            #expect(store.add(item(account, "s", oneSecret)).status == errSecSuccess)
        }
        // The second one cannot go where it should.
        #expect(store.add(item("b", "s", ["agrp": "team"])).status == errSecSuccess)
        #expect(
            store.update(genp(["svce": "s", "agrp": "default"]), ["agrp": "team"]) == errSecDuplicateItem
        )
        #expect(store.entries == ["%groups/team/s/b.gpg", "s/a.gpg", "s/b.gpg"])
        try Data().write(to: URL(fileURLWithPath: store.folder + "/%groups/other"))
        #expect(store.update(genp(["svce": "s", "agrp": "default"]), ["agrp": "other"]) == errSecIO)
        #expect(store.entries == ["%groups/team/s/b.gpg", "s/a.gpg", "s/b.gpg"])
        #expect(store.copy(item("a", "s", ["agrp": "default", "r_Data": true])).text == "x")
    }
}
