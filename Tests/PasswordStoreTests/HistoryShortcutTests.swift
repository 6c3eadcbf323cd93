import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// What git is spared must change nothing about the commits.
@Suite struct HistoryShortcutTests {
    let fixture: StoreFixture

    init() throws {
        // Only of this git it is known where its configuration is.
        fixture = StoreFixture(["PATH": "/usr/bin:/bin"])
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
    }

    /// The commands of git, and those that it starts itself, with which `name` is inserted.
    private func commands(inserting name: String) throws -> [String] {
        let trace = TestFolder()
        fixture.variables["GIT_TRACE"] = "\(trace.path)/trace"
        defer { fixture.variables["GIT_TRACE"] = nil }
        #expect(try fixture.insert(name, name).failedCommit == nil)
        return String(decoding: try readFile(trace.path.appending("trace")), as: UTF8.self)
            .split(separator: "\n")
            .filter { $0.contains("trace: built-in:") || $0.contains("trace: run_command:") }
            .map(String.init)
    }

    @Test func nothingIsAskedOfGitBesidesTheCommit() throws {
        for name in ["new", "new"] {
            let own = try commands(inserting: name).filter { $0.contains("trace: built-in:") }
            let words = own.compactMap {
                $0.split(separator: "built-in: git ").last?.split(separator: " ").first
            }
            #expect(words.filter { !["add", "commit"].contains($0) } == [], "\(own)")
        }
    }

    private func startsMaintenance(_ name: String) throws -> Bool {
        try commands(inserting: name).contains { $0.contains("maintenance") }
    }

    @Test func gitTidiesUpFromItsOwnLimitOn() throws {
        #expect(try !startsMaintenance("few"))
        for number in 0..<40 { try fixture.write("", to: Path(".git/objects/17/\(number)")) }
        #expect(try startsMaintenance("many"))
    }

    @Test(arguments: ["gc.auto", "maintenance.strategy", "include.path"])
    func whoeverSetsWhenGitTidiesUpIsObeyed(_ key: String) throws {
        try fixture.git("config", key, "1")
        #expect(try startsMaintenance("x"))
    }

    @Test func theUsersConfigurationCountsToo() throws {
        try fixture.write("[GC]\n\tauto = 1\n", to: ".git/global")
        fixture.variables["GIT_CONFIG_GLOBAL"] = "\(fixture.folder.path)/.git/global"
        #expect(try startsMaintenance("x"))
    }

    @Test func aHookMayRunWhatTidiesUp() throws {
        try fixture.write("", to: ".git/hooks/other.sample")
        #expect(try !startsMaintenance("x"))
        try fixture.write("#!/bin/sh\n", to: ".git/hooks/post-commit")
        #expect(try startsMaintenance("y"))
    }

    @Test(arguments: ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"])
    func aConfigurationThatGitReadsElsewhereMayHoldAnything(_ name: String) {
        for (value, isUnknown) in [("/nowhere", false), ("nowhere", true)] {
            let variables = ["HOME": "/nowhere", "GIT_CONFIG_SYSTEM": "/dev/null"].merging([name: value]) {
                $1
            }
            let configuration = GitConfiguration(
                of: fixture.folder.path.appending(".git"),
                git: "/usr/bin/git",
                Environment(variables)
            )
            #expect(configuration.mayMention("signcommits") == isUnknown, "\(variables)")
        }
    }

    /// Fills the index with so many files that a commit of everything is the cheaper one.
    private func fillIndex() throws {
        for number in 0..<2_000 { try fixture.write("", to: Path("files/\(number)")) }
        try fixture.git("add", "files")
        try fixture.git("commit", "-qm", "many")
    }

    private func style(_ commands: [String]) -> String? {
        ["--only", "--include"].first { word in commands.contains { $0.contains("commit \(word)") } }
    }

    @Test func inALargeRepositoryACommitIsThatOfItsFilesAlone() throws {
        try fillIndex()
        for _ in 0..<2 {
            // Changed and untracked files of others do not come along, and what is staged is seen to be.
            try fixture.write("changed", to: "files/7")
            try fixture.write("untracked", to: "untracked")
            #expect(try style(commands(inserting: "x")) == "--include")
            #expect(try fixture.git("show", "--format=", "--name-only") == "x.gpg\n")
        }
        try fixture.git("add", "files/7")
        #expect(try style(commands(inserting: "y")) == "--only")
        #expect(try fixture.git("show", "--format=", "--name-only") == "y.gpg\n")
        #expect(try fixture.status() == "M  files/7\n?? untracked\n")
    }

    @Test func inALargeRepositoryRemovingIsACommitToo() throws {
        try fillIndex()
        try fixture.insert("x")
        _ = try fixture.store.remove(EntryName("x"), message: Array("Remove x".utf8))
        #expect(try fixture.git("show", "--format=%s", "--name-status") == "Remove x\n\nD\tx.gpg\n")
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: ["MERGE_HEAD", "CHERRY_PICK_HEAD"])
    func inALargeRepositoryAMergeIsNotEnded(_ name: String) throws {
        try fillIndex()
        try fixture.write(Array(fixture.git("rev-parse", "HEAD").utf8), to: Path(".git/\(name)"))
        let receipt = try fixture.insert("x")
        #expect(receipt.failedCommit != nil)
        #expect(try fixture.root.locate(Path(".git/\(name)")).status() != nil)
        #expect(try fixture.log().first == "many")
    }

    @Test func inALargeRepositoryAFailedHookLeavesTheEntry() throws {
        try fillIndex()
        try fixture.write("#!/bin/sh\nexit 1\n", to: ".git/hooks/pre-commit")
        #expect(chmod(fixture.folder.cPath(".git/hooks/pre-commit"), 0o755) == 0)
        #expect(try fixture.insert("x").failedCommit != nil)
        #expect(unlink(fixture.folder.cPath(".git/hooks/pre-commit")) == 0)
        // The one that failed is staged now, and the next change makes its commit as well as its own.
        #expect(try fixture.insert("y").failedCommit == nil)
        #expect(try fixture.log().prefix(2) == ["Add y", "Add x"])
        #expect(try fixture.git("show", "--format=", "--name-only") == "y.gpg\n")
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [false, true])
    func inALargeRepositoryAnotherGitThatIsWaitedForKeepsItsOwn(_ isMerge: Bool) throws {
        try fillIndex()
        try fixture.insert("x")
        try fixture.write("changed", to: "files/7")
        // What the other git does while it has the lock.
        let script = """
            cd '\(fixture.folder.path)' && cp .git/index .git/next && GIT_INDEX_FILE=.git/next git add files/7 &&
            touch .git/index.lock && { sleep 0.5; mv .git/next .git/index
            \(isMerge ? "git rev-parse HEAD > .git/MERGE_HEAD" : ":"); rm .git/index.lock; }
            """
        let child = Subprocess(
            "/bin/sh",
            ["-c", script].map { Array($0.utf8) },
            environment: Environment(fixture.variables)
        )
        let pid = try child.startDetached()
        defer { waitpid(pid, nil, 0) }
        while try fixture.root.locate(".git/index.lock").status() == nil { usleep(1_000) }
        let receipt = try fixture.insert("x", "new")
        #expect((receipt.failedCommit != nil) == isMerge)
        #expect(try fixture.git("status", "--porcelain", "files/7") == "M  files/7\n")
        #expect(try fixture.log().prefix(2) == (isMerge ? ["Add x", "many"] : ["Add x", "Add x"]))
        #expect(try fixture.git("log", "-1", "--format=%P").split(separator: " ").count == 1)
        #expect((try fixture.root.locate(".git/MERGE_HEAD").status() != nil) == isMerge)
    }

    @Test func inALargeRepositoryAnEntryThatIsAssumedUnchangedIsCommitted() throws {
        try fillIndex()
        try fixture.insert("x")
        try fixture.git("update-index", "--assume-unchanged", "x.gpg")
        #expect(try fixture.insert("x", "new").failedCommit == nil)
        #expect(try fixture.log().prefix(2) == ["Add x", "Add x"])
    }

    @Test func inALargeRepositoryAnEntryOutsideASparseCheckoutIsCommitted() throws {
        try fillIndex()
        try fixture.insert("x/y")
        let message = try fixture.ciphertext("x/y.gpg")
        try fixture.git("sparse-checkout", "set", "--no-cone", "/*", "!/x/")
        try fixture.write(message, to: "x/y.gpg")
        #expect(try fixture.insert("x/y", "new").failedCommit == nil)
        #expect(try fixture.log().prefix(2) == ["Add x/y", "Add x/y"])
    }
}
