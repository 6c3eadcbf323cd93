import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// A commit counts only where `HEAD` holds what is on disk.
@Suite struct HistoryProofTests {
    let fixture: StoreFixture

    init() throws {
        // Of another git it is not known where its configuration is; then the reason is in git's own words.
        fixture = StoreFixture(["PATH": "/usr/bin:/bin"])
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
    }

    private func hook(_ name: String, _ script: String) throws {
        try fixture.write("#!/bin/sh\n\(script)\n", to: Path(".git/hooks/\(name)"))
        #expect(chmod(fixture.folder.cPath(Path(".git/hooks/\(name)")), 0o755) == 0)
    }

    /// What is said of a commit that failed.
    private func failure(_ receipt: Receipt) -> String {
        guard case .failed(_, let output) = receipt.failedCommit else {
            Issue.record("\(receipt)")
            return ""
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func isInHead(_ path: Path) throws -> Bool {
        let id = try fixture.git("hash-object", "--no-filters", "\(path)")
        return try fixture.git("ls-tree", "-r", "HEAD").contains("\(id.dropLast())\t\(path)\n")
    }

    static let ignoringFiles = [".gitignore", ".git/info/exclude", ".git/excludes"]

    @Test(arguments: ignoringFiles, ["*.gpg", "/d/", "x*"])
    func whatGitIgnoresIsNotCommitted(_ file: String, _ pattern: String) throws {
        try fixture.write("# a comment\n\(pattern)\n", to: Path(file))
        try fixture.git("config", "core.excludesFile", "\(fixture.folder.path)/.git/excludes")
        let name = "d/x"
        #expect(try failure(fixture.insert(name)).contains("d/x.gpg is ignored by "))
        // Somebody may have put it there before, so that it is no new one.
        let said = try failure(fixture.insert(name, "again"))
        #expect(said.contains("\(file), line 2: \(pattern)"), "\(said)")
        #expect(try fixture.read(name) == "again")
        // What one may commit all the same is known to be committed.
        try fixture.git("add", "-f", "d/x.gpg")
        try fixture.git("commit", "-qm", "forced")
        #expect(try fixture.insert(name, "third").failedCommit == nil)
        #expect(try isInHead("d/x.gpg"))
    }

    @Test func aFolderIsNotCommittedWithoutItsIgnoredEntries() throws {
        try fixture.insert("d/x")
        try fixture.write("1", to: "d/notes.txt")
        try fixture.write("e/x.gpg\n*.txt\n", to: ".gitignore")
        #expect(
            try failure(fixture.copy("d", to: "e").receipt).contains(
                "e/x.gpg is ignored by .gitignore, line 1"
            )
        )
        // Other files are none of the store's, and may be ignored.
        #expect(try fixture.copy("d", to: "f").receipt.failedCommit == nil)
    }

    @Test(arguments: ["*", "*.gpg", ".gpg-id"])
    func aStoreThatGitIgnoresIsNotMadeARepositoryWithStatus0(_ pattern: String) throws {
        let fresh = StoreFixture()
        try fresh.initialize(Keys.alice)
        try fresh.insert("x")
        try fresh.write(pattern + "\n", to: ".gitignore")
        let done = try fresh.store.initializeHistory(
            [Array("init".utf8)],
            messages: (contents: Array("contents".utf8), attributes: Array("attributes".utf8))
        )
        #expect(failure(done.receipt).contains("is ignored by .gitignore, line 1: \(pattern)"))
    }

    @Test(arguments: ["skip-worktree", "assume-unchanged"], [false, true])
    func aMarkInTheIndexIsSaidSoOrHasNoEffect(_ mark: String, _ isAlone: Bool) throws {
        try fixture.insert("x")
        try fixture.insert("y")
        try fixture.git("update-index", "--\(mark)", "x.gpg")
        let receipt =
            isAlone
            ? try fixture.insert("x", "new") : try fixture.initialize(Keys.alice, Keys.bob).entriesReceipt
        if mark == "skip-worktree" {
            #expect(failure(receipt).contains("x.gpg is marked in git's index"))
        } else {
            #expect(receipt.failedCommit == nil)
        }
        #expect(try isInHead("x.gpg") == (mark != "skip-worktree"))
        // The commit is made as soon as it can be.
        try fixture.git("update-index", "--no-\(mark)", "x.gpg")
        try fixture.insert("z")
        #expect(try isInHead("x.gpg"))
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [
        ("pre-commit", "git reset -q -- x.gpg; echo > other; git add other"),
        (
            "pre-commit",
            "echo other | git hash-object -w --stdin | xargs -I{} git update-index --cacheinfo 100644,{},x.gpg"
        ),
        ("post-commit", "git reset -q HEAD~1"), ("post-commit", "git checkout -q --orphan lost"),
        ("post-commit", "git update-ref -d HEAD"),
    ])
    func aHookThatTakesTheChangeOutIsSaidSo(_ name: String, _ script: String) throws {
        try hook(name, script)
        #expect(try failure(fixture.insert("x")).contains("HEAD does not hold x.gpg"))
        #expect(try fixture.read("x") == "secret\n")
    }

    @Test func aHookThatPutsBackWhatIsRemovedIsSaidSo() throws {
        try fixture.insert("x")
        try hook("pre-commit", "git reset -q -- x.gpg; echo > other; git add other")
        let receipt = try fixture.store.remove(EntryName("x"), message: Array("Remove x".utf8)).receipt
        #expect(failure(receipt).contains("HEAD still holds x.gpg"))
    }

    @Test func aHookThatAddsSomethingIsNoFailure() throws {
        try hook("pre-commit", "echo > other; git add other")
        try hook("post-commit", "git -c core.hooksPath=/dev/null commit -q --amend -m amended")
        #expect(try fixture.insert("x").failedCommit == nil)
        #expect(try fixture.log().first == "amended")
        #expect(try isInHead("x.gpg"))
    }

    @Test(arguments: ["core.hooksPath", "include.path"])
    func aHookElsewhereIsAHook(_ key: String) throws {
        try fixture.write("#!/bin/sh\ngit reset -q HEAD~1\n", to: ".git/elsewhere/post-commit")
        #expect(chmod(fixture.folder.cPath(".git/elsewhere/post-commit"), 0o755) == 0)
        try fixture.write("[core]\nhooksPath = .git/elsewhere\n", to: ".git/more")
        try fixture.git("config", key, key == "include.path" ? "more" : ".git/elsewhere")
        #expect(try failure(fixture.insert("x")).contains("HEAD does not hold x.gpg"))
    }

    @Test func aFilterOfTheUsersOwnIsSaidSo() throws {
        try fixture.insert("before")
        let place: Path = ".git/info/attributes"
        try fixture.write(fixture.ciphertext(place) + Array("*.gpg filter=up\n".utf8), to: place)
        try fixture.git("config", "filter.up.clean", "tr a-z A-Z")
        #expect(try failure(fixture.insert("x")).contains("HEAD does not hold x.gpg as it is on disk"))
        #expect(try failure(fixture.move("before", to: "after").receipt).contains("after.gpg"))
    }

    @Test func anotherWorkTreeIsSaidSo() throws {
        let other = TestFolder()
        try fixture.insert("x")
        try fixture.git("config", "core.worktree", "\(other.path)")
        let child = Subprocess(
            "/bin/cp",
            [fixture.folder.path.appending(".gpg-id").bytes, other.path.appending("x.gpg").bytes],
            environment: Environment()
        )
        #expect(try child.run().status == 0)
        let said = try failure(fixture.insert("x", "newer"))
        #expect(said.contains("HEAD does not hold x.gpg as it is on disk"), "\(said)")
        #expect(unlink(other.cPath("x.gpg")) == 0)
        #expect(try !failure(fixture.insert("x", "newest")).isEmpty)
    }

    @Test func aMonitorThatSeesNothingIsSaidSo() throws {
        try fixture.insert("x")
        try fixture.write("#!/bin/sh\nprintf 't\\0'\n", to: ".git/monitor")
        #expect(chmod(fixture.folder.cPath(".git/monitor"), 0o755) == 0)
        try fixture.git("config", "core.fsmonitorHookVersion", "2")
        try fixture.git("config", "core.fsmonitor", "\(fixture.folder.path)/.git/monitor")
        try fixture.git("update-index", "--fsmonitor")
        try fixture.git("status")
        #expect(try failure(fixture.insert("x", "new")).contains("HEAD does not hold x.gpg as it is on disk"))
    }

    @Test func aSettingThatIsForOtherFileSystemsIsSaidSo() throws {
        try fixture.insert("x")
        try fixture.git("config", "core.ignoreCase", "true")
        #expect(try failure(fixture.insert("X")).contains("HEAD does not hold X.gpg"))
    }

    @Test(arguments: [
        ["core.bare", "true"], ["commit.gpgSign", "true"], ["core.repositoryFormatVersion", "99"],
        ["extensions.nothingThatGitKnows", "1"],
    ])
    func aSettingThatStopsGitIsSaidSo(_ setting: [String]) throws {
        try fixture.insert("y")
        try fixture.git("config", "user.signingKey", "nobody@example.org")
        try fixture.git("config", "core.repositoryFormatVersion", "1")
        try fixture.git("config", setting[0], setting[1])
        #expect(try !failure(fixture.insert("x")).isEmpty)
        let receipt = try fixture.store.remove(EntryName("y"), message: Array("Remove y".utf8)).receipt
        #expect(!failure(receipt).isEmpty)
    }

    @Test(arguments: [
        ["status.showUntrackedFiles", "no"], ["core.fileMode", "false"], ["core.checkStat", "minimal"],
        ["core.symlinks", "false"], ["status.relativePaths", "true"], ["core.quotePath", "true"],
        ["core.splitIndex", "true"], ["index.version", "4"], ["feature.manyFiles", "true"],
        ["core.sparseCheckout", "true"], ["diff.ignoreSubmodules", "all"], ["core.untrackedCache", "true"],
    ])
    func aSettingThatHidesOrStoresOtherwiseHasNoEffect(_ setting: [String]) throws {
        try fixture.git("config", setting[0], setting[1])
        try fixture.git("update-index", "--force-write-index")
        // An entry that git does not know, though it is no new one.
        try fixture.insert("old")
        try fixture.git("rm", "-q", "--cached", "old.gpg")
        try fixture.git("commit", "-qm", "forgotten")
        for name in ["old", "new", "new"] {
            #expect(try fixture.insert(name).failedCommit == nil)
            #expect(try isInHead(Path("\(name).gpg")))
        }
        #expect(try fixture.move("new", to: "d/newer").receipt.failedCommit == nil)
        #expect(try fixture.store.remove(EntryName("d/newer"), message: [0x72]).receipt.failedCommit == nil)
        #expect(try fixture.status().isEmpty)
    }

    @Test func aRepositoryOfSHA256IsUnderstood() throws {
        let fresh = StoreFixture()
        try fresh.git("init", "-q", "--object-format=sha256")
        try fresh.initialize(Keys.alice)
        #expect(try fresh.insert("x").failedCommit == nil)
        #expect(try fresh.insert("x").failedCommit == nil)
        #expect(try fresh.log() == ["Add x", "Add x", "list"])
    }

    @Test func anObjectThatSomebodyReplacedDoesNotCount() throws {
        try fixture.insert("x")
        let blob = try fixture.git("rev-parse", "HEAD:x.gpg").dropLast()
        try fixture.git("replace", String(blob), String(fixture.git("rev-parse", "HEAD:.gpg-id").dropLast()))
        #expect(try fixture.insert("x", "new").failedCommit == nil)
        try hook("post-commit", "git replace --graft HEAD")
        #expect(try fixture.insert("x", "newer").failedCommit == nil)
        #expect(try fixture.move("x", to: "y").receipt.failedCommit == nil)
    }

    @Test(arguments: ["absolute", "relative", "inside"])
    func gitMayBeALink(_ way: String) throws {
        let other = TestFolder()
        let (git, inside) = (fixture.folder.path.appending(".git"), fixture.folder.path.appending("hidden"))
        let target = way == "inside" ? inside : other.path.appending("git")
        try #require(
            rename(fixture.folder.cPath(".git"), target.bytes.map(CChar.init(bitPattern:)) + [0]) == 0
        )
        let up = String(repeating: "../", count: git.components.count - 1)
        let text = way == "absolute" ? "\(target)" : way == "inside" ? "hidden" : "\(up)\(target)"
        fixture.folder.link(".git", to: Path(text))
        #expect(try fixture.insert("x").failedCommit == nil)
        #expect(try fixture.log().first == "Add x")
        #expect(try fixture.move("x", to: "d/x").receipt.failedCommit == nil)
        #expect(try fixture.git("ls-files", "d") == "d/x.gpg\n")
    }

    @Test func aLinkOfGitThatLeadsNowhereIsSaidSo() throws {
        try #require(rename(fixture.folder.cPath(".git"), fixture.folder.cPath("gone")) == 0)
        fixture.folder.link(".git", to: "/nowhere/git")
        #expect(try failure(fixture.insert("x")).contains("not a git repository"))
    }

    @Test func aWarningOfGitIsHandedOn() throws {
        fixture.folder.folder("d/inner")
        try fixture.git("init", "-q", in: "d/inner")
        try fixture.write("1", to: "d/inner/1")
        try fixture.git("add", ".", in: "d/inner")
        try fixture.git("commit", "-qm", "1", in: "d/inner")
        try fixture.insert("d/x")
        let receipt = try fixture.move("d", to: "e").receipt
        guard case .committed(_, let errors, _) = receipt.commits.first else {
            Issue.record("\(receipt)")
            return
        }
        #expect(String(decoding: errors, as: UTF8.self).contains("adding embedded git repository: e/inner"))
    }

    @Test(arguments: ["sha1", "sha256"]) func contentsHaveTheirNames(_ format: String) throws {
        let fresh = StoreFixture()
        try fresh.git("init", "-q", "--object-format=\(format)")
        let sizes = Array(0...140) + [1_000, 4_095, 4_096, 100_001]
        for size in sizes {
            try fresh.write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: Path("\(size)"))
        }
        let names = sizes.map(String.init)
        let ids = try fresh.git(["hash-object", "--no-filters"] + names).split(separator: "\n")
        for (size, text) in zip(sizes, ids) {
            let id = try #require(ObjectID(hexadecimal: Array(text.utf8)[...]))
            #expect(ObjectID(ofBlob: try fresh.ciphertext(Path("\(size)")), like: id) == id, "\(size)")
        }
    }
}
