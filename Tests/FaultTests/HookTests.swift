import TestSupport
import Testing

/// Hooks that use the store while the command that they belong to waits for them.
@Suite struct HookTests {
    private func hook(_ name: String, _ script: String, in fixture: FaultFixture) throws {
        // Once, as its own commits run it again.
        let once = "[ -e $F/ran ] && exit 0; touch $F/ran\n"
        try fixture.write("#!/bin/bash\n\(once)\(script)\n", to: "store/.git/hooks/\(name)", mode: 0o755)
    }

    private func variables(_ fixture: FaultFixture) -> [String: String] {
        ["F": fixture.folder, "TOOL": FaultFixture.tool]
    }

    @Test func aHookMayChangeTheStore() throws {
        let fixture = try FaultFixture()
        try hook("post-commit", "echo two | $TOOL insert -e second; echo $? > $F/status", in: fixture)
        try fixture.run("insert", "-e", "first", input: "one\n", with: variables(fixture)).check()
        #expect(try fixture.read("status") == Array("0\n".utf8))
        #expect(try fixture.decrypted("first") == "one\n")
        #expect(try fixture.decrypted("second") == "two\n")
        #expect(try fixture.status().isEmpty)
        #expect(
            try fixture.log().prefix(2) == [
                "Add given password for second to store.", "Add given password for first to store.",
            ]
        )
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func aHookOfAMoveMayMoveOn() throws {
        let fixture = try FaultFixture()
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        try fixture.run("insert", "-e", "a/x", input: "x\n").check()
        try hook("post-commit", "$TOOL mv bob/a bob/b > $F/output; echo $? > $F/status", in: fixture)
        try fixture.run("mv", "a", "bob", with: variables(fixture)).check()
        #expect(try fixture.read("status") == Array("0\n".utf8))
        #expect(try fixture.decrypted("bob/b/x") == "x\n")
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func whatAHookCouldNotCommitIsCommittedByTheNextChange() throws {
        // Before the commit git holds its index, and so the hook's own commit fails, as with pass.
        let fixture = try FaultFixture()
        try hook("pre-commit", "echo two | $TOOL insert -e second; echo $? > $F/status", in: fixture)
        try fixture.run("insert", "-e", "first", input: "one\n", with: variables(fixture)).check()
        #expect(try fixture.read("status") == Array("3\n".utf8))
        #expect(try fixture.decrypted("second") == "two\n")
        try fixture.run("insert", "-e", "third", input: "three\n", with: variables(fixture)).check()
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func whoeverIsNoHookWaits() throws {
        // The variable alone is no key: a process that does not descend from the holder waits its turn.
        let fixture = try FaultFixture()
        try hook(
            "post-commit",
            "echo $PASSCHAIN_RECORDING > $F/holder; touch $F/ready; sleep 1; date +%s%N > $F/end",
            in: fixture
        )
        let outcome = try fixture.shell(
            """
            $TOOL generate first > /dev/null &
            until [ -e $F/ready ]; do sleep 0.01; done
            PASSCHAIN_RECORDING=$(cat $F/holder) $TOOL generate second > /dev/null; echo "status $?"
            [ -s $F/end ] && echo waited; wait
            """,
            with: variables(fixture)
        )
        #expect(outcome.output == "status 0\nwaited\n", "\(outcome)")
        #expect(try fixture.status().isEmpty)
    }

    /// What a hook leaves running keeps its turn until it has written, and others wait for it.
    @Test func nobodyWritesWhileWhatAHookStartedIsAtWork() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "doc", input: "old\nrest\n").check()
        // A gpg that stops where the entry is read, and one for others that tells when they encrypt.
        try fixture.make("slow")
        try fixture.make("telling")
        try fixture.write(
            "#!/bin/sh\ntouch $F/begun; until [ -e $F/go ]; do sleep 0.01; done; exec /usr/bin/gpg \"$@\"\n",
            to: "slow/gpg",
            mode: 0o755
        )
        try fixture.write(
            "#!/bin/sh\ntouch $F/second; exec /usr/bin/gpg \"$@\"\n",
            to: "telling/gpg",
            mode: 0o755
        )
        try hook(
            "post-commit",
            """
            (PATH=$F/slow:$PATH $TOOL generate -i doc > $F/output 2>&1; echo $? > $F/status) > /dev/null 2>&1 &
            until [ -e $F/begun ]; do sleep 0.01; done
            """,
            in: fixture
        )
        let outcome = try fixture.shell(
            """
            (echo one | $TOOL insert -e first; touch $F/first) > /dev/null &
            until [ -e $F/begun ]; do sleep 0.01; done
            (printf 'new\nmine\n' | PATH=$F/telling:$PATH $TOOL insert -f -m doc; echo $? > $F/third) > /dev/null &
            # As long as the first writer's lock is free for others, the second one gets to write.
            for n in {1..100}; do [ -e $F/second ] || [ -e $F/first ] || sleep 0.01; done
            [ -e $F/second ] && echo second; [ -e $F/first ] && echo first
            touch $F/go; wait; until [ -e $F/status ]; do sleep 0.01; done; cat $F/status $F/third $F/output
            """,
            with: variables(fixture)
        )
        #expect(outcome.output.hasPrefix("0\n0\n"), "\(outcome)")
        #expect(try fixture.decrypted("doc") == "new\nmine\n")
        #expect(
            try fixture.log().prefix(3) == [
                "Add given password for doc to store.", "Replace generated password for doc.",
                "Add given password for first to store.",
            ]
        )
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test func commandsOfOneHookWriteOneAfterTheOther() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "doc", input: "0\nrest\n").check()
        try hook(
            "post-commit",
            """
            for n in 1 2 3 4; do (echo $n | $TOOL insert -e h$n || echo failed >> $F/failed) > /dev/null 2>&1 & done
            for n in 1 2 3; do ($TOOL generate -i doc || echo failed >> $F/failed) > /dev/null 2>&1 & done; wait
            """,
            in: fixture
        )
        try fixture.run("insert", "-e", "first", input: "one\n", with: variables(fixture)).check()
        #expect(!fixture.exists("failed"))
        for number in 1...4 { #expect(try fixture.decrypted("h\(number)") == "\(number)\n") }
        #expect(try fixture.decrypted("doc")?.hasSuffix("\nrest\n") == true)
        #expect(try fixture.log().count == 2 + 1 + 1 + 7)
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    /// The lender is killed while a hook's command writes: the next change waits for that one's end.
    @Test func whoBorrowedFromAKilledCommandIsWaitedFor() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "doc", input: "old\nrest\n").check()
        try fixture.make("slow")
        try fixture.write(
            "#!/bin/sh\ntouch $F/begun; until [ -e $F/go ]; do sleep 0.01; done; exec /usr/bin/gpg \"$@\"\n",
            to: "slow/gpg",
            mode: 0o755
        )
        try hook(
            "post-commit",
            "PATH=$F/slow:$PATH $TOOL generate -i doc > $F/output 2>&1; echo $? > $F/status",
            in: fixture
        )
        let outcome = try fixture.shell(
            """
            echo one > $F/input; $TOOL insert -e first < $F/input > /dev/null & lender=$!
            until [ -e $F/begun ]; do sleep 0.01; done; kill -KILL $lender; wait $lender
            (echo new | $TOOL insert -f -e doc; echo $? > $F/third) > /dev/null 2>&1 &
            # The lock itself is free now, and so the last writer has it when another cannot get it.
            until ! flock -n $S true; do sleep 0.01; done
            [ -e $F/third ] && echo overtaken; touch $F/go; wait
            until [ -e $F/status ]; do sleep 0.01; done; cat $F/third $F/status
            """,
            with: variables(fixture)
        )
        #expect(outcome.output == "0\n0\n", "\(outcome)")
        #expect(try fixture.decrypted("doc") == "new\n")
        #expect(try fixture.status().isEmpty)
    }
}
