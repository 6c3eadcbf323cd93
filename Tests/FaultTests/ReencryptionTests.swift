import TestSupport
import Testing

/// Plans that are shown, and entries that cannot be decrypted.
@Suite struct ReencryptionTests {
    private func prepare() throws -> FaultFixture {
        let fixture = try FaultFixture()
        for number in 0..<10 { try fixture.run("insert", "-m", "d/\(number)", input: "\(number)\n").check() }
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        return fixture
    }

    @Test(arguments: ["wrong key", "junk"]) func oneBadEntryStopsItUnlessItMayBeLeft(_ kind: String) throws {
        // F14.
        let fixture = try prepare()
        let bad = kind == "junk" ? Array("junk".utf8) : try Keys.ring.encrypted("x", to: [Keys.carol])
        try fixture.write(bad, to: "store/d/5.gpg")
        let before = try fixture.everything()
        let stopped = try fixture.run("init", Keys.alice, Keys.bob)
        #expect(stopped.status == 2 && stopped.errors.contains("d/5"), "\(stopped)")
        #expect(try fixture.everything() == before)
        let done = try fixture.run("init", "--keep-going", Keys.alice, Keys.bob)
        #expect(done.status == 2, "\(done)")
        #expect(
            done.errors.contains("d/5")
                && done.errors.hasSuffix("Error: 1 entry is left for the former GPG ids.\n")
        )
        for number in 0..<10 where number != 5 {
            let packets = try Keys.ring.gpg(["--list-packets", "\(fixture.store)/d/\(number).gpg"]).text
            let key = try Keys.encryptionKey(Keys.bob)
            #expect(packets.contains(key))
        }
        #expect(try fixture.read("store/d/5.gpg") == bad)
        #expect(try fixture.leftovers().isEmpty)
        #expect(try fixture.status() == " M d/5.gpg\n")
    }

    @Test func anUnusableRecipientStopsItEvenSo() throws {
        let fixture = try prepare()
        let before = try fixture.everything()
        #expect(try fixture.run("init", "--keep-going", Keys.alice, "nobody@example.org").status == 1)
        #expect(try fixture.everything() == before)
    }

    @Test(arguments: [
        (
            ["init", "--dry-run", "ALICE", "BOB"],
            "10 of 10 entries would be encrypted anew. Nothing is changed.\n"
        ),
        (["init", "--dry-run", "ALICE"], "0 of 10 entries would be encrypted anew. Nothing is changed.\n"),
        (
            ["init", "-p", "d", "--dry-run", "BOB"],
            "10 of 10 entries would be encrypted anew. Nothing is changed.\n"
        ),
        (
            ["init", "-p", "bob", "--dry-run", ""],
            "0 of 0 entries would be encrypted anew. Nothing is changed.\n"
        ),
        (
            ["mv", "--dry-run", "d", "bob/d"],
            "10 of 10 entries would be encrypted anew. Nothing is changed.\n"
        ),
        (["mv", "--dry-run", "d/1", "e"], "0 of 1 entry would be encrypted anew. Nothing is changed.\n"),
        (["cp", "--dry-run", "d", "bob"], "10 of 10 entries would be encrypted anew. Nothing is changed.\n"),
        (["rm", "--dry-run", "-r", "d"], "10 files would be removed. Nothing is changed.\n"),
        (["rm", "--dry-run", "d/1"], "1 file would be removed. Nothing is changed.\n"),
    ])
    func aDryRunSaysWhatAndHowManyAndChangesNothing(_ words: [String], _ end: String) throws {
        let fixture = try prepare()
        let (before, log) = (try fixture.everything(), try fixture.log())
        let all = words.map { Array(($0 == "ALICE" ? Keys.alice : $0 == "BOB" ? Keys.bob : $0).utf8) }
        let outcome = try fixture.run(words: all).check()
        #expect(outcome.output.hasSuffix(end), "\(outcome)")
        #expect(try fixture.everything() == before)
        #expect(try fixture.log() == log)
    }

    @Test func aDryRunSaysWhatCannotBe() throws {
        let fixture = try prepare()
        #expect(try fixture.run("init", "--dry-run", "nobody@example.org").status == 1)
        #expect(try fixture.run("init", "--dry-run", "").status == 1)
        #expect(try fixture.run("mv", "--dry-run", "d", "d/e").status == 1)
        #expect(try fixture.run("rm", "--dry-run", "nothing").status == 1)
        // It cannot be cut short: pass has no such option.
        #expect(try fixture.run("rm", "--dry", "-r", "d").status == 1)
        #expect(fixture.exists("store/d/1.gpg"))
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
    func anInterruptedChangeIsFinishedAndCounted() throws {
        // F13.
        let fixture = try prepare()
        let before = try fixture.everything()
        // Killed while it prepares: nothing has happened, and the next command says how far it was.
        let half = try fixture.shell(
            "strace -qq -o /dev/null -e trace=fsync -e inject=fsync:signal=KILL:when=6 $TOOL init $ALICE $BOB; true"
        )
        #expect(try fixture.everything().filter { !$0.key.contains("passchain-") } == before, "\(half)")
        let taken = try fixture.run("insert", "-e", "n", input: "n\n").check()
        #expect(
            taken.errors.contains(
                "An interrupted init is taken back; 6 of 11 files were prepared. Run it again."
            ),
            "\(taken)"
        )
        // Killed while it puts them in their places: the next command finishes it.
        _ = try fixture.shell(
            "strace -qq -o /dev/null -e trace=renameat -e inject=renameat:signal=KILL:when=8 $TOOL init $ALICE $BOB; true"
        )
        let finished = try fixture.run("insert", "-e", "m", input: "m\n").check()
        #expect(finished.errors.contains("An interrupted init is finished now; "), "\(finished)")
        #expect(finished.errors.contains(" of 12 files were done before."))
        #expect(try fixture.run("init", "--dry-run", Keys.alice, Keys.bob).output.hasPrefix("0 of 12 "))
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }
}
