import TestSupport
import Testing
import Unix

@testable import PassCommands

/// What a listing shows where it differs from tree on purpose.
@Suite struct TreeTextTests {
    let scratch = TestFolder()

    private func draw(finding terms: [String] = []) throws -> String {
        let environment = Environment(["LC_ALL": "C"])
        let text = TreeText(environment: environment, locale: .posix)
        let tree = try text.walk.read("", in: ConfinedFolder(scratch.path))
        let shown = terms.isEmpty ? tree : NamePattern(terms: terms.map { Array($0.utf8) }).search(tree)
        return String(decoding: text.draw(shown), as: UTF8.self)
    }

    @Test func anEmptyStoreHasNoLines() throws {
        #expect(try draw() == "")
        #expect(try draw(finding: ["x"]) == "")
    }

    @Test func aLinkOutOfTheStoreIsNotFollowed() throws {
        scratch.link("out", to: "/usr")
        scratch.link("passwd.gpg", to: "/etc/passwd")
        #expect(
            try draw() == """
                |-- out -> /usr  [outside the password store, not followed]
                `-- passwd -> /etc/passwd

                """
        )
    }

    @Test func whatCannotBeReadIsMarked() throws {
        scratch.file("a/b/c.gpg")
        scratch.file("d.gpg")
        let text = TreeText(environment: Environment(["TERM": "xterm", "LS_COLORS": "di=1"]), locale: .posix)
        var walk = text.walk
        walk.maximumDepth = 2
        let tree = try walk.read("", in: ConfinedFolder(scratch.path))
        #expect(
            String(decoding: text.draw(tree), as: UTF8.self) == """
                |-- \u{1B}[1ma\u{1B}[0m
                |   `-- \u{1B}[1mb\u{1B}[0m  [error opening dir]
                `-- d

                """
        )
    }

    @Test func findDoesNotSeeTheSuffix() throws {
        for name: Path in ["fish.gpg", "dog.gpg", "a/cat.gpg", "x.gpg/cow.gpg"] { scratch.file(name) }
        #expect(try draw(finding: ["gp"]) == "")
        #expect(try draw(finding: ["."]) == "")
        #expect(try draw(finding: ["g"]) == "`-- dog\n")
        #expect(try draw(finding: ["x"]) == "`-- x\n    `-- cow\n")
    }

    @Test func findShowsAllThatIsInAMatchingFolder() throws {
        for name: Path in ["a/fishies/b/c.gpg", "a/fishies/d.gpg", "a/other.gpg", "z.gpg"] {
            scratch.file(name)
        }
        scratch.folder("a/fishies/empty")
        scratch.folder("a/fishless")
        scratch.folder("a/none")
        scratch.link("a/fishies/l", to: "../../z.gpg")
        let text = try draw(finding: ["FISH"])
        #expect(
            text == """
                `-- a
                    |-- fishies
                    |   |-- b
                    |   |   `-- c
                    |   |-- d
                    |   `-- l -> ../../z
                    `-- fishless

                """
        )
    }

    @Test func findFollowsLinks() throws {
        scratch.file("a/fish.gpg")
        scratch.link("0", to: "a")
        #expect(try draw(finding: ["fish"]) == "|-- 0 -> a\n|   `-- fish\n`-- a\n    `-- fish\n")
    }

    @Test func aTermWithASlashFindsNothing() throws {
        scratch.file("web/a.gpg")
        #expect(try draw(finding: ["web/a"]) == "")
    }

    @Test func manyFoldersInEachOtherAreDrawn() throws {
        let parts = [String](repeating: "d", count: 1_500)
        scratch.folder(Path(parts.joined(separator: "/")))
        let text = try draw()
        #expect(text.split(separator: "\n").count == 1_500)
        #expect(text.hasSuffix(String(repeating: "    ", count: 1_499) + "`-- d\n"))
    }
}
