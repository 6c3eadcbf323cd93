import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Bytes that C would cut, from a program that uses the library.
@Suite struct CutBytesTests {
    let home = TestFolder()

    /// A fixture whose default store, where a variable that was cut or dropped would lead, is in a home of its own.
    private func fixture(_ variables: [String: String]) -> StoreFixture {
        StoreFixture(["HOME": "\(home.path)"].merging(variables) { $1 })
    }

    @Test(arguments: [
        "PASSWORD_STORE_DIR", "PASSWORD_STORE_KEY", "PASSWORD_STORE_GPG_OPTS", "PASSWORD_STORE_SIGNING_KEY",
        "GNUPGHOME", "HOME", "PATH", "PASSWORD_STORE_UMASK",
    ])
    func aVariableStopsTheStore(_ name: String) throws {
        for value in ["/nowhere\0", "\0", "--armor\0x"] {
            let fixture = fixture([name: value])
            let error = StoreError.unusableVariable(name)
            #expect(throws: error) { try fixture.initialize(Keys.alice) }
            #expect(throws: error) { try fixture.insert("x") }
            #expect(throws: error) { try fixture.read("x") }
            #expect(throws: error) { try fixture.store.entries() }
            #expect(throws: error) { try fixture.store.seal(.empty) }
            #expect(try fixture.paths().isEmpty)
            #expect(try ConfinedFolder(home.path).names().isEmpty)
        }
    }

    @Test func settingsThatWereChangedAreLookedAtToo() throws {
        let fixture = fixture([:])
        try fixture.initialize(Keys.alice)
        for (name, path) in [
            ("PASSWORD_STORE_KEY", \Settings.keys), ("PASSWORD_STORE_GPG_OPTS", \.gpgOptions),
            ("PASSWORD_STORE_SIGNING_KEY", \.signingKeys),
        ] {
            var settings = fixture.store.settings
            settings[keyPath: path] = [[0x2D, 0x2D, 0x61, 0]]
            let store = Store(settings)
            #expect(throws: StoreError.unusableVariable(name)) { try store.read(EntryName("x")) }
        }
    }

    @Test(arguments: ["x\0", "../x\0/y", "\0"]) func aNameStopsEachCall(_ name: String) throws {
        let fixture = fixture([:])
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        let before = try fixture.everything()
        let error = StoreError.refusedName(Array(name.utf8), .holdsNUL)
        #expect(throws: error) { try fixture.insert(name) }
        #expect(throws: error) { try fixture.read(name) }
        #expect(throws: error) { try fixture.move("x", to: name) }
        #expect(throws: error) { try fixture.copy(name, to: "y") }
        #expect(throws: error) { try fixture.initialize(Keys.alice, in: name) }
        #expect(try fixture.everything() == before)
    }

    @Test func aRecipientIsRefused() throws {
        let fixture = fixture([:])
        for id in [Keys.alice + "\0", "\0", "alice@example.org\0x"] {
            #expect(throws: StoreError.self) { try fixture.initialize(id) }
            #expect(try fixture.paths().isEmpty)
        }
        try fixture.initialize(Keys.alice)
        try fixture.write(Keys.alice + "\0\n", to: ".gpg-id")
        #expect(throws: StoreError.recipientList(".gpg-id", .controlCharacter(line: 1))) {
            try fixture.insert("x")
        }
    }

    @Test func aMessageIsWholeInTheHistory() throws {
        let fixture = fixture([:])
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
        let receipt = try fixture.store.write(
            StoreFixture.bytes("x"),
            to: EntryName("x"),
            message: Array("one\0two".utf8),
            existing: .refuse
        )
        #expect(receipt.failedCommit == nil)
        #expect(try fixture.log().first == "one\\x00two")
        #expect(try fixture.status().isEmpty)
        #expect(!Journal(of: fixture.root).isPresent)
        // The record of a change that was interrupted is read back whole.
        let commit = PendingChange.Commit(paths: ["x.gpg"], added: [], message: Array("one\0two".utf8))
        let change = PendingChange(kind: .write, commits: [commit])
        #expect(PendingChange(change.text) == change)
    }
}
