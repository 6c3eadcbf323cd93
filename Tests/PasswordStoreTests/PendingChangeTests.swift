import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

@Suite struct PendingChangeTests {
    private static let version = PendingChange.Version(inode: 7, size: 3, modified: -5)

    static let changes: [PendingChange] = [
        PendingChange(kind: .write), PendingChange(kind: .transaction),
        PendingChange(kind: .transaction, isUndo: true),
        PendingChange(
            kind: .write,
            temporaries: ["a/.passchain-tmp.0"],
            commits: [
                .init(paths: ["a/x.gpg"], added: [], message: Array("Add\n".utf8))
            ]
        ),
        PendingChange(
            kind: .move,
            temporaries: [".passchain-tmp.0"],
            folders: ["b", "b/c"],
            steps: [
                .rename("a", to: "b/a", version, over: nil), .rename("a", to: "b/a", version, over: version),
                .replace(with: "b/a/.passchain-tmp.0", at: "b/a/x.gpg", version),
                .replace(with: "b/a/.passchain-tmp.0", at: "b/a/x.gpg", nil),
                .remove(Path([0xFF, 0x0A]), version),
            ],
            commits: [
                .init(paths: ["b/a", "a"], added: ["b/a"], message: []),
                .init(paths: [], added: [], message: []),
            ]
        ),
    ]

    /// A later version finishes what an earlier one began.
    @Test(arguments: [
        "write", "remove", "initialize", "move", "copy", "reencrypt", "transaction", "undo",
    ])
    func theWordForWhatWasAskedForStays(_ word: String) throws {
        let text = "passchain pending change 1|\(word)|0|0|0|0|0|end|".replacing("|", with: "\0")
        let change = try #require(PendingChange(Array(text.utf8)))
        #expect(change.isUndo == (word == "undo"))
        #expect(change.kind == Recovery.Change(rawValue: word) ?? .transaction)
        #expect(change.text == Array(text.utf8))
    }

    @Test(arguments: changes) func isReadBackAsItWasWritten(_ change: PendingChange) throws {
        #expect(PendingChange(change.text) == change)
    }

    @Test(arguments: changes) func nothingElseIsRead(_ change: PendingChange) {
        let text = change.text
        for count in 0..<text.count { #expect(PendingChange(Array(text[..<count])) == nil) }
        #expect(PendingChange(text + [0]) == nil)
        var generator = SeededGenerator.forTest()
        for round in 0..<2000 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: damaged.indices, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            // Whatever it says, it stays within bounds and among the store's own files.
            guard let read = PendingChange(damaged) else { continue }
            #expect(
                read.temporaries.allSatisfy { Store.isTemporary($0.lastComponent) },
                "round \(round), \(generator)"
            )
        }
    }

    @Test(arguments: ["../x", "a/../../x", ".git/hooks/post-commit", "a/.GIT/x", "/../x", "", "./x"])
    func pathsThatAreNoBusinessOfTheStoreAreRefused(_ path: String) {
        for step: PendingChange.Step in [
            .remove(Path(path), Self.version), .rename("a", to: Path(path), Self.version, over: nil),
            .rename(Path(path), to: "a", Self.version, over: nil), .replace(with: "a", at: Path(path), nil),
        ] {
            #expect(PendingChange(PendingChange(kind: .move, steps: [step]).text) == nil)
        }
        #expect(PendingChange(PendingChange(kind: .copy, folders: [Path(path)]).text) == nil)
        #expect(PendingChange(PendingChange(kind: .copy, temporaries: ["entry.gpg"]).text) == nil)
    }
}

/// What the next change makes of one that was interrupted.
@Suite struct RecoveryTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        for name in ["a/x", "a/y", "a/z"] { try fixture.insert(name, name) }
        try fixture.initialize(Keys.bob, in: "bob")
    }

    private var journal: Journal { Journal(of: fixture.root) }

    private func version(_ path: Path) throws -> PendingChange.Version? {
        try fixture.store.version(of: path, in: fixture.root)
    }

    /// Puts a new ciphertext for bob beside an entry, as `init` does.
    private func stage(_ name: String, _ number: Int) throws -> PendingChange.Step {
        let path = Path("a/\(name).gpg")
        let temporary = Path("a/.passchain-tmp.\(number)")
        try fixture.write(Keys.ring.encrypted("a/\(name)", to: [Keys.bob]), to: temporary)
        return try .replace(with: temporary, at: path, version(path))
    }

    private func keep(_ change: PendingChange) throws { try journal.write(change, isDurable: false, for: "") }

    @Test func thereIsNothingToDoAfterAnOrdinaryChange() throws {
        #expect(try fixture.store.recover() == nil)
        #expect(!journal.isPresent)
    }

    @Test func whatWasOnlyPreparedIsTakenBack() throws {
        let before = try fixture.everything()
        let steps = try [stage("x", 0), stage("y", 1)]
        let temporaries: [Path] = ["a/.passchain-tmp.0", "a/.passchain-tmp.1", "a/.passchain-tmp.2"]
        fixture.folder.folder("new/folder")
        try keep(PendingChange(kind: .initialize, temporaries: temporaries, folders: ["new", "new/folder"]))
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.change == .initialize && !recovery.isFinished)
        #expect((recovery.done, recovery.total) == (2, 3))
        #expect(try fixture.everything() == before)
        #expect(!(try fixture.paths().contains("new")))
        _ = steps
    }

    @Test func whatHadBegunIsFinished() throws {
        let steps = try [stage("x", 0), stage("y", 1), stage("z", 2)]
        try keep(PendingChange(kind: .initialize, steps: steps))
        // The first one had been made.
        #expect(try steps[0].perform(in: fixture.root) == .made)
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.isFinished && (recovery.done, recovery.total) == (1, 3))
        for name in ["x", "y", "z"] {
            #expect(try fixture.recipients(Path("a/\(name).gpg")) == [Keys.encryptionKey(Keys.bob)])
            #expect(try fixture.read("a/\(name)") == "a/\(name)")
        }
        #expect(try fixture.paths().filter { $0.contains("passchain") }.isEmpty)
    }

    @Test func aChangeThatCameBetweenIsNotOverwritten() throws {
        let steps = try [stage("x", 0), stage("y", 1)]
        try keep(PendingChange(kind: .initialize, steps: steps))
        // Another program, which knows nothing of this, writes meanwhile.
        let newer = try Keys.ring.encrypted("newer", to: [Keys.alice])
        try fixture.write(newer, to: "a/y.gpg")
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.overtaken == ["a/y.gpg"])
        #expect(try fixture.ciphertext("a/y.gpg") == newer)
        #expect(try fixture.paths().filter { $0.contains("passchain") }.isEmpty)
    }

    /// What is new has no place any more, and so what is old is the last there is of the entry.
    @Test func whereSomebodyTookThePlaceTheEntryStays() throws {
        let theirs = try Keys.ring.encrypted("theirs", to: [Keys.alice])
        let entries: [Path] = ["a/x.gpg", "a/y.gpg", "a/z.gpg"]
        let steps = try entries.enumerated().flatMap { number, path -> [PendingChange.Step] in
            let temporary = Path("bob/.passchain-tmp.\(number)")
            try fixture.write(Keys.ring.encrypted("moved", to: [Keys.bob]), to: temporary)
            let old = try #require(try version(path))
            return [.replace(with: temporary, at: Path("bob/\(number).gpg"), nil), .remove(path, old)]
        }
        try fixture.write(theirs, to: "bob/1.gpg")
        // The run that meets it may be killed, too.
        for isKilled in [true, false] {
            try keep(PendingChange(kind: .move, steps: steps))
            if isKilled {
                for step in steps[..<3] { _ = try step.perform(in: fixture.root) }
                continue
            }
            let recovery = try #require(try fixture.store.recover())
            #expect(recovery.overtaken == ["bob/1.gpg", "a/y.gpg", "a/z.gpg"])
        }
        #expect(try fixture.ciphertext("bob/1.gpg") == theirs)
        #expect(try fixture.read("a/y") == "a/y")
        #expect(try fixture.read("bob/0") == "moved")
        #expect(try fixture.read("bob/2") == "moved")
        #expect(try fixture.paths().filter { $0.contains("passchain") || $0 == "a/x.gpg" }.isEmpty)
    }

    @Test func aMoveIsFinishedWhereverItStopped() throws {
        for done in 0...2 {
            let fixture = try RecoveryTests()
            let (root, store) = (fixture.fixture.root, fixture.fixture.store)
            let inside = try fixture.stage("x", 0)
            guard case .replace(_, _, let version) = inside else {
                Issue.record("\(inside) replaces nothing")
                return
            }
            let steps: [PendingChange.Step] = [
                .rename("a", to: "bob/a", try #require(try fixture.version("a")), over: nil),
                .replace(with: "bob/a/.passchain-tmp.0", at: "bob/a/x.gpg", version),
            ]
            try fixture.keep(PendingChange(kind: .move, steps: steps))
            for step in steps.prefix(done) { #expect(try step.perform(in: root) == .made) }
            let recovery = try #require(try store.recover())
            #expect(recovery.done == done)
            #expect(try fixture.fixture.read("bob/a/x") == "a/x")
            #expect(try fixture.fixture.recipients("bob/a/x.gpg") == [Keys.encryptionKey(Keys.bob)])
            #expect(try fixture.fixture.read("bob/a/z") == "a/z")
        }
    }

    /// A transaction put new contents in one entry and made another; taking that back was killed.
    @Test(arguments: 0...2) func takingBackIsEndedAsWell(_ done: Int) throws {
        let before = try fixture.everything()
        let undo: Path = "a/.passchain-tmp.0.undo"
        try fixture.write(fixture.ciphertext("a/x.gpg"), to: undo)
        try fixture.write(Keys.ring.encrypted("new", to: [Keys.bob]), to: "a/x.gpg")
        fixture.folder.folder("new")
        try fixture.write(Keys.ring.encrypted("new", to: [Keys.bob]), to: "new/n.gpg")
        let steps: [PendingChange.Step] = [
            .remove("new/n.gpg", try #require(try version("new/n.gpg"))),
            .replace(with: undo, at: "a/x.gpg", try version("a/x.gpg")),
        ]
        try keep(
            PendingChange(
                kind: .transaction,
                isUndo: true,
                temporaries: [undo],
                folders: ["new"],
                steps: steps
            )
        )
        for step in steps.prefix(done) { #expect(try step.perform(in: fixture.root) == .made) }
        let recovery = try #require(try fixture.store.recover())
        #expect(!recovery.isFinished && recovery.change == .transaction && recovery.done == done)
        #expect(try fixture.everything() == before)
        #expect(!(try fixture.paths().contains("new")))
        #expect(!journal.isPresent)
    }

    @Test func everyChangeBeginsWithIt() throws {
        try keep(PendingChange(kind: .initialize, steps: [stage("x", 0)]))
        try fixture.insert("b")
        #expect(try fixture.recipients("a/x.gpg") == [Keys.encryptionKey(Keys.bob)])
        #expect(!journal.isPresent)
    }

    @Test func readingLeavesItAlone() throws {
        try keep(PendingChange(kind: .initialize, steps: [stage("x", 0)]))
        #expect(try fixture.read("a/x") == "a/x")
        #expect(journal.isPresent)
    }

    @Test func aFileThatGitCouldHaveBroughtIsNotTrusted() throws {
        let change = PendingChange(kind: .initialize, steps: [try stage("x", 0)])
        try fixture.write(change.text, to: ".passchain-pending")
        #expect(try fixture.store.recover() == nil)
        #expect(try fixture.recipients("a/x.gpg") == [Keys.encryptionKey(Keys.alice)])
        #expect(!journal.isPresent)
    }

    @Test func inAStoreInGitItLiesWhereGitDoesNotLook() throws {
        try fixture.initializeGit()
        try keep(PendingChange(kind: .initialize, temporaries: ["a/.passchain-tmp.0"]))
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.root.locate(".git/passchain-pending").status()?.mode == 0o400)
    }

    @Test func whatCouldNotBeCommittedIsCommittedLater() throws {
        try fixture.initializeGit()
        try fixture.write("#!/bin/sh\nexit 1\n", to: ".git/hooks/pre-commit")
        #expect(chmod(fixture.folder.cPath(".git/hooks/pre-commit"), 0o755) == 0)
        #expect(try fixture.insert("one").failedCommit != nil)
        #expect(try fixture.insert("two").failedCommit != nil)
        #expect(unlink(fixture.folder.cPath(".git/hooks/pre-commit")) == 0)
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.receipt.commits.count == 2 && recovery.receipt.failedCommit == nil)
        #expect(try fixture.log().prefix(2) == ["Add two", "Add one"])
        #expect(try fixture.status().isEmpty)
        #expect(!journal.isPresent)
    }

    @Test func aWriteThatWasKilledBeforeItsCommitIsCommitted() throws {
        try fixture.initializeGit()
        let commit = PendingChange.Commit(
            paths: ["new.gpg"],
            added: ["new.gpg"],
            message: Array("Add new".utf8)
        )
        let change = PendingChange(kind: .write, temporaries: [".passchain-tmp.0"], commits: [commit])
        try keep(change)
        #expect(try fixture.store.recover() == nil)
        try keep(change)
        try fixture.write(Keys.ring.encrypted("x", to: [Keys.alice]), to: "new.gpg")
        #expect(try fixture.store.recover()?.receipt.failedCommit == nil)
        #expect(try fixture.log().first == "Add new")
        #expect(try fixture.status().isEmpty)
    }
}
