import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Changes that another user, another version or another place of the journal left.
@Suite struct UnfinishedChangeTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        for name in ["a/x", "a/y"] { try fixture.insert(name, name) }
    }

    /// A change that puts new contents in two entries, the first of which may have them already.
    private func plan(done: Int = 0) throws -> PendingChange {
        var change = PendingChange(kind: .initialize)
        for (number, name) in ["x", "y"].enumerated() {
            let path = Path("a/\(name).gpg")
            let temporary = Path("a/.passchain-tmp.\(number)")
            try fixture.write(Keys.ring.encrypted("new \(name)", to: [Keys.alice]), to: temporary)
            change.temporaries.append(temporary)
            change.steps.append(
                .replace(with: temporary, at: path, try fixture.store.version(of: path, in: fixture.root))
            )
        }
        change.commits = [.init(paths: ["a/x.gpg", "a/y.gpg"], added: [], message: Array("Both".utf8))]
        for step in change.steps.prefix(done) { _ = try step.perform(in: fixture.root) }
        return change
    }

    private func put(_ text: [UInt8], at path: Path = ".passchain-pending", mode: UInt32 = 0o400) throws {
        try fixture.write(text, to: path)
        #expect(chmod(fixture.folder.cPath(path), mode) == 0)
    }

    /// A change is refused with nothing touched, and reading goes on.
    private func expectBlocked(_ obstacle: StoreError.Obstacle, at path: Path = ".passchain-pending") throws {
        let before = try fixture.everything()
        #expect(throws: StoreError.blocked(path, obstacle)) { try fixture.insert("b") }
        #expect(throws: StoreError.blocked(path, obstacle)) { try fixture.store.recover() }
        #expect(throws: StoreError.blocked(path, obstacle)) { try Transaction(on: fixture.store) }
        #expect(try fixture.everything() == before)
        #expect(try fixture.store.contains(EntryName("a/y")))
        #expect(try fixture.read("a/y") == "a/y")
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root gives files away"),
        arguments: [false, true],
        [1, 4_000_000]
    )
    func theChangeOfAnotherUserWaitsForThatUser(_ isInGit: Bool, _ user: UInt32) throws {
        if isInGit { try fixture.initializeGit() }
        let path: Path = isInGit ? ".git/passchain-pending" : ".passchain-pending"
        let change = try plan(done: 1)
        try put(change.text, at: path)
        #expect(chown(fixture.folder.cPath(path), user, 0) == 0)
        let name = user == 1 ? Array("daemon".utf8) : nil
        try expectBlocked(.ofUser(user, name: name), at: path)
        // Its own user finishes it.
        #expect(chown(fixture.folder.cPath(path), geteuid(), 0) == 0)
        #expect(try #require(try fixture.store.recover()).isFinished)
        #expect(try fixture.read("a/y") == "new y")
    }

    @Test(arguments: [
        "passchain pending change 2|write|0|0|0|0|0|end|", "passchain pending change 10|anything",
        "passchain pending change 2|",
    ])
    func theChangeOfANewerVersionWaitsForThatVersion(_ text: String) throws {
        try put(Array(text.replacing("|", with: "\0").utf8))
        try expectBlocked(.ofNewerVersion)
        try fixture.git("init", "-q")
        try expectBlocked(.ofNewerVersion)
    }

    @Test(arguments: [
        "passchain pending change 1|write|0|0|1|replace|2|a",
        "passchain pending change 1|later|0|0|0|0|0|end|",
        "passchain pending change 0|write|0|0|0|0|0|end|", "passchain pending change 1|write|x|0|0|0|0|end|",
        "something else", "passchain pending change 1|remove|0|0|1|remove|1|../x|1 2 3|0|0|end|",
    ])
    func aDamagedRecordOfStepsIsKept(_ text: String) throws {
        try put(Array(text.replacing("|", with: "\0").utf8))
        try expectBlocked(.damaged)
    }

    /// Nothing had begun, as the record of steps is on disk before the first one is made.
    @Test(arguments: [
        "", "|", "passchain pend", "passchain pending change 1|", "passchain pending change 1|write|1|a",
        "passchain pending change 1|move|1|a/.passchain-tmp.0|1||||||||",
        "passchain pending change 1|write|0|0|0|1|4|",
    ])
    func whatAPowerCutLeftOfAPreparationIsForgotten(_ text: String) throws {
        try put(Array(text.replacing("|", with: "\0").utf8))
        #expect(try fixture.store.recover() == nil)
        #expect(!Journal(of: fixture.root).isPresent)
        try fixture.insert("b")
    }

    @Test func aWholePlanThatIsCutAnywhereIsForgottenOnlyBeforeItsSteps() throws {
        let text = try plan().text
        let steps = try #require(
            text.indices.first { text[$0...].starts(with: Array("2\0replace\0".utf8)) }
        )
        for count in text.indices {
            let damage = PendingChange.damage(of: Array(text[..<count]))
            #expect(damage == (count < steps + 2 ? .torn : .any), "\(count)")
        }
    }

    // MARK: Other places

    @Test(arguments: [0, 1, 2])
    func aChangeFromBeforeTheRepositoryIsFinished(_ done: Int) throws {
        try Journal(of: fixture.root).write(plan(done: done), isDurable: true, for: "")
        try fixture.git("init", "-q")
        try fixture.git("add", "-A")
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.isFinished && recovery.change == .initialize && recovery.done == done)
        for name in ["x", "y"] { #expect(try fixture.read("a/\(name)") == "new \(name)") }
        #expect(try fixture.paths().filter { $0.contains("passchain") } == [])
        #expect(!Journal(of: fixture.root).isPresent)
        #expect(try fixture.log() == ["Both"])
    }

    @Test func bothPlacesMayHoldAChange() throws {
        let former = try plan(done: 1)
        try put(former.text)
        try fixture.git("init", "-q")
        let temporary: Path = ".passchain-tmp.7"
        try fixture.write(Keys.ring.encrypted("new", to: [Keys.alice]), to: temporary)
        let later = PendingChange(
            kind: .copy,
            temporaries: [temporary],
            steps: [.replace(with: temporary, at: "new.gpg", nil)],
            commits: [.init(paths: ["new.gpg"], added: ["new.gpg"], message: Array("Later".utf8))]
        )
        try put(later.text, at: ".git/passchain-pending")
        let recovery = try #require(try fixture.store.recover())
        #expect((recovery.done, recovery.total, recovery.isFinished) == (1, 3, true))
        #expect(try fixture.read("a/y") == "new y")
        #expect(try fixture.read("new") == "new")
        #expect(try fixture.log() == ["Later", "Both"])
        #expect(!Journal(of: fixture.root).isPresent)
    }

    /// `git init --separate-git-dir` leaves a file, others leave a link.
    @Test(arguments: [true, false])
    func aChangeInARepositoryThatMovedIsFinished(_ isLink: Bool) throws {
        try fixture.initializeGit()
        let change = try plan(done: 1)
        try put(change.text, at: ".git/passchain-pending")
        let elsewhere = TestFolder()
        let moved = "\(elsewhere.path)/moved"
        if isLink {
            #expect(rename(fixture.folder.cPath(".git"), moved) == 0)
            #expect(symlink(moved, fixture.folder.cPath(".git")) == 0)
        } else {
            try fixture.git("init", "-q", "--separate-git-dir", moved)
        }
        let recovery = try #require(try fixture.store.recover())
        #expect(recovery.isFinished && recovery.done == 1)
        #expect(try fixture.read("a/y") == "new y")
        #expect(access("\(moved)/passchain-pending", F_OK) != 0)
        #expect(!Journal(of: fixture.root).isPresent)
        withExtendedLifetime(elsewhere) {}
    }

    @Test func aRepositoryThatIsGoneLeavesNoTrap() throws {
        try fixture.initializeGit()
        try put(plan(done: 1).text, at: ".git/passchain-pending")
        #expect(rename(fixture.folder.cPath(".git"), fixture.folder.cPath("gone")) == 0)
        try fixture.write("gitdir: /nowhere/x\n", to: ".git")
        try fixture.insert("b")
        #expect(unlink(fixture.folder.cPath(".git")) == 0)
        try fixture.insert("c")
        #expect(try fixture.read("c") == "secret\n")
    }

    /// A file of the history that has the journal's name is none, and stays.
    @Test func aFileThatGitBroughtStaysInTheHistory() throws {
        try fixture.initializeGit()
        try put(plan().text, mode: 0o644)
        try fixture.git("add", "-f", ".passchain-pending")
        try fixture.git("commit", "-qm", "planted")
        #expect(try fixture.store.recover() == nil)
        try fixture.insert("b")
        #expect(try fixture.read("a/x") == "a/x")
        #expect(try fixture.paths().contains(".passchain-pending"))
    }

    @Test(arguments: ["../x", ".git/config", "a/.GIT/hooks"])
    func commitsNameFilesOfTheStoreOnly(_ path: String) {
        let commit = PendingChange.Commit(paths: [Path(path)], added: [], message: [])
        #expect(PendingChange(PendingChange(kind: .write, commits: [commit]).text) == nil)
        #expect(PendingChange(PendingChange(kind: .write, leftover: [commit]).text) == nil)
        let added = PendingChange.Commit(paths: [], added: [Path(path)], message: [])
        #expect(PendingChange(PendingChange(kind: .write, commits: [added]).text) == nil)
    }
}
