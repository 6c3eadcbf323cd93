import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

@Suite struct HistoryTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
    }

    private func hook(_ name: String, _ script: String) throws {
        try fixture.write("#!/bin/sh\n\(script)\n", to: Path(".git/hooks/\(name)"))
        #expect(chmod(fixture.folder.cPath(Path(".git/hooks/\(name)")), 0o755) == 0)
    }

    private func failure(_ receipt: Receipt) throws -> String {
        guard case .failed(_, let output) = receipt.failedCommit else {
            Issue.record("\(receipt)")
            return ""
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test func eachChangeIsOneCommitOfItsOwnFiles() throws {
        try fixture.insert("a/x")
        try fixture.insert("a/x", "new")
        _ = try fixture.move("a/x", to: "b/y")
        _ = try fixture.copy("b/y", to: "c")
        _ = try fixture.store.remove(EntryName("c"), message: Array("Remove c".utf8))
        let subjects = ["Remove c", "Copy b/y", "Move a/x", "Add a/x", "Add a/x", "attributes", "contents"]
        #expect(try fixture.log() == subjects)
        #expect(try fixture.status().isEmpty)
        let files = try fixture.git("show", "--format=", "--name-status", "-M", "HEAD~2")
        #expect(files.split(separator: "\n") == ["R100\ta/x.gpg\tb/y.gpg"])
    }

    @Test func whatIsStagedOrChangedByOthersStaysAsItIs() throws {
        try fixture.insert("mine")
        try fixture.write("1", to: "staged")
        try fixture.write("1", to: "untracked")
        try fixture.write("changed", to: ".gitattributes")
        try fixture.git("add", "staged")
        try fixture.insert("x")
        _ = try fixture.move("mine", to: "yours")
        _ = try fixture.store.remove(EntryName("x"), message: Array("Remove x".utf8))
        try fixture.initialize(Keys.alice, Keys.bob)
        #expect(try fixture.status() == " M .gitattributes\nA  staged\n?? untracked\n")
    }

    @Test(arguments: [
        "*", "q?", "[x]", ":(exclude)x", ":(top)", "-A", "--all", "a b", "\u{E9}", "\n", "\"", "\\",
    ])
    func namesAreNoPatterns(_ name: String) throws {
        for other in ["x", "q1", "y"] { try fixture.insert(other) }
        let count = try fixture.log().count
        // Changes that do not belong to the entry: a pattern would take them along.
        try fixture.write("dirty", to: "y.gpg")
        let receipts = [
            try fixture.insert(name, "1"), try fixture.insert(name, "2"),
            try fixture.move(name, to: "moved").receipt,
            try fixture.move("moved", to: name).receipt,
            try fixture.store.remove(EntryName(name), message: Array("rm".utf8)).receipt,
        ]
        #expect(receipts.allSatisfy { $0.failedCommit == nil })
        #expect(try fixture.log().count == count + 5)
        #expect(try fixture.status() == " M y.gpg\n")
        #expect(try fixture.paths().contains("x.gpg"))
    }

    @Test func aMessageIsOneLine() throws {
        _ = try fixture.store.write(
            StoreFixture.bytes("x"),
            to: EntryName("x"),
            message: Array("Add a\n\nCo-authored-by: b\u{1B}[0m.".utf8)
        )
        #expect(
            try fixture.git("log", "-1", "--format=%B") == "Add a\\x0a\\x0aCo-authored-by: b\\x1b[0m.\n\n"
        )
    }

    @Test func aFailingHookIsSaidSoAndTheEntryStays() throws {
        try hook("pre-commit", "echo no such luck >&2; exit 1")
        #expect(try failure(fixture.insert("x")).contains("no such luck"))
        #expect(try fixture.read("x") == "secret\n")
    }

    @Test func aHookGetsNoSecret() throws {
        try hook("pre-commit", "{ env; cat; ps -o args= -p $PPID; } > \"\(fixture.folder.path)/seen\"")
        try fixture.insert("x", "marker-of-the-secret")
        #expect(!String(decoding: try fixture.ciphertext("seen"), as: UTF8.self).contains("marker"))
    }

    @Test func aHookMayLeaveSomethingInTheBackground() throws {
        try hook("post-commit", "sleep 600 & echo $! > \"\(fixture.folder.path)/pid\"")
        #expect(try fixture.insert("x").failedCommit == nil)
        let pid = try #require(pid_t(String(decoding: fixture.ciphertext("pid").dropLast(), as: UTF8.self)))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test func withoutAnIdentityItIsSaidSo() throws {
        for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
            fixture.variables[name] = nil
        }
        try fixture.git("config", "user.useConfigOnly", "true")
        #expect(try failure(fixture.insert("x")).contains("user.email"))
        #expect(try fixture.read("x") == "secret\n")
    }

    @Test(arguments: [
        ([:], "tester <"), (["LOGNAME": "log", "USER": ""], "log <"),
        (["GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@a"], "tester <"),
        (["EMAIL": "me@example.org"], "tester <me@example.org>"),
    ])
    func whoGitDoesNotKnowIsNamedAfterTheMachine(_ given: [String: String], _ expected: String) throws {
        for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
            fixture.variables[name] = nil
        }
        fixture.variables["USER"] = "tester"
        fixture.variables.merge(given) { $1 }
        // So that each machine lacks it, whatever its users and itself are called.
        try fixture.git("config", "user.name", "")
        if given["EMAIL"] == nil { try fixture.git("config", "user.email", "") }
        let receipt = try fixture.insert("x")
        guard case .committed(_, _, let standIn?) = receipt.commits.first else {
            Issue.record("\(receipt)")
            return
        }
        let text = String(decoding: standIn, as: UTF8.self)
        #expect(text.hasPrefix(expected), "\(text)")
        #expect(try fixture.git("log", "-1", "--format=%cn <%ce>") == text + "\n")
        let author = given["GIT_AUTHOR_NAME"] == nil ? text : "A <a@a>"
        #expect(try fixture.git("log", "-1", "--format=%an <%ae>") == author + "\n")
        // A failure of another kind stays one, and who is known is not asked for.
        try hook("pre-commit", "exit 1")
        #expect(try fixture.insert("x").failedCommit != nil)
        try hook("pre-commit", "exit 0")
        try fixture.git("config", "user.name", "n")
        try fixture.git("config", "user.email", "e@e")
        let known = try fixture.insert("x", "new").commits.first
        guard case .committed(_, _, nil) = known else {
            Issue.record("\(String(describing: known))")
            return
        }
    }

    @Test func aMissingSigningKeyIsSaidSo() throws {
        try fixture.git("config", "user.signingkey", "0123456789ABCDEF")
        try fixture.git("config", "pass.signcommits", "true")
        _ = try failure(fixture.insert("x"))
        try fixture.git("config", "user.signingkey", Keys.alice)
        #expect(try fixture.insert("x", "new").failedCommit == nil)
        #expect(
            try fixture.git("log", "-1", "--format=%G?%GF") == "U\(Keys.alice)\n"
                || fixture.git("log", "-1", "--format=%G?") == "G\n"
        )
    }

    @Test func withoutGitItIsSaidSo() throws {
        let bin = TestFolder()
        for program in ["gpg", "gpgconf", "gpg-agent", "sh"] {
            bin.link(Path(program), to: Path("/usr/bin/\(program)"))
        }
        fixture.variables["PATH"] = "\(bin.path)"
        #expect(try failure(fixture.insert("x")).contains("git"))
    }

    @Test func aMergeInProgressIsSaidSo() throws {
        // Both sides change c.
        try fixture.insert("c", "base")
        try fixture.git("checkout", "-q", "-b", "side")
        try fixture.insert("c", "theirs")
        try fixture.git("checkout", "-q", "-")
        try fixture.insert("c", "ours")
        #expect(throws: StoreFixture.GitFailure.self) { try fixture.git("merge", "side") }
        #expect(try failure(fixture.insert("x")).contains("merge"))
        #expect(try fixture.read("x") == "secret\n")
    }

    @Test func aLockOfTheIndexIsWaitedFor() throws {
        try fixture.write("", to: ".git/index.lock")
        let script = "sleep 0.5; rm '\(fixture.folder.path)/.git/index.lock'"
        let child = Subprocess("/bin/sh", ["-c", script].map { Array($0.utf8) }, environment: Environment())
        let pid = try child.startDetached()
        defer { waitpid(pid, nil, 0) }
        #expect(try fixture.insert("x").failedCommit == nil)
        #expect(try fixture.status().isEmpty)
    }

    @Test func aStaleLockOfTheIndexIsSaidSoAndStays() throws {
        try fixture.write("", to: ".git/index.lock")
        #expect(try failure(fixture.insert("x")).contains("index.lock"))
        #expect(try fixture.read("x") == "secret\n")
        #expect(try fixture.root.locate(".git/index.lock").status() != nil)
    }

    @Test func theInnermostRepositoryCounts() throws {
        fixture.folder.folder("sub")
        try fixture.git("init", "-q", in: "sub")
        try fixture.insert("sub/x")
        #expect(try fixture.log(in: "sub") == ["Add sub/x"])
        #expect(try fixture.log() == ["attributes", "contents"])
        // A move from one repository to another is a commit in each.
        let done = try fixture.move("sub/x", to: "x")
        #expect(done.receipt.commits.count == 2)
        #expect(try fixture.log(in: "sub") == ["Remove", "Add sub/x"])
        #expect(try fixture.log().first == "Move sub/x")
    }

    @Test func aWorktreeAndASubmoduleAreRepositories() throws {
        let other = TestFolder()
        #expect(rmdir(other.cPath("")) == 0)
        try fixture.git("worktree", "add", "-q", "\(other.path)")
        fixture.variables["PASSWORD_STORE_DIR"] = "\(other.path)"
        try fixture.insert("x")
        let child = Subprocess(
            "/usr/bin/git",
            ["-C", "\(other.path)", "log", "-1", "--format=%s"].map { Array($0.utf8) },
            environment: Environment(fixture.variables)
        )
        #expect(try child.run().output == Array("Add x\n".utf8))
    }

    @Test func aRepositoryAboveTheStoreIsNotItsOwn() throws {
        fixture.folder.folder("inner")
        fixture.variables["PASSWORD_STORE_DIR"] = "\(fixture.folder.path)/inner"
        try fixture.initialize(Keys.alice)
        #expect(try fixture.insert("x").commits.allSatisfy { $0 == .unchanged })
        #expect(try fixture.log() == ["attributes", "contents"])
    }

    @Test(arguments: [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
        "GIT_COMMON_DIR",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_ICASE_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_PREFIX",
    ])
    func theCallersRepositoryIsNotOurs(_ name: String) throws {
        let elsewhere = TestFolder()
        elsewhere.folder("git")
        fixture.variables[name] = name.hasSuffix("PATHSPECS") ? "1" : "\(elsewhere.path)/git"
        #expect(try fixture.insert("x").failedCommit == nil)
        fixture.variables[name] = nil
        #expect(try fixture.log().first == "Add x")
        #expect(try fixture.status().isEmpty)
    }

    @Test func initializingIsTwoCommits() throws {
        try fixture.insert("x")
        try fixture.initialize(Keys.alice, Keys.bob)
        #expect(try fixture.log().prefix(2) == ["entries", "list"])
        #expect(try fixture.status().isEmpty)
        fixture.variables["PASSWORD_STORE_SIGNING_KEY"] = Keys.alice
        try fixture.initialize(Keys.bob)
        #expect(
            try fixture.git("show", "--format=", "--name-only", "HEAD~1").split(separator: "\n")
                == [".gpg-id", ".gpg-id.sig"]
        )
    }

    @Test func manyFilesAreOneCommit() throws {
        // More names than one command line takes.
        try fixture.insert("x")
        let message = try fixture.ciphertext("x.gpg")
        let longName = String(repeating: "n", count: 200)
        for number in 0..<12_000 {
            try fixture.write(message, to: Path("many/\(number % 10)/\(longName)\(number).gpg"))
        }
        let copied = try fixture.copy("many", to: "copies")
        #expect(copied.receipt.failedCommit == nil)
        #expect(try fixture.git("ls-files", "copies").split(separator: "\n").count == 12_000)
        try hook("pre-commit", "exit 1")
        #expect(try fixture.copy("copies", to: "again").receipt.failedCommit != nil)
    }

    @Test func nothingToRecordIsNoFailure() throws {
        try fixture.insert("x")
        #expect(try fixture.initialize(Keys.alice).listReceipt.failedCommit == nil)
        try fixture.write("junk", to: "junk.gpg")
        let receipt = try fixture.store.remove(EntryName("junk"), message: []).receipt
        #expect(receipt.failedCommit == nil)
        #expect(try fixture.status().isEmpty)
    }

    @Test func anUnbornBranchTakesTheFirstCommit() throws {
        let fresh = StoreFixture()
        try fresh.git("init", "-q")
        try fresh.initialize(Keys.alice)
        try fresh.insert("x")
        #expect(try fresh.log() == ["Add x", "list"])
    }
}
