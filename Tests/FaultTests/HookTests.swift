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
}
