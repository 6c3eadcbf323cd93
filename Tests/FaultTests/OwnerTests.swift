import Foundation
import Glibc
import TestSupport
import Testing

/// What root does in the store of another user.
@Suite(.enabled(if: geteuid() == 0, "only root works in the stores of others"))
struct OwnerTests {
    private static let user: uid_t = 65534

    /// A store of somebody else's, with root at work in it.
    private func prepare(inGit: Bool = true) throws -> FaultFixture {
        let fixture = try FaultFixture(inGit: false)
        try fixture.write(
            "[user]\nname = n\nemail = e@example.org\n[safe]\ndirectory = *\n[gc]\nauto = 0\n",
            to: "gitconfig",
            mode: 0o644
        )
        chmod(fixture.folder, 0o755)
        try give(fixture)
        if inGit { try fixture.run("git", "init").check() }
        return fixture
    }

    private func give(_ fixture: FaultFixture) throws {
        try fixture.shell("chown -R \(Self.user):\(Self.user) $S").check()
    }

    private func expectNothingOfRoot(_ fixture: FaultFixture, _ comment: String = "") throws {
        let found = try fixture.shell("find $S ! -uid \(Self.user) -o ! -gid \(Self.user)").check().output
        #expect(found == "", "\(comment)")
    }

    @Test(arguments: [true, false]) func whatEachCommandMakesBelongsToTheStoresOwner(_ isInGit: Bool) throws {
        let fixture = try prepare(inGit: isInGit)
        try expectNothingOfRoot(fixture, "git init")
        let commands: [(words: [String], input: String)] = [
            (["insert", "-m", "a/b"], "x\n"), (["insert", "-f", "-m", "a/b"], "y\n"),
            (["generate", "-i", "a/b"], ""), (["generate", "n/e/w"], ""), (["edit", "a/b"], ""),
            (["edit", "by/editor"], ""), (["cp", "a", "c"], ""), (["cp", "c/b", "d/b"], ""),
            (["mv", "c", "m/c"], ""), (["mv", "d/b", "m/b"], ""), (["init", "-p", "m", Keys.bob], ""),
            (["init", Keys.alice, Keys.bob], ""), (["rm", "-f", "a/b"], ""), (["rm", "-rf", "m"], ""),
        ]
        try fixture.program("editor", "echo edited >> \"$1\"")
        for (words, input) in commands {
            let bytes = words.map { Array($0.utf8) }
            let outcome = try fixture.run(
                words: bytes,
                input: Array(input.utf8),
                with: ["EDITOR": "\(fixture.folder)/bin/editor"]
            )
            #expect(outcome.status == 0, "\(words): \(outcome)")
            try expectNothingOfRoot(fixture, words.joined(separator: " "))
        }
        if isInGit { #expect(try fixture.status().isEmpty) }
    }

    @Test func theOwnersGitGoesOn() throws {
        let fixture = try prepare()
        for number in 1...40 { try fixture.run("insert", "-e", "e\(number)", input: "x\n").check() }
        try fixture.shell(
            """
            setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups env HOME=/nowhere \\
                bash -c 'cd $S && for n in 1 2 3 4 5 6 7 8; do git commit -q --allow-empty -m $n; done && git fsck'
            """
        ).check()
        #expect(try fixture.log().first == "8")
    }

    @Test func anEntryKeepsItsOwnOwnerAndPermissions() throws {
        let fixture = try prepare(inGit: false)
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.shell("chown 1234:4321 $S/x.gpg; chmod 640 $S/x.gpg").check()
        try fixture.run("insert", "-f", "-e", "x", input: "y\n").check()
        #expect(try fixture.shell("stat -c %u:%g:%a $S/x.gpg").output == "1234:4321:640\n")
    }

    @Test func aNewStoreBelongsToTheOwnerOfItsFolder() throws {
        let fixture = try FaultFixture(inGit: false)
        try fixture.shell("mkdir $F/home; chown \(Self.user):\(Self.user) $F/home; rm -r $S").check()
        let store = ["PASSWORD_STORE_DIR": fixture.folder + "/home/deep/store"]
        try fixture.run("init", Keys.alice, with: store).check()
        #expect(try fixture.shell("find $F/home ! -uid \(Self.user)").output == "")
    }

    /// Where root owns a folder in it, that stays closed to the owner of the store.
    @Test func foldersOfRootStayRoots() throws {
        let fixture = try prepare()
        try fixture.run("insert", "-e", "admin/x", input: "x\n").check()
        try fixture.shell("chown -R 0:0 $S/admin; chmod 700 $S/admin").check()
        try fixture.run("insert", "-e", "admin/y", input: "y\n").check()
        try fixture.run("insert", "-f", "-e", "admin/x", input: "z\n").check()
        #expect(try fixture.shell("find $S/admin ! -uid 0").output == "")
    }

    /// A link that the owner of the store makes to a file of root's gives that to nobody, and permissions to run as
    /// its owner are not copied.
    @Test func filesOfRootElsewhereStayRoots() throws {
        let fixture = try prepare()
        try fixture.shell(
            """
            echo secret > $F/roots; chmod 4755 $F/roots
            ln $F/roots $S/.git/objects/roots; ln $F/roots $S/linked.gpg; ln -s $F/roots $S/.git/points
            """
        ).check()
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.run("insert", "-f", "-e", "linked", input: "x\n").check()
        #expect(try fixture.shell("stat -c %u $F/roots; cat $F/roots").output == "0\nsecret\n")
        #expect(try fixture.shell("stat -c %a $S/linked.gpg").output == "755\n")
    }

    @Test func thePlanOfRootIsTheOwnersToFinish() throws {
        let fixture = try prepare()
        // A commit that is refused leaves one.
        try fixture.write("#!/bin/sh\nexit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        try fixture.run("insert", "-e", "x", input: "x\n").check(3)
        let facts = try fixture.shell("stat -c %u:%a $S/.git/passchain-pending").output
        #expect(facts == "\(Self.user):400\n")
    }
}
