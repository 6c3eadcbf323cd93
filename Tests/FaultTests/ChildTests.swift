import TestSupport
import Testing

/// gpg and git that are missing, die, hang or lie.
@Suite struct ChildTests {
    private func prepare(inGit: Bool = false) throws -> FaultFixture {
        let fixture = try FaultFixture(inGit: inGit)
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        return fixture
    }

    @Test(arguments: [
        "exit 2", "kill -9 $$", "exit 0", "echo '[GNUPG:] DECRYPTION_OKAY' >&2; exit 0",
        "head -c 100 /dev/urandom",
        "kill -SEGV $$",
    ])
    func anEngineThatFailsCostsNothing(_ script: String) throws {
        // F03, U78: a gpg that answers its version and then does anything but its work.
        let fixture = try prepare()
        let before = try fixture.everything()
        try fixture.program("gpg", "case \"$*\" in *--version*) exec /usr/bin/gpg \"$@\";; esac\n\(script)")
        for words in [
            ["show", "x"], ["insert", "-ef", "x"], ["generate", "-f", "x"], ["generate", "-i", "x"],
            ["init", Keys.alice, Keys.bob],
        ] {
            let outcome = try fixture.run(words: words.map { Array($0.utf8) }, input: Array("new\n".utf8))
            #expect(outcome.status == 1 || outcome.status == 2, "\(words): \(outcome)")
            #expect(!outcome.errors.isEmpty, "\(words)")
            #expect(words[0] != "show" || outcome.output.isEmpty)
        }
        #expect(try fixture.everything() == before)
    }

    @Test func withoutGPGItIsSaidInOneLineAndListingWorks() throws {
        // F05.
        let fixture = try prepare()
        let bin = "\(fixture.folder)/none"
        try fixture.make("none")
        for words in [["show", "x"], ["insert", "-ef", "x"], ["generate", "-f", "x"], ["init", Keys.bob]] {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array("new\n".utf8),
                with: ["PATH": bin]
            )
            // As with pass, it is gpg's status that show has.
            #expect(outcome.status == (words[0] == "show" ? 2 : 1))
            #expect(outcome.errors == "Error: There is no gpg in PATH. Install GnuPG.\n", "\(words)")
        }
        #expect(try fixture.run("ls", with: ["PATH": bin]).output.contains("x"))
        #expect(try fixture.decrypted("x") == "old\n")
    }

    @Test func aKeyringThatCannotBeUsedIsNamed() throws {
        // F07, and a name that was mistyped.
        let fixture = try prepare()
        let before = try fixture.everything()
        try fixture.shell("touch $F/file").check()
        for (home, words) in [
            ("\(fixture.folder)/missing", "\(fixture.folder)/missing: No such file or directory."),
            ("\(fixture.folder)/file", "\(fixture.folder)/file: Not a directory."),
        ] {
            for command in [["show", "x"], ["insert", "-ef", "x"], ["init", Keys.bob], ["grep", "o"]] {
                try expectHomeIsNamed(home, words, by: command, in: fixture)
            }
        }
        #expect(try fixture.everything() == before)
        // Where it is not the cause it is not named.
        let options = "--homedir \(Keys.ring.home)"
        let variables = ["GNUPGHOME": "/nowhere", "PASSWORD_STORE_GPG_OPTS": options]
        #expect(try fixture.run("show", "x", with: variables).output == "old\n")
        try fixture.write("garbage", to: "store/x.gpg")
        #expect(try fixture.run("show", "x", with: variables).errors.hasPrefix("x: gpg: "))
    }

    @Test(.enabled(if: Machine.hasSocketsInHome, "gpg-agent's sockets lie in /run here, whatever its home"))
    func aKeyringWhosePathIsTooLongForSocketsIsNamed() throws {
        // F07.
        let fixture = try prepare()
        let before = try fixture.everything()
        let home = fixture.folder + "/" + String(repeating: "n", count: 86 - fixture.folder.utf8.count)
        try fixture.copyKeyring(to: home)
        for command in [["show", "x"], ["init", Keys.bob], ["grep", "o"]] {
            let words = "\(home), which is too long for gpg-agent's sockets: 86 bytes at most."
            try expectHomeIsNamed(home, words, by: command, in: fixture)
        }
        #expect(try fixture.everything() == before)
        // Encrypting needs no agent.
        let other = try fixture.run("insert", "-ef", "bob/x", input: "new\n", with: ["GNUPGHOME": home])
        #expect(other.errors.isEmpty && other.status == 0, "\(other)")
    }

    private func expectHomeIsNamed(
        _ home: String,
        _ words: String,
        by command: [String],
        in fixture: FaultFixture
    ) throws {
        let outcome = try fixture.run(
            words: command.map { Array($0.utf8) },
            input: Array("new\n".utf8),
            with: ["GNUPGHOME": home]
        )
        #expect(outcome.errors.contains("Error: GNUPGHOME is \(words)\n"), "\(command): \(outcome)")
        #expect(outcome.output.isEmpty && !outcome.errors.contains("gpg:"), "\(command): \(outcome)")
        #expect(outcome.status != 0 || command[0] == "grep", "\(command): \(outcome)")
    }

    @Test(.enabled(if: Machine.canMount, "\(Machine.withoutMount)"))
    func aKeyringThatIsOnlyReadIsNamedWhereAnAgentIsNeeded() throws {
        // F07.
        let fixture = try prepare()
        try fixture.copyKeyring(to: fixture.folder + "/g")
        let outcome = try fixture.shell(
            """
            export GNUPGHOME=$F/g
            exec unshare -m bash -c '
            mount -t tmpfs none /run
            mount --bind $F/g $F/g; mount -o remount,ro,bind $F/g
            $TOOL show x; echo "status $?"; echo new | $TOOL insert -ef x; echo "status $?"
            '
            """
        )
        #expect(
            outcome.errors
                == "Error: GNUPGHOME is \(fixture.folder)/g, where gpg-agent cannot make its sockets: "
                + "Read-only file system.\n",
            "\(outcome)"
        )
        #expect(outcome.output == "status 2\nstatus 0\n", "\(outcome)")
    }

    @Test func aGPGThatIsTooOldIsSaidSo() throws {
        let fixture = try prepare()
        try fixture.program("gpg", "echo 'gpg (GnuPG) 1.0.4'")
        let outcome = try fixture.run("show", "x")
        #expect(outcome.status == 1 || outcome.status == 2)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        #expect(outcome.output.isEmpty)
    }

    @Test func anAgentThatWasKilledComesBack() throws {
        // F06.
        let fixture = try prepare()
        let ring = try TestKeyring()
        let key = try ring.makeKey("Agent <agent@example.org>")
        for _ in 0..<2 {
            try fixture.run(
                "init",
                key,
                with: ["GNUPGHOME": ring.home, "PASSWORD_STORE_DIR": fixture.folder + "/s"]
            ).check()
            try fixture.run(
                "insert",
                "-ef",
                "x",
                input: "new\n",
                with: ["GNUPGHOME": ring.home, "PASSWORD_STORE_DIR": fixture.folder + "/s"]
            ).check()
            try fixture.shell("gpgconf --kill gpg-agent", with: ["GNUPGHOME": ring.home]).check()
            let shown = try fixture.run(
                "show",
                "x",
                with: ["GNUPGHOME": ring.home, "PASSWORD_STORE_DIR": fixture.folder + "/s"]
            )
            #expect(shown.status == 0 && shown.output == "new\n", "\(shown)")
        }
    }

    @Test(arguments: ["exit 1", "kill -9 $$", "echo broken >&2; exit 128"])
    func aGitThatFailsIsSaidSoAndTheEntryIsSaved(_ script: String) throws {
        let fixture = try prepare(inGit: true)
        try fixture.program("git", script)
        let outcome = try fixture.run("insert", "-ef", "x", input: "new\n")
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.errors.contains("Error: x is saved, but not committed to git."))
        #expect(try fixture.decrypted("x") == "new\n")
        try fixture.shell("rm $F/bin/git")
        // The next command commits what was left.
        try fixture.run("insert", "-e", "y", input: "y\n").check()
        #expect(try fixture.status().isEmpty)
    }

    @Test func whoeverStartsTheToolNeedNotCareForItsChildren() throws {
        // Where SIGCHLD is ignored nobody learns how a child ended.
        let fixture = try prepare(inGit: true)
        try fixture.write("#!/bin/sh\nexit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        let outcome = try fixture.shell(
            "echo new | perl -e '$SIG{CHLD} = \"IGNORE\"; exec @ARGV' $TOOL insert -ef x"
        )
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.errors.contains("Error: x is saved, but not committed to git."))
        #expect(try fixture.decrypted("x") == "new\n")
    }

    @Test func withoutGitAStoreInGitSaysSo() throws {
        let fixture = try prepare(inGit: true)
        try fixture.shell(
            "mkdir $F/some; for p in gpg gpgconf gpg-agent gpgsm; do ln -s /usr/bin/$p $F/some; done"
        ).check()
        let outcome = try fixture.run(
            "insert",
            "-ef",
            "x",
            input: "new\n",
            with: ["PATH": "\(fixture.folder)/some"]
        )
        #expect(outcome.status == 3, "\(outcome)")
        #expect(try fixture.decrypted("x") == "new\n")
    }

    @Test func readingNeedsNoGit() throws {
        // S44, U69.
        let fixture = try prepare(inGit: true)
        try fixture.program("git", "touch $F/ran")
        let before = try fixture.everything()
        for words in [["show", "x"], ["ls"], ["find", "x"], ["grep", "old"]] {
            try fixture.run(words: words.map { Array($0.utf8) }, with: ["F": fixture.folder]).check()
        }
        #expect(!fixture.exists("ran"))
        #expect(try fixture.everything() == before)
    }

    @Test(.enabled(if: Machine.canMount, "\(Machine.withoutMount)"))
    func withoutProcACommandIsStillTheOneThatWasTyped() throws {
        let fixture = try prepare()
        try fixture.program("note", #"env > $F/environment; echo noted > "$1""#)
        let outcome = try fixture.shell(
            """
            exec unshare -m bash -c 'mount -t tmpfs none /proc
            $TOOL show x; $TOOL nothing; echo "status $?"; EDITOR=note F=$F $TOOL edit z; $TOOL show z
            echo new | $TOOL insert -e y; $TOOL show y'
            """
        )
        #expect(
            outcome.output.hasPrefix("old\nstatus 1\nnoted\n") && outcome.output.hasSuffix("new\n"),
            "\(outcome)"
        )
        // What a static executable needs for its start there is not for children.
        let environment = try String(decoding: fixture.read("environment"), as: UTF8.self)
        #expect(environment.contains("EDITOR=note\n") && !environment.contains("SWIFT_ROOT"))
    }

    @Test func programsOfTheCurrentFolderAreNotRun() throws {
        // S51.
        let fixture = try prepare(inGit: true)
        for name in ["gpg", "git", "xclip", "editor", "vi", "grep", "qrencode", "gpg2", "gpgconf"] {
            try fixture.write(
                "#!/bin/sh\necho \(name) >> \(fixture.folder)/ran\n",
                to: "here/\(name)",
                mode: 0o755
            )
        }
        for path in [
            ".:PROGRAMS", ":PROGRAMS", "here:PROGRAMS", "./:PROGRAMS", "PROGRAMS:.",
        ] {
            let path = path.replacing("PROGRAMS", with: TestPrograms.folder)
            let outcome = try fixture.shell(
                "cd $F/here; export PATH; $TOOL show x; $TOOL grep old; echo new | $TOOL insert -ef x; $TOOL edit x; true",
                with: ["PATH": path, "EDITOR": "vi"]
            )
            #expect(!fixture.exists("ran"), "\(path): \(outcome)")
        }
    }

    @Test func anExtensionOfTheStoreIsNotRunUnlessItMayBe() throws {
        // S52.
        let fixture = try prepare()
        try fixture.write("#!/bin/bash\ntouch $F/ran\n", to: "store/.extensions/foo.bash", mode: 0o755)
        try fixture.run("foo", with: ["F": fixture.folder]).check(1)
        #expect(!fixture.exists("ran"))
    }

    @Test func noChildSeesTheSecretInItsArgumentsOrVariables() throws {
        // S30.
        let fixture = try prepare(inGit: true)
        for name in ["gpg", "git", "editor"] {
            try fixture.program(
                name,
                "{ tr '\\0' '\\n' < /proc/$$/cmdline; env; } >> \(fixture.folder)/seen; "
                    + (name == "editor" ? "echo marker-three >> \"$1\"" : "exec /usr/bin/\(name) \"$@\"")
            )
        }
        try fixture.run("insert", "-e", "a", input: "marker-one\n").check()
        try fixture.run("insert", "-m", "b", input: "marker-two\n").check()
        try fixture.run("edit", "a", with: ["EDITOR": "editor"]).check()
        try fixture.run("show", "a").check()
        try fixture.run("init", Keys.alice, Keys.bob).check()
        let seen = String(decoding: try fixture.read("seen"), as: UTF8.self)
        #expect(seen.contains("--encrypt") && seen.contains("commit"), "the wrappers were not run")
        #expect(!seen.contains("marker"))
    }
}
