import GPGME
import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// `mv`, `cp` and `rm`.
@Suite struct StoreRelocationTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        try fixture.initialize(Keys.bob, in: "bob")
        for name in ["x", "d/y", "d/e/z"] { try fixture.insert(name, name) }
    }

    private func recipient(_ path: Path) throws -> String {
        let found = try fixture.recipients(path)
        return try found == [Keys.encryptionKey(Keys.alice)]
            ? "alice" : found == [Keys.encryptionKey(Keys.bob)] ? "bob" : "\(found)"
    }

    @Test(arguments: [
        ("x", "n", "n.gpg"), ("x", "new/folder/n", "new/folder/n.gpg"), ("x", "d", "d/x.gpg"),
        ("x", "d/", "d/x.gpg"),
        ("x", "new/", "new/x.gpg"), ("d", "n", "n/e/z.gpg"), ("d", "n/", "n/d/e/z.gpg"), ("d/y", "", "y.gpg"),
        ("d/y", "/", "y.gpg"), ("d/", "n", "n/e/z.gpg"),
    ])
    func goesWhereMvWouldPutIt(_ old: String, _ new: String, _ path: String) throws {
        let plan = try fixture.store.planRelocation(of: EntryName(old), to: EntryName(new))
        _ = try fixture.store.copy(plan, message: [])
        #expect(try fixture.paths().contains(path))
        #expect(try fixture.paths().contains("\(plan.source)"))
        _ =
            plan.isFolder
            ? try fixture.store.removeFolder(EntryName("\(plan.target)"), message: [])
            : try fixture.store.remove(EntryName("\(plan.target.withoutSuffix(".gpg"))"), message: [])
        _ = try fixture.store.move(plan, messages: (rename: [], removal: []))
        #expect(try fixture.paths().contains(path))
        #expect(!(try fixture.paths().contains("\(plan.source)")))
    }

    @Test func aMoveIsForTheNewFoldersRecipients() throws {
        let done = try fixture.move("x", to: "bob/x")
        #expect(done.reencryptions.map(\.entry) == ["bob/x"])
        #expect(try recipient("bob/x.gpg") == "bob")
        #expect(try fixture.read("bob/x") == "x")
        #expect(!(try fixture.paths().contains("x.gpg")))
        let folder = try fixture.move("d", to: "bob/d")
        #expect(folder.reencryptions.map(\.entry) == ["bob/d/e/z", "bob/d/y"])
        #expect(try recipient("bob/d/e/z.gpg") == "bob")
        #expect(try fixture.read("bob/d/e/z") == "d/e/z")
        #expect(
            try fixture.paths() == [".gpg-id", "bob", "bob/.gpg-id"] + [
                "bob/d", "bob/d/e", "bob/d/e/z.gpg", "bob/d/y.gpg", "bob/x.gpg",
            ]
        )
    }

    @Test func aCopyIsForTheNewFoldersRecipients() throws {
        let done = try fixture.copy("d", to: "bob/d")
        #expect(Set(done.reencryptions.map(\.entry)) == ["bob/d/e/z", "bob/d/y"])
        #expect(try recipient("bob/d/y.gpg") == "bob")
        #expect(try recipient("d/y.gpg") == "alice")
        #expect(try fixture.read("bob/d/e/z") == "d/e/z")
        #expect(try fixture.copy("x", to: "n").reencryptions.isEmpty)
        #expect(try fixture.ciphertext("n.gpg") == fixture.ciphertext("x.gpg"))
    }

    @Test func aListMovesAlong() throws {
        try fixture.insert("bob/x", "b")
        let done = try fixture.move("bob", to: "robert")
        #expect(done.reencryptions.isEmpty)
        #expect(try recipient("robert/x.gpg") == "bob")
        _ = try fixture.copy("robert", to: "d/robert")
        #expect(try recipient("d/robert/x.gpg") == "bob")
    }

    @Test func whatCannotBeEncryptedAnewIsNotMoved() throws {
        try fixture.write(Keys.ring.encrypted("x", to: [Keys.carol]), to: "d/carol.gpg")
        let before = try fixture.everything()
        #expect(throws: StoreError.self) { try fixture.move("d", to: "bob/d") }
        #expect(throws: StoreError.self) { try fixture.copy("d", to: "bob/d") }
        #expect(throws: StoreError.self) { try fixture.move("d/carol", to: "bob/new/") }
        #expect(try fixture.everything() == before)
    }

    @Test(arguments: [
        ("x", "x"), ("d", "d"), ("d", "d/e"), ("d", "d/e/"), ("d", "d/n"), ("d/y", "d"), ("d/e", "d"),
        ("x", "./x"),
        ("d/e/z", "d/e"), ("d", ""),
    ])
    func ontoOrIntoItselfIsRefused(_ old: String, _ new: String) throws {
        let before = try fixture.everything()
        #expect(throws: StoreError.self) { try fixture.move(old, to: new) }
        #expect(throws: StoreError.self) { try fixture.copy(old, to: new) }
        #expect(try fixture.everything() == before)
    }

    @Test func anExistingTargetIsReplacedByTheSameKindOnly() throws {
        try fixture.insert("n", "old")
        #expect(try fixture.store.planRelocation(of: EntryName("x"), to: EntryName("n")).replaces)
        _ = try fixture.move("x", to: "n")
        #expect(try fixture.read("n") == "x")
        try fixture.insert("t/d/y", "other")
        let before = try fixture.everything()
        // As with mv: a folder that is not empty is not replaced.
        #expect(throws: StoreError.self) { try fixture.move("d", to: "t") }
        #expect(try fixture.everything() == before)
    }

    @Test func aLinkIsMovedItself() throws {
        fixture.folder.link("l.gpg", to: "x.gpg")
        fixture.folder.link("f", to: "d")
        _ = try fixture.move("l", to: "k")
        #expect(try fixture.root.locate("k.gpg", followingLast: false).linkTarget() == "x.gpg")
        _ = try fixture.move("f", to: "g")
        #expect(try fixture.root.locate("g", followingLast: false).linkTarget() == "d")
        #expect(try fixture.read("d/y") == "d/y")
    }

    @Test func emptyFoldersGoAndListsStay() throws {
        try fixture.initialize(Keys.alice, in: "keep")
        try fixture.insert("keep/x")
        try fixture.insert("go/one/x")
        _ = try fixture.move("keep/x", to: "n1")
        _ = try fixture.move("go/one/x", to: "n2")
        #expect(try fixture.paths().contains("keep/.gpg-id"))
        #expect(!(try fixture.paths().contains("go")))
        try fixture.insert("go")
    }

    @Test func removesWhatWasAskedForAndNothingBehindALink() throws {
        let outside = TestFolder()
        outside.file("x.gpg")
        fixture.folder.link("out", to: outside.path)
        fixture.folder.link("d/out", to: outside.path)
        fixture.folder.link("in", to: "bob")
        try fixture.insert("bob/x")
        _ = try fixture.store.removeFolder(EntryName("out"), message: [])
        _ = try fixture.store.removeFolder(EntryName("in"), message: [])
        let removed = try fixture.store.removeFolder(EntryName("d"), message: []).removals
        #expect(removed.last == .init(path: "d", isFolder: true))
        #expect(removed.count == 5)
        #expect(try ConfinedFolder(outside.path).names().count == 1)
        #expect(try fixture.paths() == [".gpg-id", "bob", "bob/.gpg-id", "bob/x.gpg", "x.gpg"])
    }

    @Test(arguments: ["", "/", ".", "./", "//"]) func theStoreItselfIsNotRemoved(_ name: String) throws {
        let before = try fixture.everything()
        #expect(throws: StoreError.self) { try fixture.store.removeFolder(EntryName(name), message: []) }
        #expect(throws: StoreError.self) { try fixture.store.remove(EntryName(name), message: []) }
        #expect(throws: StoreError.self) { try fixture.move(name, to: "n") }
        #expect(try fixture.everything() == before)
    }
}
