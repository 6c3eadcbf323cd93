import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Nothing that is pulled changes the bytes of an entry or a list, or has a program look at them.
@Suite struct HistoryAttributeTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
        // A filter that the user has for files of other repositories, and what would run for a merge or a comparison.
        fixture.folder.folder(".git/own")
        let ran = "touch \(fixture.folder.path)/.git/own/ran;"
        try fixture.write(
            """
            [user]
            name = n
            email = e@e
            [filter "lfs"]
            clean = \(ran) tr a-z A-Z
            smudge = \(ran) tr a-z A-Z
            required = true
            [merge "evil"]
            driver = \(ran) true
            [diff "evil"]
            command = \(ran) true
            textconv = \(ran) cat
            """,
            to: ".git/own/config"
        )
        fixture.variables["GIT_CONFIG_GLOBAL"] = "\(fixture.folder.path)/.git/own/config"
    }

    static let attributes = [
        "* text eol=lf", "*.gpg text=auto eol=crlf", "*.gpg crlf", "* ident",
        "*.gpg working-tree-encoding=UTF-16",
        "*.gpg filter=lfs diff=evil merge=evil -text", ".gpg-id filter=lfs", "* filter=lfs",
        "[attr]mine filter=lfs\n* mine", "[attr]text filter=lfs\n[attr]merge filter=lfs\n* text merge",
        "[attr]binary filter=lfs\n* binary",
    ]

    /// A clone in which no `git init` of ours ever ran.
    private func clone(_ place: TestFolder) throws -> StoreFixture {
        let clone = StoreFixture()
        clone.variables = fixture.variables
        clone.variables["PASSWORD_STORE_DIR"] = "\(clone.folder.path)"
        try clone.git("clone", "-q", "\(fixture.folder.path)", ".")
        return clone
    }

    private func push(_ attributes: String) throws {
        try fixture.write(attributes + "\n", to: ".gitattributes")
        try fixture.git("add", ".gitattributes")
        try fixture.git("commit", "-qm", "pushed")
        // Who pushes it has the filter run for that file itself.
        unlink(fixture.folder.cPath(".git/own/ran"))
    }

    @Test(arguments: attributes)
    func noAttributesThatArePulledChangeAnEntry(_ attributes: String) throws {
        let clone = try clone(TestFolder())
        try push(attributes)
        try clone.git("config", "core.autocrlf", "true")
        try clone.git("config", "core.safecrlf", "true")
        try clone.insert("first")
        // The clone pulls what was pushed, by the git that the tool finds.
        _ = try clone.store.gitProgram()
        try clone.git("pull", "-q", "--no-rebase", "--no-edit")
        for name in ["first", "d/second", "d/second"] { #expect(try clone.insert(name).failedCommit == nil) }
        try clone.initialize(Keys.alice, Keys.bob)
        try clone.initialize(Keys.bob, in: "sub")
        let files: [Path] = ["first.gpg", "d/second.gpg", ".gpg-id", "sub/.gpg-id"]
        for file in files {
            let id = try clone.git("hash-object", "--no-filters", "\(file)")
            #expect(try clone.git("rev-parse", "HEAD:\(file)") == id, "\(file)")
            // It comes back as it was.
            let bytes = try clone.ciphertext(file)
            #expect(unlink(clone.folder.cPath(file)) == 0)
            try clone.git("checkout", "--", "\(file)")
            #expect(try clone.ciphertext(file) == bytes, "\(file)")
        }
        #expect(try fixture.root.locate(".git/own/ran").status() == nil)
    }

    @Test(arguments: ["x.gpg", "d/X.GPG", "a.b/*.gPg", ".gpg-id", "d/.gpg-id", ".gpg-id.sig"])
    func everyAttributeThatChangesBytesIsSettled(_ path: String) throws {
        let all = [
            "text", "crlf", "eol", "ident", "filter", "working-tree-encoding", "export-subst", "whitespace",
        ]
        try fixture.write(
            "* \(all.map { $0 + "=evil" }.joined(separator: " ")) merge=evil diff=evil\n",
            to: ".gitattributes"
        )
        let told = try fixture.git(["check-attr"] + all + ["merge", "diff", "--", path])
        #expect(!told.contains("evil"), "\(told)")
    }

    @Test(arguments: ["sub", "worktree"]) func everyRepositoryIsSettled(_ way: String) throws {
        var folder: Path = "sub"
        let other = TestFolder()
        if way == "sub" {
            fixture.folder.folder("sub")
            try fixture.git("init", "-q", in: "sub")
        } else {
            #expect(rmdir(other.cPath("")) == 0)
            try fixture.git("worktree", "add", "-q", "\(other.path)")
            fixture.variables["PASSWORD_STORE_DIR"] = "\(other.path)"
            folder = Path([])
            #expect(unlink(fixture.folder.cPath(".git/info/attributes")) == 0)
        }
        let top = way == "sub" ? fixture.folder.path.appending("sub") : other.path
        let attributes = Subprocess(
            "/bin/sh",
            ["-c", "echo '* filter=lfs' > \"$0/.gitattributes\"", "\(top)"].map { Array($0.utf8) },
            environment: Environment()
        )
        #expect(try attributes.run().status == 0)
        let entry = folder.appending("x")
        #expect(try fixture.insert("\(entry)").failedCommit == nil)
        let child = Subprocess(
            "/usr/bin/git",
            ["-C", "\(top)", "cat-file", "blob", "HEAD:x.gpg"].map { Array($0.utf8) },
            environment: Environment(fixture.variables)
        )
        #expect(try child.run().output == readFile(top.appending("x.gpg")))
    }

    @Test func submodulesAreSettledBeforeGitRuns() throws {
        let source = try clone(TestFolder())
        try source.insert("x")
        try fixture.git("config", "--file", ".git/own/config", "protocol.file.allow", "always")
        for (folder, name) in [("", "team"), ("", "p/deep"), ("team", "in")] as [(Path, String)] {
            try fixture.git("submodule", "--quiet", "add", "\(source.folder.path)", name, in: folder)
        }
        try source.write("* filter=lfs\n", to: ".gitattributes")
        try source.git("commit", "-qam", "pushed")
        try source.insert("y")
        unlink(fixture.folder.cPath(".git/own/ran"))
        _ = try fixture.store.gitProgram()
        let submodules: [Path] = ["team", "p/deep", "team/in"]
        for submodule in submodules {
            try fixture.git("pull", "-q", "origin", "HEAD", in: submodule)
            let file = submodule.appending("y.gpg")
            #expect(try fixture.ciphertext(file) == source.ciphertext("y.gpg"), "\(file)")
        }
        #expect(try fixture.root.locate(".git/own/ran").status() == nil)
    }

    @Test func aMergeLeavesAnEntryWhole() throws {
        // Git takes what has no zero byte for text, and would put both sides and its marks into it.
        let entry: Path = "e.gpg"
        func commit(_ text: String) throws {
            try fixture.write(text, to: entry)
            try fixture.git("add", "e.gpg")
            try fixture.git("commit", "-qm", text)
        }
        try commit("first")
        try fixture.git("checkout", "-qb", "other")
        try commit("theirs")
        try fixture.git("checkout", "-q", "-")
        try commit("ours")
        #expect(throws: StoreFixture.GitFailure.self) { try fixture.git("merge", "other") }
        #expect(try fixture.status() == "UU e.gpg\n")
        #expect(try fixture.ciphertext(entry) == Array("ours".utf8))
        #expect(try fixture.git("show", ":3:e.gpg") == "theirs")
    }

    @Test func linesOfAttributesThatAreThereStay() throws {
        let place: Path = ".git/info/attributes"
        let ours = try fixture.ciphertext(place)
        #expect(String(decoding: ours, as: UTF8.self).split(separator: "\n").count == 6)
        try fixture.write("*.txt text", to: place)
        for number in 0..<2 { try fixture.insert("\(number)") }
        #expect(try fixture.ciphertext(place) == Array("*.txt text\n".utf8) + ours)
        // A line of the user's own that comes last is the user's own will.
        let all = try fixture.ciphertext(place) + Array("*.gpg diff=other\n".utf8)
        try fixture.write(all, to: place)
        try fixture.insert("x")
        #expect(try fixture.ciphertext(place) == all)
    }

    @Test(arguments: ["x.gpg", "/nowhere", ".", ".git/config"])
    func attributesThatAreALinkAreNotWrittenThrough(_ target: Path) throws {
        let fresh = StoreFixture()
        try fresh.initialize(Keys.alice)
        try fresh.insert("x")
        let before = try fresh.everything()
        fresh.folder.link(".gitattributes", to: target)
        #expect(throws: StoreError.file(Errno.notAFile(".gitattributes"))) { try fresh.initializeGit() }
        #expect(try fresh.everything() == before)
        #expect(try fresh.root.locate(".git").status() == nil)
    }

    @Test func attributesOfTheRepositoryThatAreALinkAreRefused() throws {
        try fixture.insert("x")
        let before = try fixture.ciphertext("x.gpg")
        #expect(unlink(fixture.folder.cPath(".git/info/attributes")) == 0)
        fixture.folder.link(".git/info/attributes", to: "../../x.gpg")
        let receipt = try fixture.insert("y")
        guard case .failed(_, let output) = receipt.failedCommit else {
            Issue.record("\(receipt)")
            return
        }
        #expect(String(decoding: output, as: UTF8.self).contains("info/attributes is not a regular file"))
        #expect(try fixture.ciphertext("x.gpg") == before)
        #expect(unlink(fixture.folder.cPath(".git/info/attributes")) == 0)
        #expect(try fixture.insert("z").failedCommit == nil)
        #expect(try fixture.status().isEmpty)
    }
}
