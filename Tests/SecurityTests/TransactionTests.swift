import Foundation
import SecretMemory
import Testing
import Unix

@testable import PasswordStore
@testable import Security

/// Several changes, all or none.
@Suite struct TransactionTests {
    private func contents(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    private func entry(_ path: Path, _ store: TestKeychain) throws -> Transaction.Entry {
        let found = try #require(try store.keychain.store.entry(at: path))
        return Transaction.Entry(at: path, found.version)
    }

    @Test func aStepThatFailsTakesBackThoseBeforeIt() throws {
        let store = try TestKeychain(git: true)
        for account in ["a", "b", "c"] {
            #expect(store.add(item(account, "s", ["v_Data": secret(account)])).status == errSecSuccess)
        }
        let before = (entries: store.entries, commits: try store.commits)
        // Somebody who does not know of the lock, as pass, is faster: while gpg encrypts.
        try store.insert("theirs\n", at: "theirs")
        try store.whileGPGRuns("mkdir -p $S/u; mv $S/theirs.gpg $S/u/d.gpg")
        let transaction = try Transaction(on: store.anotherProcess().store)
        let edits: [Transaction.Edit] = [
            .replace(try entry("s/a", store), contents("new\n")),
            .move(try entry("s/b", store), to: "t/b", contents("new\n")),
            .remove(try entry("s/c", store)),
            .create("u/d", contents("new\n")),
        ]
        #expect(throws: StoreError.entryExists(try EntryName("u/d"))) {
            try transaction.commit(edits, message: Array("x".utf8))
        }
        #expect(store.entries == before.entries + ["u/d.gpg"])
        for account in ["a", "b", "c"] {
            #expect(store.copy(item(account, "s", ["r_Data": true])).text == account)
        }
        #expect(try store.contents("u/d") == "theirs\n")
        #expect(try store.commits == before.commits)
        #expect(try store.leftovers.isEmpty)
    }

    /// No old contents are taken away, and no new ones, before both can be had.
    @Test func whatCannotBeTakenBackGoesForward() throws {
        let store = try TestKeychain(git: true)
        for account in ["a", "b", "c"] {
            #expect(store.add(item(account, "s", ["v_Data": secret(account)])).status == errSecSuccess)
        }
        try store.insert("theirs\n", at: "theirs")
        try store.whileGPGRuns("mkdir -p $S/u; mv $S/theirs.gpg $S/u/d.gpg")
        // The first old contents cannot be put beside their place: a folder has the name.
        let name = String(decoding: Store.temporaryName(0), as: UTF8.self) + ".undo"
        try store.makeFolder("s/\(name)")
        let edits: [Transaction.Edit] = [
            .replace(try entry("s/a", store), contents("new\n")),
            .move(try entry("s/b", store), to: "t/b", contents("new\n")),
            .remove(try entry("s/c", store)),
            .create("u/d", contents("new\n")),
        ]
        let process = store.anotherProcess().store
        do {
            let transaction = try Transaction(on: process)
            #expect(throws: StoreError.unfinished(done: 4, total: 5, Errno(.write, "s/c.gpg", code: EEXIST)))
            {
                try transaction.commit(edits, message: Array("x".utf8))
            }
        }
        // What it was about to make is written down first, so that a kill then leaves nothing that nobody knows.
        let plan = try Data(contentsOf: URL(fileURLWithPath: store.folder + "/.git/passchain-pending"))
        #expect(String(decoding: plan, as: UTF8.self).contains("s/\(name)\0"))
        // The next change goes forward, and nothing is lost meanwhile.
        #expect(try store.contents("t/b") == "new\n")
        #expect(rmdir("\(store.folder)/s/\(name)") == 0)
        let recovery = try #require(try Transaction(on: process).recovery)
        #expect(recovery.isFinished && recovery.change == .transaction)
        #expect(recovery.overtaken == ["u/d.gpg"])
        #expect(store.entries == ["s/a.gpg", "t/b.gpg", "u/d.gpg"])
        #expect(try store.contents("s/a") == "new\n")
        #expect(try store.contents("u/d") == "theirs\n")
        #expect(try store.git(["status", "--short", "s", "t"]).isEmpty)
        #expect(try store.leftovers.isEmpty)
    }

    @Test func whatSomebodyElseChangedMeanwhileIsNotOverwritten() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        let read = try entry("s/a", store)
        try store.insert("theirs\n", at: "s/a")
        let transaction = try Transaction(on: store.keychain.store)
        for edit: Transaction.Edit in [
            .replace(read, contents("new\n")), .move(read, to: "t/a", contents("new\n")), .remove(read),
        ] {
            #expect(throws: StoreError.changedMeanwhile(try EntryName("s/a"))) {
                try transaction.commit([edit], message: Array("x".utf8))
            }
        }
        #expect(try store.contents("s/a") == "theirs\n")
        #expect(try store.leftovers.isEmpty)
    }

    /// An update works on what pass wrote while it was at work.
    @Test func anUpdateStartsAgainWhenPassWasFaster() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        let theirs = try store.contents("s/a").replacing("x\n", with: "x\nuser: theirs\n", maxReplacements: 1)
        try store.insert(theirs, at: "theirs")
        try store.whileGPGRuns("test ! -e $S/theirs.gpg || mv $S/theirs.gpg $S/s/a.gpg")
        let keychain = store.anotherProcess()
        let changes = try ItemChanges(["labl": "L"], to: .genericPassword)
        try keychain.update(ItemQuery(item("a", "s") as NSDictionary, for: .update), changes)
        let lines = try store.contents("s/a").split(separator: "\n")
        #expect(lines.contains("user: theirs"))
        #expect(lines.contains("keychain-label: L"))
        #expect(try store.leftovers.isEmpty)
    }

    @Test func anEntryThatCannotBeWrittenLeavesNoFolder() throws {
        let store = try TestKeychain()
        let other = "0123456789ABCDEF0123456789ABCDEF01234567\n"
        try store.makeFolder("closed")
        try Data(other.utf8).write(to: URL(fileURLWithPath: store.folder + "/closed/.gpg-id"))
        #expect(store.add(item("a", "closed/t", oneSecret)).status == errSecNotAvailable)
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder).sorted()
        #expect(files == [".gpg-id", "closed", "closed/.gpg-id"])
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

    /// A name cannot cross there; the new contents are made on the other side, and the old ones go.
    @Test(.enabled(if: OwnMounts.arePossible, "this user may not mount a file system of its own"))
    func aNameOnAnotherFileSystemIsNoObstacle() throws {
        let store = try TestKeychain(git: true)
        for account in ["a", "b"] {
            #expect(store.add(item(account, "s", ["v_Data": secret(account)])).status == errSecSuccess)
        }
        try store.makeFolder("t")
        let seen = try #require(
            OwnMounts.run(mounting: store.folder + "/t") {
                let status = store.update(genp(["svce": "s"]), ["svce": "t"])
                let answers = ["a", "b"].map { store.copy(item($0, "t", ["r_Data": true])).text }
                let leftovers = try? store.leftovers
                return (status, answers, store.entries, leftovers, try? store.git(["status", "--short"]))
            }
        )
        #expect(seen.0 == errSecSuccess)
        #expect(seen.1 == ["a", "b"])
        #expect(seen.2 == ["t/a.gpg", "t/b.gpg"])
        #expect(seen.3?.isEmpty == true)
        #expect(seen.4?.isEmpty == true)
    }

    @Test(.enabled(if: OwnMounts.arePossible, "this user may not mount a file system of its own"))
    func alsoFromThereEverythingIsTakenBack() throws {
        let store = try TestKeychain()
        for account in ["a", "b"] {
            #expect(store.add(item(account, "s", ["v_Data": secret(account)])).status == errSecSuccess)
        }
        try store.makeFolder("t")
        try store.insert("theirs\n", at: "theirs")
        try store.whileGPGRuns("mkdir -p $S/u; mv $S/theirs.gpg $S/u/d.gpg")
        let edits: [Transaction.Edit] = [
            .move(try entry("s/a", store), to: "u/a", contents("new\n")),
            .move(try entry("s/b", store), to: "t/b", contents("new\n")),
            .create("u/d", contents("new\n")),
        ]
        let seen = try #require(
            OwnMounts.run(mounting: store.folder + "/t") {
                let failure = Result<Receipt, any Error> {
                    try Transaction(on: store.anotherProcess().store).commit(edits, message: [])
                }
                return (failure, store.entries, try? store.leftovers)
            }
        )
        #expect(throws: StoreError.entryExists(try EntryName("u/d"))) { try seen.0.get() }
        #expect(seen.1 == ["s/a.gpg", "s/b.gpg", "u/d.gpg"])
        #expect(seen.2?.isEmpty == true)
        for account in ["a", "b"] {
            #expect(store.copy(item(account, "s", ["r_Data": true])).text == account)
        }
    }
}
