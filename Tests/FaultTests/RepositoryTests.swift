import TestSupport
import Testing

/// What the tool says, and with which status, where git or what was pulled is not as usual.
@Suite struct RepositoryTests {
    private let fixture: FaultFixture

    init() throws { fixture = try FaultFixture() }

    private func check(
        _ outcome: Outcome,
        _ status: Int32,
        says line: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        guard let line else { return }
        #expect(
            outcome.errors.split(separator: "\n").contains { $0 == line },
            "\(outcome)",
            sourceLocation: sourceLocation
        )
    }

    @Test(arguments: [".gitignore", ".git/info/exclude"])
    func whatGitIgnoresHasStatus3(_ file: String) throws {
        try fixture.write("*.gpg\n", to: "store/\(file)")
        try fixture.shell("gpg --batch -q -e -r $ALICE -o $S/new.gpg <<< old").check()
        let reason = ".gitignore" == file ? ".gitignore" : ".git/info/exclude"
        for name in ["new", "other", "other"] {
            let outcome = try fixture.run("insert", "-ef", name, input: "new\n")
            check(outcome, 3, says: "\(name).gpg is ignored by \(reason), line 1: *.gpg")
            #expect(try fixture.decrypted(name) == "new\n")
        }
        check(try fixture.run("mv", "new", "d/new"), 3)
        // It never was in git, and so it is not to be removed from there.
        check(try fixture.run("rm", "-f", "other"), 0)
        try fixture.write("", to: "store/\(file)")
        try fixture.run("insert", "-e", "last", input: "x\n").check()
        while try fixture.run("insert", "-ef", "last", input: "x\n").errors.contains("committed now") {}
        #expect(try fixture.git("ls-files", "*.gpg") == "d/new.gpg\nlast.gpg\n")
    }

    @Test func aStoreThatIsIgnoredIsNoRepositoryOfItsEntries() throws {
        let fixture = try FaultFixture(inGit: false)
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.write("*\n", to: "store/.gitignore")
        let outcome = try fixture.run("git", "init")
        check(outcome, 3, says: "x.gpg is ignored by .gitignore, line 1: *")
        #expect(outcome.errors.hasSuffix("Mend what git reports, then commit it.\n"))
        try fixture.write("", to: "store/.gitignore")
        try fixture.run("git", "init").check()
        #expect(try fixture.git("ls-files").contains("x.gpg\n"))
    }

    @Test func gitMayLieElsewhere() throws {
        try fixture.shell("mv $S/.git $F/history; ln -s ../history $S/.git").check()
        let outcome = try fixture.run("insert", "-e", "x", input: "x\n").check()
        #expect(outcome.output.contains("Add given password for x to store."))
        try fixture.run("rm", "-f", "x").check()
        #expect(try fixture.status().isEmpty)
        #expect(
            try fixture.log().prefix(2) == ["Remove x from store.", "Add given password for x to store."]
        )
        try fixture.shell("rm -rf $F/history").check()
        check(try fixture.run("insert", "-e", "x", input: "x\n"), 3)
    }

    @Test func whatIsPulledCallsNoFilter() throws {
        try fixture.shell(
            """
            git config --global filter.lfs.clean 'touch $F/ran; echo pointer'
            git config --global filter.lfs.smudge 'touch $F/ran; echo smudged'
            git clone -q $S $F/pusher && cd $F/pusher && echo '* filter=lfs' > .gitattributes
            git add .gitattributes && git commit -qm pushed && git push -q origin HEAD:pushed
            rm -f $F/ran
            """
        ).check()
        for (name, pull) in [("x", "merge pushed"), ("y", "status")] {
            try fixture.run(
                words: (["git"] + pull.split(separator: " ").map(String.init)).map { Array($0.utf8) }
            ).check()
            try fixture.run("insert", "-e", name, input: "x\n").check()
            try fixture.shell("cmp $S/\(name).gpg <(git -C $S cat-file blob HEAD:\(name).gpg)").check()
        }
        try fixture.run("init", Keys.alice, Keys.bob).check()
        try fixture.shell("cmp $S/.gpg-id <(git -C $S cat-file blob HEAD:.gpg-id)").check()
        #expect(!fixture.exists("ran"))
    }

    @Test(arguments: ["x.gpg", "../list", "nowhere"])
    func attributesThatAreALinkAreRefused(_ target: String) throws {
        let fixture = try FaultFixture(inGit: false)
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.write("outside\n", to: "list")
        try fixture.shell("ln -s \(target) $S/.gitattributes").check()
        let before = try fixture.everything()
        let outcome = try fixture.run("git", "init")
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors == "Error: cannot open .gitattributes: Not a regular file.\n")
        #expect(try fixture.everything() == before && fixture.read("list") == Array("outside\n".utf8))
        #expect(!fixture.exists("store/.git"))
    }

    @Test(arguments: ["x.gpg", "d/X.GPG", "new.gpg"])
    func aListThatIsALinkToAnEntryIsRefused(_ target: String) throws {
        for name in ["x", "d/y"] { try fixture.run("insert", "-e", name, input: "x\n").check() }
        try fixture.shell("cp $S/x.gpg $S/d/X.GPG; mkdir $S/e; ln -s ../\(target) $S/e/.gpg-id").check()
        try fixture.shell("rm $S/.gpg-id; ln -s \(target) $S/.gpg-id").check()
        let before = try fixture.everything()
        let line = "Error: \(fixture.store)/.gpg-id: it is not a regular file. Remove it, and run init."
        check(try fixture.run("init", Keys.bob), 1, says: line)
        check(try fixture.run("init", "-p", "e", Keys.bob), 1)
        check(try fixture.run("init", "-p", "e", ""), 1)
        #expect(try fixture.everything() == before)
        try fixture.shell("rm $S/.gpg-id; mkdir $S/.gpg-id").check()
        check(try fixture.run("init", Keys.bob), 1, says: line)
    }

    @Test func aSignatureThatIsALinkToAnEntryIsRefused() throws {
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.shell("ln -s x.gpg $S/.gpg-id.sig").check()
        let before = try fixture.everything()
        let outcome = try fixture.run("init", Keys.alice, with: ["PASSWORD_STORE_SIGNING_KEY": Keys.alice])
        check(outcome, 1)
        #expect(outcome.errors.contains("/.gpg-id.sig: it is not a regular file."), "\(outcome)")
        #expect(try fixture.everything() == before)
    }

    @Test(arguments: [
        ["insert", "-ef", "l"], ["generate", "-i", "l"], ["generate", "-f", "l"], ["cp", "-f", "x", "l"],
    ])
    func anEntryThatIsALinkToSomethingElseIsNotWrittenThrough(_ words: [String]) throws {
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        // A list under another name, and something that can be decrypted.
        for target in ["ids", "secret"] {
            try fixture.shell("cp $S/.gpg-id $S/ids; cp $S/x.gpg $S/secret; ln -sf \(target) $S/l.gpg")
                .check()
            let before = try fixture.everything()
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array("new\n".utf8)
            )
            if target == "ids", words.contains("-i") {
                let reason = "It is not encrypted (no encrypted OpenPGP message)"
                check(outcome, 1, says: "l: gpg: decryption failed: \(reason)")
            } else {
                check(outcome, 1, says: "Error: l.gpg is a link to a file that is no entry. Remove the link.")
            }
            #expect(try fixture.everything() == before)
        }
    }

    @Test(arguments: [".git", ".GIT", ".git/hooks", "d/../.git", "../store/.git"])
    func aLinkIntoTheRepositoryIsClosed(_ target: String) throws {
        try fixture.run("insert", "-e", "x", input: "x\n").check()
        try fixture.shell("mkdir -p $S/d $S/.GIT; ln -s \(target) $S/l; ln -s \(target)/x.gpg $S/k.gpg")
            .check()
        let before = try fixture.shell("cd $S/.git; ls -d hooks/* *; cat config HEAD").check().output
        for words in [
            ["insert", "-ef", "l/post-commit"], ["insert", "-ef", "k"], ["cp", "x", "l/"],
            ["init", "-p", "l", Keys.bob],
        ] {
            check(try fixture.run(words: words.map { Array($0.utf8) }, input: Array("x\n".utf8)), 1)
        }
        #expect(try fixture.shell("cd $S/.git; ls -d hooks/* *; cat config HEAD").check().output == before)
    }

    @Test func submodulesAreRemovedCopiedAndRefused() throws {
        try fixture.shell(
            """
            git init -q $F/other && cd $F/other && cp $S/.gpg-id . && echo x | gpg --batch -q -e -r $ALICE -o x.gpg
            git add . && git commit -qm start
            cd $S && git -c protocol.file.allow=always submodule --quiet add $F/other team && git commit -qm team
            """
        ).check()
        let refused = try fixture.run("mv", "team", "moved")
        #expect(refused.status == 1 && refused.errors.split(separator: "\n").count == 1, "\(refused)")
        #expect(refused.errors.contains("git mv"))
        check(try fixture.run("mv", "--dry-run", "team", "moved"), 1)
        try fixture.run("git", "mv", "team", "moved").check()
        try fixture.run("git", "commit", "-qm", "moved").check()
        try fixture.run("cp", "moved", "copy").check()
        #expect(!fixture.exists("store/copy/.git"))
        #expect(try fixture.git("ls-files", "copy") == "copy/.gpg-id\ncopy/x.gpg\n")
        try fixture.run("rm", "-rf", "moved").check()
        #expect(try fixture.read("store/.gitmodules").isEmpty)
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.log().first == "Remove moved from store.")
    }

    @Test func withoutANameItCommitsAndWarnsOnce() throws {
        try fixture.write("[user]\nname =\nemail = e@example.org\n", to: "gitconfig")
        let outcome = try fixture.run("insert", "-e", "x", input: "x\n", with: ["USER": "tester"]).check()
        #expect(
            outcome.errors
                == "Warning: git knows no name and address of yours: committed as tester <e@example.org>. "
                + "Set them with git config --global user.name and user.email.\n"
        )
        // Two commits, one warning.
        let both = try fixture.run("init", Keys.alice, Keys.bob, with: ["USER": "tester"]).check()
        #expect(both.errors.split(separator: "\n").count == 1, "\(both)")
        #expect(
            try fixture.git("log", "-3", "--format=%an <%ae>")
                == String(repeating: "tester <e@example.org>\n", count: 3)
        )
        try fixture.write("", to: "gitconfig")
        let host = try fixture.shell("cat /proc/sys/kernel/hostname").output.dropLast()
        for (variables, text) in [
            (["USER": "tester"], "tester <tester@\(host)>"),
            (["USER": "...", "LOGNAME": "me"], "me <me@\(host)>"),
            (["USER": "a <b>", "LOGNAME": "me.too"], "me.too <me.too@\(host)>"),
            (["USER": "tester", "EMAIL": ""], "tester <tester@\(host)>"),
        ] where try fixture.shell("cd $S; env -u EMAIL git var GIT_COMMITTER_IDENT").status != 0 {
            let outcome = try fixture.run("insert", "-ef", "x", input: "x\n", with: variables).check()
            #expect(outcome.errors.contains("committed as \(text). "), "\(outcome)")
            #expect(try fixture.git("log", "-1", "--format=%an <%ae>%cn <%ce>") == "\(text)\(text)\n")
        }
        try fixture.write("[user]\nuseConfigOnly = true\n", to: "gitconfig")
        let refused = try fixture.run("insert", "-e", "y", input: "y\n", with: ["USER": "tester"])
        check(refused, 3)
        #expect(
            refused.errors.contains("user.email") && !refused.errors.contains("Warning: git knows"),
            "\(refused)"
        )
    }
}
