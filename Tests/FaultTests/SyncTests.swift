import TestSupport
import Testing

/// Stores that are shared by git: conflicts, and remotes that are not there.
@Suite struct SyncTests {
    /// Two clones of one store that both changed the entry `c`, each committed, with the other's as a remote.
    private func clones() throws -> (fixture: FaultFixture, other: [String: String]) {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "c", input: "first\n").check()
        try fixture.shell("git clone -q $S $F/other; git -C $S remote add origin $F/other").check()
        let other = ["PASSWORD_STORE_DIR": fixture.folder + "/other"]
        try fixture.run("insert", "-mf", "c", input: "theirs\n", with: other).check()
        try fixture.run("insert", "-mf", "c", input: "ours\n").check()
        return (fixture, other)
    }

    private func pull(_ fixture: FaultFixture) throws -> Outcome {
        try fixture.run("git", "pull", "--no-rebase", "--no-edit", "origin", "main")
    }

    @Test func bothVersionsOfAConflictCanBeReadAndOneKept() throws {
        // U66.
        let (fixture, _) = try clones()
        let pulled = try pull(fixture)
        #expect(pulled.status == 1)
        #expect((pulled.output + pulled.errors).contains("c.gpg"), "\(pulled)")
        let ours = try fixture.run("show", "c")
        #expect(ours.output == "ours\n", "\(ours)")
        try fixture.run("git", "checkout", "--theirs", "c.gpg").check()
        #expect(try fixture.run("show", "c").output == "theirs\n")
        try fixture.run("git", "add", "c.gpg").check()
        try fixture.run("git", "commit", "-qm", "merged").check()
        #expect(try fixture.log().first == "merged")
        #expect(try fixture.status().isEmpty)
        // What is kept can also be written anew: the merge ends with it.
        #expect(try fixture.run("insert", "-mf", "c", input: "both\n").status == 0)
        #expect(try fixture.decrypted("c") == "both\n")
    }

    @Test func aMergeThatIsGivenUpLeavesEverythingAsItWas() throws {
        // U66.
        let (fixture, _) = try clones()
        let before = try fixture.everything()
        let log = try fixture.log()
        _ = try pull(fixture)
        try fixture.run("git", "merge", "--abort").check()
        #expect(try fixture.everything() == before)
        #expect(try fixture.log() == log)
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [["push"], ["pull"], ["fetch", "nowhere"]])
    func aRemoteThatIsNotThereCostsNothing(_ words: [String]) throws {
        // U68: git's own status and words, and every commit stays.
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "x\n").check()
        try fixture.git("remote", "add", "origin", fixture.folder + "/nowhere")
        let (before, log) = (try fixture.everything(), try fixture.log())
        let outcome = try fixture.run(words: (["git"] + words).map { Array($0.utf8) })
        #expect(outcome.status != 0 && !outcome.errors.isEmpty, "\(outcome)")
        #expect(try fixture.everything() == before)
        #expect(try fixture.log() == log)
    }

    @Test func aHookThatCannotPushCostsNothing() throws {
        // U68: the usual way to push by itself.
        let fixture = try FaultFixture()
        try fixture.write(
            "#!/bin/sh\ngit push -q nowhere main\n",
            to: "store/.git/hooks/post-commit",
            mode: 0o755
        )
        let outcome = try fixture.run("insert", "-e", "x", input: "x\n")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("nowhere"), "what the hook said is lost: \(outcome)")
        #expect(try fixture.status().isEmpty)
    }
}
