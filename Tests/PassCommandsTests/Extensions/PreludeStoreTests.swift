import Foundation
import Testing
import Unix

@testable import PassCommands

/// What the prelude does itself, without the host: recipients and git.
@Suite struct PreludeStoreTests {
    private let fixture: PreludeFixture

    init() throws {
        fixture = try PreludeFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.store + "/a/b",
            withIntermediateDirectories: true
        )
    }

    private let showRecipients = #"printf '[%s]' "${GPG_RECIPIENTS[@]}" : "${GPG_RECIPIENT_ARGS[@]}""#

    @Test(arguments: [
        "A\nB C\n", "A\nB C", "A\r\nB C\r\n", "# x\n\n A\t\n  # y\nB C # z\n", "A# x\r\n\tB C #\r\n \r\n",
        "A\n\n\nB C\r", "\u{feff}A\nB C\n", "A # \0\nB C\n",
    ])
    func losesNoRecipient(_ list: String) throws {
        try fixture.write(list, to: "store/.gpg-id")
        let outcome = try fixture.run("IFS=,; set_gpg_recipients .; \(showRecipients)")
        #expect(outcome.output == "[A][B C][:][-r][A][-r][B C]", "\(outcome)")
    }

    @Test(arguments: [
        ("a/b/c", "AB"), ("a/b", "AB"), ("a/x", "A"), ("a", "A"), (".", "TOP"), ("x/y", "TOP"), ("", "TOP"),
    ])
    func takesTheNearestList(_ folder: String, _ id: String) throws {
        try fixture.write("TOP", to: "store/.gpg-id")
        try fixture.write("A", to: "store/a/.gpg-id")
        try fixture.write("AB", to: "store/a/b/.gpg-id")
        try fixture.write("ABOVE", to: ".gpg-id")
        let outcome = try fixture.run("set_gpg_recipients '\(folder)'; echo \"${GPG_RECIPIENTS[*]}\"")
        #expect(outcome.output == id + "\n")
    }

    @Test func takesTheKeysOfTheEnvironment() throws {
        fixture.environment["PASSWORD_STORE_KEY"] = Array(" A  B\n".utf8)
        #expect(
            try fixture.run("set_gpg_recipients x; \(showRecipients)").output == "[A][B][:][-r][A][-r][B]"
        )
    }

    @Test func refusesAStoreWithoutRecipients() throws {
        try fixture.write("ABOVE", to: ".gpg-id")
        let missing = try fixture.run("set_gpg_recipients a; echo no")
        #expect(missing.status == 1)
        #expect(missing.output == "[__as][ext][help]\n")
        #expect(
            missing.errors
                == "Error: You must run:\n    pass init your-gpg-id\nbefore you may use the password store.\n\n"
        )
        try fixture.write("# nobody\n\n", to: "store/.gpg-id")
        let empty = try fixture.run("set_gpg_recipients a; echo no")
        #expect(empty.status == 1)
        #expect(empty.errors == "Error: \(fixture.store)/.gpg-id names no GPG id.\n", "\(empty)")
        #expect(try fixture.run("set_gpg_recipients ../x; echo no").status == 1)
    }

    @Test(arguments: [
        "A\n-rB\n", "A\n--file\nx\n", "A\nB\u{1b}[m\n", "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x\n",
        "=======\n", "A\0B\n", "A\nB\0", "\0\nA\n",
    ])
    func refusesALineThatIsNoRecipient(_ list: String) throws {
        try fixture.write(list, to: "store/.gpg-id")
        let outcome = try fixture.run("set_gpg_recipients .; echo no")
        #expect(outcome.output.isEmpty && outcome.status == 1)
        #expect(
            outcome.errors.wholeMatch(of: /Error: line [12] of .*\/.gpg-id is .*\.\n/) != nil,
            "\(outcome)"
        )
    }

    @Test func checksTheSignatureOfTheList() throws {
        fixture.environment["PASSWORD_STORE_SIGNING_KEY"] = Array("A".utf8)
        try fixture.write("X", to: "store/a/.gpg-id")
        #expect(
            try fixture.run("set_gpg_recipients a/b").output == "[__verify][\(fixture.store)/a/.gpg-id]\n"
        )
    }

    @Test func findsTheRepositoryOfAFile() throws {
        let text =
            "set_git \"$PREFIX/a/new/x.gpg\"; echo \"<$INNER_GIT_DIR>\"; git_add_file x m; echo $?; git_commit m; echo $?"
        #expect(try fixture.run(text).output == "<>\n1\n1\n")
        _ = try fixture.git("init", "-q")
        fixture.environment["GIT_DIR"] = Array("/nowhere".utf8)
        #expect(
            try fixture.run("set_git \"$PREFIX/a/new/x.gpg\"; echo \"<$INNER_GIT_DIR>\"").output
                == "<\(fixture.store)/a>\n"
        )
        #expect(try fixture.run("set_git \"/no/such/x.gpg\"; echo \"<$INNER_GIT_DIR>\"").output == "<>\n")
    }

    @Test func doesNotUseARepositoryAboveTheStore() throws {
        let words = ["-C", fixture.folder, "init", "-q"].map { Array($0.utf8) }
        _ = try fixture.run(Subprocess("/usr/bin/git", words, environment: fixture.environment))
        #expect(try fixture.run("set_git \"$PREFIX/x.gpg\"; echo \"<$INNER_GIT_DIR>\"").output == "<>\n")
    }

    @Test func commitsTheFileThatWasNamedAndNoOther() throws {
        _ = try fixture.git("init", "-q")
        try fixture.write("1", to: "store/a*.gpg")
        try fixture.write("2", to: "store/ab.gpg")
        let text = """
            set_git "$PREFIX/a*.gpg"
            git_add_file "$PREFIX/a*.gpg" "Add a star." > /dev/null; echo $?
            git_add_file "$PREFIX/a*.gpg" again > /dev/null; echo $?
            """
        #expect(try fixture.run(text).output == "0\n1\n")
        #expect(try fixture.git("log", "--format=%s", "--name-only") == "Add a star.\n\na*.gpg\n")
        #expect(try fixture.git("status", "--porcelain", "--", ":(literal)ab.gpg") == "?? ab.gpg\n")
    }

    @Test func aFolderThatLooksLikeARepositoryIsNone() throws {
        _ = try fixture.git("init", "-q")
        try fixture.write("1", to: "store/a/x.gpg")
        // What can be pulled: all files of a repository, but none that is called .git.
        let script = """
            git init -q --bare a && touch a/objects/keep a/refs/keep
            git -C a config core.bare false && git -C a config core.worktree "$PWD/a"
            git -C a config core.fsmonitor "touch $PWD/ran; false" && git add a && rm -f ran
            """
        let child = Subprocess(
            "/bin/sh",
            ["-c", script].map { Array($0.utf8) },
            environment: fixture.environment,
            folder: Path(fixture.store)
        )
        #expect(try fixture.run(child).status == 0)
        let text =
            "set_git \"$PREFIX/a/x.gpg\"; git_add_file \"$PREFIX/a/x.gpg\" m > /dev/null; echo $?; ls \"$PREFIX\""
        #expect(try fixture.run(text).output == "1\na\n")
    }

    @Test func theCommandsOfAHookMayGivePatterns() throws {
        _ = try fixture.git("init", "-q")
        try fixture.write("1", to: "store/a.gpg")
        try fixture.write(
            "#!/bin/sh\ntest -n \"$(git diff --cached --name-only -- '*.gpg')\"\n",
            to: "store/.git/hooks/pre-commit",
            mode: 0o755
        )
        let text = "set_git \"$PREFIX/a.gpg\"; git_add_file \"$PREFIX/a.gpg\" m > /dev/null; echo $?"
        #expect(try fixture.run(text).output == "0\n")
    }

    @Test func refusesGitCommandsWithoutARepository() throws {
        let outcome = try fixture.run("cmd_git log; echo no")
        let message = "Error: the password store is not a git repository. Try \"pass git init\".\n"
        #expect(outcome == .init(output: "", errors: message, status: 1))
        _ = try fixture.git("init", "-q")
        #expect(try fixture.run("cmd_git log").output == "[__as][ext][git][log]\n")
    }

    private static let debianPass = "/usr/bin/pass"

    /// The same extension under pass itself and under the prelude, compared line by line.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/pass"), "Debian package pass"),
        arguments: [
            [:], ["PASSWORD_STORE_GPG_OPTS": " --armor  --trust-model always"], ["GPG_AGENT_INFO": "x"],
            [
                "PASSWORD_STORE_CLIP_TIME": "7", "PASSWORD_STORE_X_SELECTION": "primary",
                "PASSWORD_STORE_UMASK": "027",
            ],
            [
                "PASSWORD_STORE_GENERATED_LENGTH": "9", "PASSWORD_STORE_CHARACTER_SET": "abc",
                "EDITOR": "ed -s",
            ],
            [
                "PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS": "a-z", "PASSWORD_STORE_CLIP_TIME": "",
                "GIT_WORK_TREE": "/x",
            ],
            ["GIT_DIR": "/x", "GIT_INDEX_FILE": "/y", "GPG_TTY": "/dev/pts/9", "PASSWORD_STORE_KEY": "k"],
        ] as [[String: String]]
    )
    func givesTheVariablesThatPassGives(_ variables: [String: String]) throws {
        for (name, value) in variables { fixture.environment[name] = Array(value.utf8) }
        let text = """
            declare -p PREFIX EXTENSIONS SYSTEM_EXTENSION_DIR PROGRAM COMMAND GPG GPG_OPTS X_SELECTION CLIP_TIME \\
                GENERATED_LENGTH CHARACTER_SET CHARACTER_SET_NO_SYMBOLS GETOPT SHRED BASE64 IFS PWD 2>&1
            declare -p GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_CEILING_DIRECTORIES EDITOR PASSWORD_STORE_KEY 2>&1 |
                sed 's/.*: line [0-9]*: //'
            printf '%s\\n' "$#" "$@" "${BASH_SOURCE[0]}"
            umask
            [[ -z $GPG_TTY || $GPG_TTY == 'not a tty' ]] || echo "$GPG_TTY"
            shopt -o | grep -v emacs
            """
        let ours = try fixture.run(text, ["a", "b c"])
        var pass = Subprocess(
            Path(PreludeStoreTests.debianPass),
            ["ext", "a", "b c"].map { Array($0.utf8) },
            environment: fixture.environment
        )
        pass.name = Array("pass".utf8)
        let theirs = try fixture.run(pass)
        #expect(
            ours.output.replacing(fixture.folder + "/system", with: "/usr/lib/password-store/extensions")
                == theirs.output
        )
        #expect(ours.status == 0 && theirs.status == 0)
    }
}
