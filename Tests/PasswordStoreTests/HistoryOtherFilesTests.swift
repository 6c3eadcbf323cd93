import Glibc
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// Where the repository holds more than entries, and where git is told more than a store tells it.
@Suite struct HistoryOtherFilesTests {
    let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture()
        try fixture.initialize(Keys.alice)
        try fixture.initializeGit()
        try fixture.insert("d/x")
    }

    private func hook(_ name: String, _ script: String) throws {
        try fixture.write("#!/bin/sh\n\(script)\n", to: Path(".git/hooks/\(name)"))
        #expect(chmod(fixture.folder.cPath(Path(".git/hooks/\(name)")), 0o755) == 0)
    }

    private func failure(_ receipt: Receipt) -> String {
        guard case .failed(_, let output) = receipt.failedCommit else {
            Issue.record("\(receipt)")
            return ""
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: [
        ("core.autocrlf", "true", ""), ("filter.up.clean", "tr a-z A-Z", "*.txt filter=up\n"),
        ("core.eol", "crlf", "*.txt text ident\n"),
        ("core.eol", "lf", "*.txt working-tree-encoding=UTF-16LE\n"),
    ])
    func filesThatAreNoEntriesMayBeStoredOtherwise(_ key: String, _ value: String, _ attributes: String)
        throws
    {
        try fixture.git("config", key, value)
        try fixture.write(attributes, to: ".gitattributes")
        try fixture.write("a\0\r\0\n\0$\0I\0d\0$\0", to: "d/notes\n1.txt")
        if !attributes.contains("UTF-16") { try fixture.write("a\r\n$Id$\r\n", to: "d/notes\n1.txt") }
        try fixture.git("add", ".")
        try fixture.git("commit", "-qm", "notes")
        #expect(try fixture.move("d", to: "e").receipt.failedCommit == nil)
        #expect(try fixture.copy("e", to: "f").receipt.failedCommit == nil)
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.git("ls-files", "-z", "f") == "f/notes\n1.txt\0f/x.gpg\0")
    }

    @Test func aLargeFileThatIsNoEntryIsComparedByGit() throws {
        try fixture.write([UInt8](repeating: 7, count: 1024 * 1024 + 1), to: "d/large")
        #expect(try fixture.move("d", to: "e").receipt.failedCommit == nil)
        #expect(try fixture.git("ls-files", "e") == "e/large\ne/x.gpg\n")
        try hook("pre-commit", "echo changed >> f/large")
        let said = try failure(fixture.copy("e", to: "f").receipt)
        #expect(said.contains("HEAD does not hold f/large as it is on disk"), "\(said)")
    }

    @Test(arguments: ["echo changed > e/notes", "git rm -q --cached e/notes"])
    func aHookThatChangesAnotherFileIsSaidSo(_ script: String) throws {
        try fixture.write("1", to: "d/notes")
        try hook("pre-commit", script)
        let said = try failure(fixture.move("d", to: "e").receipt)
        #expect(said.contains("HEAD does not hold e/notes"), "\(said)")
    }

    @Test func theCommandsOfAHookMayGivePatterns() throws {
        try hook("pre-commit", "test \"$(git diff --cached --name-only -- 'q*')\" = 'q[1].gpg'")
        #expect(try fixture.insert("q[1]").failedCommit == nil)
        // A name is none.
        try fixture.write("other", to: "q1.gpg")
        #expect(try fixture.insert("q[1]", "new").failedCommit == nil)
        #expect(try fixture.status() == "?? q1.gpg\n")
        for name in [":(top)y", "*", ":!y"] { #expect(try fixture.insert(name).failedCommit != nil) }
        #expect(unlink(fixture.folder.cPath(".git/hooks/pre-commit")) == 0)
        for name in [":(top)y", "*", ":!y"] { #expect(try fixture.insert(name, "2").failedCommit == nil) }
        #expect(try fixture.status() == "?? q1.gpg\n")
    }

    @Test func whatIsIgnoredInItsNewPlaceIsNamedAlone() throws {
        try fixture.write("e/\n", to: ".gitignore")
        let said = try failure(fixture.move("d/x", to: "e/x").receipt)
        #expect(said.contains("e/x.gpg is ignored by .gitignore, line 1: e/"))
        #expect(!said.contains("d/x.gpg"), "\(said)")
    }

    @Test(arguments: ["d/.gitignore", "d/e/.gitignore", "own/git/ignore"])
    func itIsSaidWhichFileIgnoresAnEntry(_ file: String) throws {
        fixture.variables["XDG_CONFIG_HOME"] = "\(fixture.folder.path)/own"
        fixture.variables["GIT_CONFIG_GLOBAL"] = nil
        try fixture.write("!y.gpg\n*.gpg\n!z.gpg\n", to: Path(file))
        #expect(try failure(fixture.insert("d/e/x")).contains("\(file), line 2: *.gpg"))
        #expect(try fixture.insert("d/e/z").failedCommit == nil)
    }

    @Test func whatASparseCheckoutLeavesOutIsSaidSo() throws {
        try fixture.insert("e/x")
        try fixture.git("sparse-checkout", "set", "--cone", "d")
        for name in ["e/x", "e/y"] { #expect(try failure(fixture.insert(name)).contains("sparse-checkout")) }
        #expect(try fixture.insert("d/y").failedCommit == nil)
        #expect(try failure(fixture.move("d/y", to: "e/z").receipt).contains("sparse-checkout"))
        #expect(try fixture.read("e/z") == "secret\n")
    }

    @Test(arguments: [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
        "GIT_CONFIG", "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
        "GIT_REPLACE_REF_BASE", "GIT_IMPLICIT_WORK_TREE", "GIT_LITERAL_PATHSPECS", "GIT_ICASE_PATHSPECS",
    ])
    func whatAVariableSaysOfAnotherRepositoryHasNoEffect(_ name: String) throws {
        let other = TestFolder()
        try fixture.git("init", "-q", "\(other.path)")
        let head = { try readFile(other.path.appending(".git/HEAD")) }
        let before = try head()
        var changed = fixture.variables
        changed[name] =
            switch name {
            case "GIT_WORK_TREE": "\(other.path)"
            case "GIT_IMPLICIT_WORK_TREE": "0"
            case _ where name.hasSuffix("PATHSPECS"): "1"
            case "GIT_PREFIX", "GIT_INTERNAL_SUPER_PREFIX": "d/"
            default: "\(other.path)/.git"
            }
        let store = Store(Settings(environment: Environment(changed), currentFolder: "/"))
        for text in ["1", "2"] {
            let receipt = try store.write(
                StoreFixture.bytes(text),
                to: EntryName("y*"),
                message: [0x79]
            )
            #expect(receipt.failedCommit == nil)
        }
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.log().prefix(2) == ["y", "y"])
        #expect(try head() == before)
    }

    @Test(arguments: ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
    func aLockThatIsLeftIsNamedAndStays(_ name: String) throws {
        let branch = try fixture.git("symbolic-ref", "HEAD").dropLast()
        let lock = Path(".git/" + (name.hasPrefix("refs") ? "\(branch).lock" : name))
        try fixture.write("", to: lock)
        let said = try failure(fixture.insert("y"))
        #expect(said.contains("\(lock)") && said.contains("File exists"), "\(said)")
        #expect(try fixture.root.locate(lock).status() != nil)
        #expect(unlink(fixture.folder.cPath(lock)) == 0)
        try fixture.insert("z")
        #expect(try fixture.log().prefix(2) == ["Add z", "Add y"])
    }
}
