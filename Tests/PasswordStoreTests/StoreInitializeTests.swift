import GPGME
import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

@Suite struct StoreInitializeTests {
    let fixture = StoreFixture()

    @Test func encryptsAnewWhatNeedsIt() throws {
        try fixture.initialize(Keys.alice)
        for name in ["a", "s/b", "s/t/c"] { try fixture.insert(name, name) }
        try fixture.initialize(Keys.bob, in: "s/t")
        let done = try fixture.initialize(Keys.alice, Keys.bob)
        #expect(done.reencryptions.map(\.entry) == ["a", "s/b"])
        let both = try Set([Keys.alice, Keys.bob].map(Keys.encryptionKey))
        #expect(done.reencryptions.map { Set($0.keys) } == [both, both])
        #expect(try fixture.recipients("s/b.gpg") == both)
        #expect(try fixture.recipients("s/t/c.gpg") == [Keys.encryptionKey(Keys.bob)])
        #expect(try fixture.read("s/b") == "s/b")
        #expect(try fixture.initialize(Keys.alice, Keys.bob).reencryptions.isEmpty)
    }

    @Test func anEntryThatCannotBeDecryptedStopsIt() throws {
        try fixture.initialize(Keys.alice)
        for number in 0..<5 { try fixture.insert("\(number)") }
        try fixture.write(Keys.ring.encrypted("x", to: [Keys.carol]), to: "3.gpg")
        let before = try fixture.everything()
        let error = #expect(throws: StoreError.self) { try fixture.initialize(Keys.alice, Keys.bob) }
        guard case .decryption("3.gpg", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.everything() == before)
    }

    @Test func anUnknownRecipientStopsIt() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        let before = try fixture.everything()
        #expect(throws: StoreError.self) { try fixture.initialize(Keys.alice, "nobody@example.org") }
        #expect(throws: StoreError.self) { try fixture.initialize("nobody@example.org", in: "new/folder") }
        #expect(try fixture.everything() == before)
        #expect(try fixture.paths() == [".gpg-id", "x.gpg"])
    }

    @Test func aRecipientWhoseKeyHasGoneCanBeRemoved() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        try fixture.write("\(Keys.alice)\n0123456789012345678901234567890123456789\n", to: ".gpg-id")
        try fixture.initialize(Keys.alice)
        #expect(try fixture.ciphertext(".gpg-id") == Array("\(Keys.alice)\n".utf8))
    }

    @Test func linksStayLinks() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        fixture.folder.link("l.gpg", to: "x.gpg")
        let done = try fixture.initialize(Keys.bob)
        #expect(done.reencryptions.map(\.entry) == ["x"])
        #expect(try fixture.root.locate("l.gpg", followingLast: false).linkTarget() == "x.gpg")
    }

    @Test func whatIsNoEntryIsLeftAlone() throws {
        try fixture.initialize(Keys.alice)
        for path: Path in [".extensions/x.gpg", ".public-keys/x.gpg", "s/.git/annex/x.gpg", "note.txt"] {
            try fixture.write("no message", to: path)
        }
        let before = try fixture.everything()
        try fixture.initialize(Keys.bob)
        for (path, content) in before where path != ".gpg-id" {
            #expect(try fixture.ciphertext(path) == content)
        }
    }

    @Test func deinitializeGoesBackToTheListAbove() throws {
        try fixture.initialize(Keys.alice)
        try fixture.initialize(Keys.bob, in: "s")
        try fixture.insert("s/x")
        let done = try fixture.store.deinitialize(EntryName("s"), messages: (list: [], entries: []))
        #expect(done.reencryptions.map(\.entry) == ["s/x"])
        #expect(try fixture.recipients("s/x.gpg") == [Keys.encryptionKey(Keys.alice)])
        #expect(try fixture.paths() == [".gpg-id", "s", "s/x.gpg"])
        #expect(throws: StoreError.noSuchEntry(try EntryName("s"))) {
            try fixture.store.deinitialize(EntryName("s"), messages: (list: [], entries: []))
        }
    }

    @Test func theLastListStaysWhileThereAreEntries() throws {
        try fixture.initialize(Keys.alice)
        try fixture.insert("x")
        let before = try fixture.everything()
        #expect(throws: StoreError.notInitialized(folder: "")) {
            try fixture.store.deinitialize(EntryName(""), messages: (list: [], entries: []))
        }
        #expect(try fixture.everything() == before)
    }

    @Test func aFullListOfFoldersIsNoLimit() async {
        await #expect(processExitsWith: .success) {
            let fixture = StoreFixture()
            try fixture.initialize(Keys.alice)
            try fixture.insert("x")
            let message = try fixture.ciphertext("x.gpg")
            for number in 0..<150 { try fixture.write(message, to: Path("\(number)/x.gpg")) }
            var limit = rlimit(rlim_cur: 130, rlim_max: 130)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard try fixture.initialize(Keys.bob).reencryptions.count == 151 else { exit(1) }
        }
    }
}
