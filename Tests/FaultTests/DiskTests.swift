import TestSupport
import Testing

/// Disks that are full, or cannot be written.
@Suite(.enabled(if: Machine.canMount, "\(Machine.withoutMount)"))
struct DiskTests {
    /// Runs a script with the store on a file system of 96 kB.
    private func small(_ fixture: FaultFixture, _ script: String) throws -> Outcome {
        try fixture.shell(
            """
            exec unshare -m bash -c 'set -e
            mkdir $F/copy; cp -a $S/. $F/copy
            mount -t tmpfs -o size=96k none $S
            cp -a $F/copy/. $S
            set +e
            \(script)'
            """
        )
    }

    @Test func anOldSecretSurvivesAFullDisk() throws {
        // F02, U13, S35.
        let fixture = try FaultFixture(inGit: false)
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        let outcome = try small(
            fixture,
            """
            head -c 100000 /dev/urandom | $TOOL insert -mf x; echo status $?
            $TOOL show x; ls -A $S
            head -c 100000 /dev/urandom | $TOOL insert -m new/folder/y; echo status $?; ls -A $S
            """
        )
        #expect(outcome.output.contains("status 1\nold\n.gpg-id\nx.gpg\n"), "\(outcome)")
        #expect(outcome.output.hasSuffix("status 1\n.gpg-id\nx.gpg\n"), "\(outcome)")
        #expect(outcome.errors.contains("Error: cannot write x.gpg: No space left on device."))
    }

    @Test func reencryptionOnAFullDiskChangesNothing() throws {
        // F15.
        let fixture = try FaultFixture(inGit: false)
        for number in 0..<9 {
            try fixture.run("insert", "-m", "\(number)", input: String(repeating: "\(number)", count: 4000))
                .check()
        }
        let before = try fixture.everything()
        let outcome = try small(
            fixture,
            "$TOOL init $ALICE $BOB; echo status $?; cat $S/.gpg-id; ls -A $S; rm -r $F/copy; cp -a $S $F/copy"
        )
        #expect(outcome.output.contains("status 1\n\(Keys.alice)\n.gpg-id\n0.gpg\n"), "\(outcome)")
        #expect(!outcome.output.contains("passchain-"), "\(outcome)")
        for (name, content) in before { #expect(try fixture.read("copy/\(name)") == content) }
    }

    @Test func aFullDiskForGitIsSaidSoAndTheEntryIsSaved() throws {
        // F18.
        let fixture = try FaultFixture()
        let outcome = try fixture.shell(
            """
            exec unshare -m bash -c '
            mkdir $F/objects; cp -a $S/.git/objects/. $F/objects
            mount -t tmpfs -o size=64k none $S/.git/objects; cp -a $F/objects/. $S/.git/objects
            head -c 70000 /dev/zero > $S/.git/objects/filler
            echo secret | $TOOL insert -e x; echo status $?; $TOOL show x
            rm $S/.git/objects/filler
            echo other | $TOOL insert -e y; echo status $?; git -C $S status --porcelain
            '
            """
        )
        #expect(outcome.output.contains("status 3\nsecret\n"), "\(outcome)")
        // The next command makes up for it.
        #expect(outcome.output.hasSuffix("status 0\n"), "\(outcome)")
        #expect(outcome.errors.contains("not committed to git"))
    }

    @Test func aLimitOfTheUsersIsAnErrorAndNotTheEnd() throws {
        // F02: `ulimit -f`, whose signal would end the tool without a word.
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        let before = try fixture.everything()
        for command in ["insert -ef x", "insert -e y", "generate -i x", "mv x z", "init $BOB"] {
            let outcome = try fixture.shell(
                // Where both are pipes the limit is no obstacle to what is said.
                "{ ulimit -f 0; echo new | $TOOL \(command) 2>&1; } | cat; exit ${PIPESTATUS[0]}"
            )
            #expect(outcome.status == 1, "\(command): \(outcome)")
            #expect(outcome.output.contains("File too large"), "\(command): \(outcome)")
            #expect(try fixture.everything() == before, "\(command)")
        }
        // Children die by it as ever.
        try fixture.program("editor", "exec head -c 5000 /dev/zero > $F/big")
        let child = try fixture.shell("{ ulimit -f 1; EDITOR=editor $TOOL edit x 2>&1; } | cat")
        #expect(child.output.contains("editor ended with status 153"), "\(child)")
        #expect(try fixture.everything() == before)
    }

    @Test func whatIsSavedIsSaidAlsoWhenTheOutputIsFull() throws {
        let fixture = try FaultFixture()
        for name in ["x", "y", "d/z"] { try fixture.run("insert", "-m", name, input: "secret\n").check() }
        let full = "Error: cannot write the output: No space left on device.\n"
        for (command, saved) in [
            ("generate new", "new is saved"), ("generate -f x", "x is saved"),
            ("generate -q q", "q is saved"),
            ("insert -e i", "i is saved"), ("mv x moved", "x is moved"), ("cp y copy", "y is copied"),
            ("rm -f y", "y is removed"), ("rm -rf d", "d is removed"),
            ("init $BOB", "The entries are encrypted anew"),
        ] {
            let outcome = try fixture.shell("echo pw | $TOOL \(command) > /dev/full")
            #expect(outcome.errors.hasSuffix("\(saved) all the same.\n"), "\(command): \(outcome)")
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix(full) || command.contains("-q"), "\(outcome)")
            #expect(try fixture.status().isEmpty)
        }
        // A change that was not made says nothing of the kind.
        #expect(try fixture.shell("$TOOL show new > /dev/full").errors == full)
    }

    @Test func aStoreThatCannotBeWrittenCanBeRead() throws {
        // F04.
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "a/x", input: "secret\n").check()
        let outcome = try fixture.shell(
            """
            exec unshare -m bash -c '
            mount --bind $S $S; mount -o remount,ro,bind $S
            $TOOL show a/x; $TOOL ls | tail -1; $TOOL find x | tail -1; $TOOL grep secret | tail -1
            for command in "insert -e a/y" "generate a/z" "generate -i a/x" "edit a/x" "rm -f a/x" "mv a/x b" \
                "cp a/x b" "init $BOB"; do
                EDITOR="sed -i s/secret/new/" $TOOL $command <<< new > /dev/null 2> $F/errors
                echo "$? $command"; grep -c "Read-only file system" $F/errors
            done'
            """
        )
        let failed = [
            "insert -e a/y", "generate a/z", "generate -i a/x", "edit a/x", "rm -f a/x", "mv a/x b",
            "cp a/x b",
        ]
        for command in failed {
            #expect(outcome.output.contains("1 \(command)\n1\n"), "\(command): \(outcome)")
        }
        #expect(outcome.output.contains("1 init \(Keys.bob)\n1\n"), "\(outcome)")
        #expect(outcome.output.hasPrefix("secret\n"))
    }
}
