import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Repositories inside the store: submodules, work trees, and such that merely lie there.
@Suite struct SubmoduleTests {
    let fixture: StoreFixture
    let other = TestFolder()

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
        try fixture.insert("shared/x")
        try fixture.git("init", "-q", "\(other.path)")
        for words in [["add", "."], ["commit", "-qm", "start"]] {
            let script = "cp \"$0/shared/x.gpg\" \"$1\"; cd \"$1\"; git \(words.joined(separator: " "))"
            let child = Subprocess(
                "/bin/sh",
                ["-c", script, "\(fixture.folder.path)", "\(other.path)"].map { Array($0.utf8) },
                environment: Environment(fixture.variables)
            )
            #expect(try child.run().status == 0)
        }
        for name in ["team", "p/deep"] {
            try fixture.git(
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "--quiet",
                "add",
                "\(other.path)",
                name
            )
        }
        try fixture.git("commit", "-qm", "submodules")
    }

    private func remove(_ name: String) throws -> Receipt {
        try fixture.store.removeFolder(EntryName(name), message: Array("Remove \(name)".utf8)).receipt
    }

    @Test(arguments: [("team", "team", "p/deep"), ("p", "p/deep", "team"), ("p/deep", "p/deep", "team")])
    func aSubmoduleThatIsRemovedLeavesTheListOfThem(_ name: String, _ path: String, _ kept: String) throws {
        #expect(try remove(name).failedCommit == nil)
        #expect(
            try fixture.git("config", "--file", ".gitmodules", "--get-regexp", "path$")
                == "submodule.\(kept).path \(kept)\n"
        )
        let changed = try fixture.git("show", "--format=", "--name-status", "HEAD")
        #expect(changed == "M\t.gitmodules\nD\t\(path)\n")
        #expect(try fixture.status().isEmpty)
    }

    @Test func aListOfThemThatWasChangedIsNotOverwritten() throws {
        try fixture.write(fixture.ciphertext(".gitmodules") + Array("# mine\n".utf8), to: ".gitmodules")
        let receipt = try remove("team")
        guard case .failed(_, let output) = receipt.failedCommit else {
            // Git could leave it alone, too.
            Issue.record("\(receipt)")
            return
        }
        #expect(String(decoding: output, as: UTF8.self).contains(".gitmodules"))
        #expect(String(decoding: try fixture.ciphertext(".gitmodules"), as: UTF8.self).contains("# mine"))
    }

    @Test func whatAHookRefusesIsCommittedWhole() throws {
        try fixture.write("#!/bin/sh\nexit 1\n", to: ".git/hooks/pre-commit")
        #expect(chmod(fixture.folder.cPath(".git/hooks/pre-commit"), 0o755) == 0)
        #expect(try remove("team").failedCommit != nil)
        #expect(unlink(fixture.folder.cPath(".git/hooks/pre-commit")) == 0)
        try fixture.insert("y")
        #expect(try fixture.log().prefix(2) == ["Add y", "Remove team"])
        #expect(
            try fixture.git("show", "--format=", "--name-status", "HEAD~1") == "M\t.gitmodules\nD\tteam\n"
        )
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [("team", "copy/x.gpg"), ("p", "copy/deep/x.gpg")])
    func aCopyOfASubmoduleIsOneOfItsEntries(_ name: String, _ entry: String) throws {
        let before = try fixture.everything()
        let receipt = try fixture.copy(name, to: "copy").receipt
        #expect(receipt.failedCommit == nil)
        #expect(try fixture.git("ls-files", "copy") == entry + "\n")
        #expect(try fixture.paths().filter { $0.hasPrefix("copy") && $0.contains(".git") } == [])
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.status(in: "team").isEmpty)
        // Writing the copy is no matter of the submodule's.
        try fixture.insert(String(entry.dropLast(4)), "new")
        #expect(try fixture.status(in: "team").isEmpty && fixture.log(in: "team") == ["start"])
        #expect(
            try before.filter { $0.key.bytes.starts(with: ".git/modules".utf8) }.allSatisfy { path, bytes in
                try path.lastComponent == Array("index".utf8) || fixture.ciphertext(path) == bytes
            }
        )
    }

    @Test func aCopyOfARepositoryBelongsToTheOneAroundIt() throws {
        try fixture.git("init", "-q", "own")
        try fixture.insert("own/x")
        #expect(try fixture.copy("own", to: "copy").receipt.failedCommit == nil)
        #expect(try fixture.git("ls-files", "copy") == "copy/x.gpg\n")
        // Into a repository that is there each file goes as its own.
        try fixture.git("init", "-q", "into/shared")
        #expect(try fixture.copy("shared", to: "into/").receipt.failedCommit == nil)
        #expect(try fixture.log(in: "into/shared") == ["Copy shared"])
        #expect(try fixture.git("ls-files", in: "into/shared") == "x.gpg\n")
    }

    @Test(arguments: [("team", "team"), ("p", "p/deep"), ("p/deep", "p/deep"), ("w", "w/tree")])
    func onlyGitMovesASubmoduleOrWorkTree(_ name: String, _ path: Path) throws {
        if name == "w" { try fixture.git("worktree", "add", "-q", "w/tree") }
        let before = try fixture.everything()
        #expect(throws: StoreError.repository(path)) { _ = try fixture.move(name, to: "moved") }
        let relocation = try fixture.store.planRelocation(of: EntryName(name), to: EntryName("moved"))
        #expect(throws: StoreError.repository(path)) {
            _ = try fixture.store.previewRelocation(relocation, moving: true)
        }
        #expect(try fixture.everything() == before)
    }

    @Test(arguments: ["team", "p", "p/deep"], ["nothing", "a folder"])
    func aSubmoduleIsOneWhateverItsGitIs(_ name: String, _ kind: String) throws {
        let path: Path = name == "team" ? "team" : "p/deep"
        try fixture.git("config", "protocol.file.allow", "always")
        if kind == "nothing" {
            try fixture.git("submodule", "--quiet", "deinit", "-f", "\(path)")
        } else {
            let script =
                "rm .git; mv ../$1.git/modules/$0 .git; sed -i /worktree/d .git/config; git status -s"
            let up = path == "team" ? "" : "../"
            let child = Subprocess(
                "/bin/sh",
                ["-c", script, "\(path)", up].map { Array($0.utf8) },
                environment: Environment(fixture.variables),
                folder: fixture.folder.path.appending(path)
            )
            let outcome = try child.run()
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        }
        let before = try fixture.everything()
        #expect(throws: StoreError.repository(path)) { _ = try fixture.move(name, to: "moved") }
        #expect(try fixture.everything() == before)
        // What cannot be looked into has no entries to copy.
        #expect(try fixture.copy(name, to: "copy").receipt.failedCommit == nil)
        #expect(try fixture.paths().filter { $0.hasPrefix("copy") && $0.contains(".git") } == [])
        #expect(try remove(name).failedCommit == nil)
        let list = String(decoding: try fixture.ciphertext(".gitmodules"), as: UTF8.self)
        #expect(!list.contains("path = \(path)\n"))
        #expect(try fixture.status().isEmpty)
    }

    @Test func aSubmoduleOfASubmoduleBelongsToThat() throws {
        try fixture.git("config", "--file", ".git/own", "protocol.file.allow", "always")
        fixture.variables["GIT_CONFIG_GLOBAL"] = "\(fixture.folder.path)/.git/own"
        try fixture.git("submodule", "--quiet", "add", "\(other.path)", "in", in: "team")
        try fixture.git("commit", "-qm", "in", in: "team")
        for name in ["team", "team/in"] {
            #expect(throws: StoreError.self) { _ = try fixture.move(name, to: "moved") }
        }
        #expect(try remove("team/in").failedCommit == nil)
        #expect(try fixture.ciphertext("team/.gitmodules").isEmpty)
        #expect(try fixture.status(in: "team").isEmpty)
        #expect(try fixture.log(in: "team").first == "Remove team/in")
        #expect(try remove("team").failedCommit == nil)
        #expect(!String(decoding: try fixture.ciphertext(".gitmodules"), as: UTF8.self).contains("team"))
        #expect(try fixture.status().isEmpty)
    }

    @Test func aRepositoryThatMerelyLiesThereMovesAlong() throws {
        try fixture.git("init", "-q", "own")
        try fixture.insert("own/x")
        #expect(try fixture.move("own", to: "moved").receipt.failedCommit == nil)
        #expect(try fixture.log(in: "moved") == ["Add own/x"])
        #expect(try fixture.insert("moved/x", "new").failedCommit == nil)
        #expect(try remove("moved").failedCommit == nil)
        #expect(try fixture.status().isEmpty)
    }

    @Test func anEntryOfASubmoduleIsCommittedThere() throws {
        #expect(try fixture.insert("team/y").failedCommit == nil)
        #expect(try fixture.log(in: "team").first == "Add team/y")
        #expect(try fixture.move("team/y", to: "y").receipt.commits.count == 2)
        #expect(try fixture.log(in: "team").first == "Remove")
        #expect(try fixture.log().first == "Move team/y")
    }
}
