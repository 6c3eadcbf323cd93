import GPGME
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

@Suite struct StoreEntryTests {
    let fixture = StoreFixture()

    @Test(arguments: ["", "\n", "x", "two\nlines\n", "a\u{0}b", "  pa ss  ", "\\u0142u\\u017c", "\u{FEFF}x"])
    func returnsWhatWasWritten(_ text: String) throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("a/x", text)
        #expect(try fixture.read("a/x") == text)
        #expect(try fixture.paths() == [".gpg-id", "a", "a/x.gpg"])
    }

    @Test func aMissingEntryIsNotAnEmptyOne() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "")
        #expect(try fixture.read("x").isEmpty)
        for name in ["y", "x/y", "a/b"] {
            #expect(throws: StoreError.noSuchEntry(try EntryName(name))) { try fixture.read(name) }
        }
        #expect(throws: StoreError.refusedName([], .empty)) { try fixture.read("") }
    }

    @Test func withoutAStoreNothingIsMade() throws {
        #expect(throws: StoreError.notInitialized(folder: "")) { try fixture.insert("x") }
        #expect(throws: StoreError.notInitialized(folder: "a/b")) { try fixture.insert("a/b/x") }
        #expect(try fixture.paths().isEmpty)
    }

    @Test func aListInAFolderIsEnoughForThatFolder() throws {
        try fixture.initialize(Keys.alice, in: "git")
        try fixture.insert("git/x")
        #expect(throws: StoreError.notInitialized(folder: "")) { try fixture.insert("y") }
        #expect(try fixture.paths() == ["git", "git/.gpg-id", "git/x.gpg"])
    }

    @Test func keysFromTheSettingsStandInForEveryList() throws {
        fixture.variables["PASSWORD_STORE_KEY"] = Keys.alice
        try fixture.insert("a/x")
        #expect(try fixture.recipients("a/x.gpg") == [Keys.encryptionKey(Keys.alice)])
        fixture.variables["PASSWORD_STORE_KEY"] = "--file"
        #expect(throws: StoreError.self) { try fixture.insert("a/y") }
    }

    @Test func canRefuseToReplace() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "old")
        #expect(throws: StoreError.entryExists(try EntryName("x"))) {
            try fixture.insert("x", "new", .refuse)
        }
        let version = try fixture.store.readVersioned(EntryName("x")).version
        try fixture.insert("x", "newer", .expect(version))
        #expect(throws: StoreError.changedMeanwhile(try EntryName("x"))) {
            try fixture.insert("x", "lost", .expect(version))
        }
        #expect(try fixture.read("x") == "newer")
    }

    @Test func aFailedWriteLeavesTheOldEntryAndNothingElse() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "old")
        try fixture.write("\(Keys.alice)\nnobody@example.org\n", to: ".gpg-id")
        let before = try fixture.everything()
        let error = #expect(throws: StoreError.self) { try fixture.insert("x", "new") }
        guard case .unusableRecipient(let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem == RecipientProblem(Array("nobody@example.org".utf8), .unknown))
        #expect(throws: StoreError.self) { try fixture.insert("new/folder/y") }
        #expect(try fixture.everything() == before)
        #expect(try fixture.paths() == [".gpg-id", "x.gpg"])
    }

    @Test func updateChangesWhatIsThere() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "old\nuser\n")
        _ = try fixture.store.update(EntryName("x"), message: []) { contents in
            contents.replacingFirstLine(with: StoreFixture.bytes("new"))
        }
        #expect(try fixture.read("x") == "new\nuser\n")
        #expect(throws: StoreError.noSuchEntry(try EntryName("y"))) {
            try fixture.store.update(EntryName("y"), message: []) { $0.bytes }
        }
        #expect(try fixture.paths() == [".gpg-id", "x.gpg"])
    }

    @Test func aLinkInsideIsWrittenThrough() throws {
        try fixture.initialize(Keys.alice)
        try fixture.initialize(Keys.bob, in: "b")
        try fixture.insert("b/x", "old")
        fixture.folder.link("l.gpg", to: "b/x.gpg")
        try fixture.insert("l", "new")
        #expect(try fixture.read("b/x") == "new")
        #expect(try fixture.root.locate("l.gpg", followingLast: false).status()?.kind == .link)
        // It is encrypted for the folder that it really lies in.
        #expect(try fixture.recipients("b/x.gpg") == [Keys.encryptionKey(Keys.bob)])
    }

    @Test(arguments: ["l", "d/x"]) func aLinkThatLeadsOutIsRefused(_ name: String) throws {
        let outside = TestFolder()
        outside.file("x.gpg")
        try fixture.initialize(Keys.alice)
        fixture.folder.link("l.gpg", to: outside.path.appending("x.gpg"))
        fixture.folder.link("d", to: outside.path)
        for attempt in [
            { _ = try fixture.insert(name) }, { _ = try fixture.read(name) },
            { _ = try fixture.move(name, to: "n") },
            { _ = try fixture.copy(name, to: "n") },
            { _ = try fixture.store.update(EntryName(name), message: []) { $0.bytes } },
        ] {
            let error = #expect(throws: StoreError.self) { try attempt() }
            guard case .refusedName(_, .leavesStore) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try readFile(outside.path.appending("x.gpg")).isEmpty)
        #expect(try ConfinedFolder(outside.path).names().count == 1)
    }

    @Test func anEntryThatIsNoFileIsRefused() throws {
        try fixture.initialize(Keys.alice)
        fixture.folder.folder("d.gpg")
        #expect(mkfifo(fixture.folder.cPath("p.gpg"), 0o600) == 0)
        for name in ["d", "p"] {
            #expect(throws: StoreError.self) { try fixture.insert(name) }
            #expect(throws: StoreError.self) { try fixture.read(name) }
        }
    }

    @Test func theModeOfAnEntryIsKept() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        #expect(chmod(fixture.folder.cPath("x.gpg"), 0o640) == 0)
        try fixture.insert("x", "new")
        #expect(try fixture.root.locate("x.gpg").status()?.mode == 0o640)
    }

    @Test func readingChangesNothing() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        let version = try fixture.root.locate("x.gpg").status()
        _ = try fixture.read("x")
        var read: [Path] = []
        try fixture.store.readAll { batch in
            var paths: [Path] = []
            while let (path, contents) = batch.next() {
                if case .success = contents { paths.append(path) }
            }
            return paths
        } _: { paths in
            read += paths
            return true
        }
        #expect(read == ["x.gpg"])
        #expect(try fixture.root.locate("x.gpg").status() == version)
        #expect(try fixture.paths() == [".gpg-id", "x.gpg"])
    }

    @Test func aFolderThatGoesAwayMeanwhileIsMadeAgain() throws {
        try fixture.initialize(Keys.alice)
        _ = try fixture.store.prepareWrite(of: EntryName("a/b/x"))
        #expect(rmdir(fixture.folder.cPath("a/b")) == 0)
        try fixture.insert("a/b/x")
        #expect(try fixture.read("a/b/x") == "secret\n")
    }

    @Test func messagesThatAreNotWholeAreRefused() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x", "secret")
        let good = try fixture.ciphertext("x.gpg")
        let signed = try Keys.ring.gpg(["-u", Keys.alice, "--sign"], input: Array("x".utf8)).output
        for bad in [[], Array(good.dropLast(5)), good + [0], good + good, Array("plain".utf8), signed] {
            try fixture.write(bad, to: "x.gpg")
            #expect(throws: StoreError.self) { try fixture.read("x") }
        }
    }

    @Test func twoNamesForAnEntryAndAFolder() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("a")
        try fixture.insert("a/b")
        #expect(try fixture.store.presence(of: EntryName("a")).isEntry)
        #expect(try fixture.store.presence(of: EntryName("a")).isFolder)
        _ = try fixture.store.remove(EntryName("a"), message: [])
        #expect(try fixture.paths() == [".gpg-id", "a", "a/b.gpg"])
        _ = try fixture.store.removeFolder(EntryName("a"), message: [])
        #expect(try fixture.paths() == [".gpg-id"])
    }
}
