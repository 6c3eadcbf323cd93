import Glibc
import TestSupport
import Testing

@testable import Unix

/// What a tree's folders and files are after it was read.
@Suite struct FolderFactsTests {
    let scratch = TestFolder()

    private func root() throws -> ConfinedFolder { try ConfinedFolder(scratch.path) }

    private func tree() throws -> FolderTree { try FolderWalk().read("", in: root()) }

    private func facts(_ tree: FolderTree) throws -> [FolderTree.Facts] {
        try tree.facts(in: root(), filesEndingIn: ".gpg")
    }

    @Test func areThoseOfEachFolderAndOfTheFilesThatAreWanted() throws {
        for name: Path in ["a/b/x.gpg", "a/y.GPG", "a/c/d/z.gpg", "a/w.gpg", "other", "v.gpg"] {
            scratch.file(name)
        }
        scratch.link("link.gpg", to: "v.gpg")
        scratch.link("folder", to: "a")
        let facts = try facts(tree())
        let paths = [
            "", "a", "a/b", "a/b/x.gpg", "a/c", "a/c/d", "a/c/d/z.gpg", "a/w.gpg", "a/y.GPG", "v.gpg",
        ]
        #expect(facts.map { "\($0.path)" } == paths)
        for fact in facts {
            let place = try root().locate(fact.path.isEmpty ? "." : fact.path, followingLast: false)
            #expect(try place.status() == fact.status, "\(fact.path)")
        }
    }

    @Test func showEveryChange() throws {
        scratch.file("a/x.gpg")
        scratch.file("a/y.gpg")
        let before = try facts(tree())
        #expect(try facts(tree()) == before)
        #expect(chmod(scratch.cPath("a/x.gpg"), 0o600) == 0)
        let after = try facts(tree())
        #expect(after.map(\.path) == before.map(\.path))
        #expect(zip(before, after).filter { $0 != $1 }.map { "\($1.path)" } == ["a/x.gpg"])
        #expect(unlink(scratch.cPath("a/y.gpg")) == 0)
        #expect(try facts(tree()).map { "\($0.path)" } == ["", "a", "a/x.gpg"])
    }

    @Test func leaveOutAFileThatHasGoneOrBecomeALink() throws {
        for name: Path in ["a/x.gpg", "a/y.gpg", "a/z.gpg"] { scratch.file(name) }
        let tree = try tree()
        #expect(unlink(scratch.cPath("a/x.gpg")) == 0)
        #expect(unlink(scratch.cPath("a/y.gpg")) == 0)
        scratch.link("a/y.gpg", to: "z.gpg")
        #expect(try facts(tree).map { "\($0.path)" } == ["", "a", "a/z.gpg"])
    }

    @Test(arguments: [false, true])
    func aFolderThatHasGoneIsAnError(_ isLinkNow: Bool) throws {
        scratch.file("a/b/x.gpg")
        let tree = try tree()
        #expect(rename(scratch.cPath("a/b"), scratch.cPath("moved")) == 0)
        if isLinkNow { scratch.link("a/b", to: "../moved") }
        let error = #expect(throws: Errno.self) { try facts(tree) }
        #expect(error?.isNoSuchFile == true)
    }
}
