import Foundation
import Testing
import Unix

@testable import PassCommands

@Suite struct PreludeTests {
    private let fixture: PreludeFixture

    init() throws { fixture = try PreludeFixture() }

    @Test func isCorrectBash() throws {
        try fixture.write(Prelude.script, to: "prelude.bash")
        let words = ["-n", fixture.folder + "/prelude.bash"].map { Array($0.utf8) }
        let check = Subprocess("/bin/bash", words, environment: fixture.environment)
        #expect(try fixture.run(check) == .init(output: "", errors: "", status: 0))
    }

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/bin/shellcheck"),
            "Debian package shellcheck"
        )
    )
    func pleasesShellcheck() throws {
        try fixture.write(Prelude.script, to: "prelude.bash")
        let words = ["-s", "bash", fixture.folder + "/prelude.bash"].map { Array($0.utf8) }
        let check = Subprocess("/usr/bin/shellcheck", words, environment: fixture.environment)
        #expect(try fixture.run(check) == .init(output: "", errors: "", status: 0))
    }

    @Test func runsTheExtensionAsPassDoes() throws {
        let outcome = try fixture.run(
            """
            local top=level
            set -e
            false
            printf '%s|' "$#" "$1" "$2" "$0" "${BASH_SOURCE[0]}" "$COMMAND" "$PROGRAM" "$PREFIX" "$top"
            false | true || printf pipefail
            """,
            ["a b", ""]
        )
        let file = fixture.store + "/.extensions/ext.bash"
        #expect(
            outcome.output == "2|a b||\(fixture.host)|\(file)|ext|pass|\(fixture.store)|level|pipefail",
            "\(outcome)"
        )
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        ("true", 0), ("false", 0), ("return 7", 0), ("exit 7", 7), ("exit 0", 0), ("die oops", 1),
        ("(exit 3)", 0),
        ("f() { exit 4; }; f", 4), ("$(exit 5)", 0), ("not-a-program-at-all", 0),
        ("check_sneaky_paths ../x", 1),
        ("cmd_grep x; exit 0", 2), ("cmd_edit x; exit $((10 + $?))", 13), ("cmd_find x; exit 9", 9),
        ("verify_file x; exit 8", 8),
    ])
    func endsWithTheStatusThatPassGives(_ text: String, _ status: Int32) throws {
        #expect(try fixture.run(text).status == status)
    }

    @Test func keepsAmpersandsInReplacements() throws {
        let text = "uri='?secret=A&counter=3'; echo \"${uri/&counter=3/&counter=4}\""
        #expect(try fixture.run(text).output == "?secret=A&counter=4\n")
    }

    @Test func saysOnTheErrorOutputWhyItDies() throws {
        let outcome = try fixture.run("IFS=,; die Error: no \"such  thing\"; echo no")
        #expect(outcome == .init(output: "", errors: "Error: no such  thing\n", status: 1))
    }

    @Test func asksNothingWithoutATerminal() throws {
        #expect(try fixture.run("yesno 'Really?'; echo yes").output == "yes\n")
    }

    private static let calls: [(String, String)] = [
        ("cmd_init -p x A", "[__as][ext][init][-p][x][A]\n"),
        ("cmd_find a b", "[__as][ext][find][a][b]\n"),
        ("cmd_insert -m x", "[__as][ext][insert][-m][x]\n"),
        ("cmd_delete -rf x", "[__as][ext][rm][-rf][x]\n"),
        ("cmd_copy_move move a b", "[__as][ext][mv][a][b]\n"),
        ("cmd_copy_move copy -f a b", "[__as][ext][cp][-f][a][b]\n"),
        ("cmd_usage; cmd_version", "[__as][ext][help]\n[__as][ext][version]\n"),
        ("cmd_git init x", "[__as][ext][git][init][x]\n"),
        ("cmd_generate x 5", "[__as][ext][generate][x][5]\n"),
        ("cmd_generate -c -q x", "[__as][ext][generate][-c][-q][x]\n"),
        ("cmd_generate --bad -c x", "[__as][ext][generate][--bad][-c][x]\n"),
        ("reencrypt_path \"$PREFIX/a b\"", "[__reencrypt][STORE/a b]\n"),
        ("clip 'a  secret' name", "[__clip][name] <a  secret> 45 clipboard\n"),
        ("CLIP_TIME=9 X_SELECTION=primary; clip s", "[__clip][] <s> 9 primary\n"),
        ("qrcode s name", "[__qrcode][name] <s> 45 clipboard\n"),
        ("verify_file x; echo passed", "passed\n"),
        ("PASSWORD_STORE_SIGNING_KEY=A; verify_file x", "[__verify][x]\n"),
        ("cmd_show e", "line 1\nline 2\n\n"),
        ("cmd_show e -c", "[__clip][e] <line 1> 45 clipboard\n"),
        ("cmd_show --clip=2 e", "[__clip][e] <line 2> 45 clipboard\n"),
        ("cmd_show -q02 e", "[__qrcode][e] <line 2> 45 clipboard\n"),
        ("cmd_show -c0 -- e", "[__clip][e] <line 1> 45 clipboard\n"),
        (
            "cmd_generate -fnc e 5",
            "[__as][ext][__generate][-f][-n][--][e][5]\n[__clip][e] <n3w> 45 clipboard\n"
        ),
        ("cmd_generate e -q -i", "[__as][ext][__generate][-i][--][e]\n[__qrcode][e] <n3w> 45 clipboard\n"),
        ("clip() { echo \"mine $1 $2\"; }; cmd_show --clip e", "mine line 1 e\n"),
        (
            "qrcode() { echo \"mine $1 $2\"; }; cmd_generate -q e",
            "[__as][ext][__generate][--][e]\nmine n3w e\n"
        ),
    ]

    @Test(arguments: calls)
    func asksTheHost(_ text: String, _ output: String) throws {
        try fixture.write("", to: "store/e.gpg")
        let outcome = try fixture.run(text)
        #expect(outcome.output == output.replacing("STORE", with: fixture.store), "\(outcome)")
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ("-c9", "There is no password to put on the clipboard at line 9.\n"),
        ("-c3", "There is no password to put on the clipboard at line 3.\n"),
        ("--qrcode=x", "Clip location 'x' is not a number.\n"),
    ])
    func refusesALineThatIsNotThere(_ option: String, _ message: String) throws {
        try fixture.write("", to: "store/e.gpg")
        let outcome = try fixture.run("cmd_show \(option) e; echo no")
        #expect(outcome == .init(output: "", errors: message, status: 1))
    }

    @Test func runsAnotherExtension() throws {
        try fixture.write("echo other $COMMAND $*; return 3", to: "store/.extensions/other.bash", mode: 0o755)
        let text = "cmd_extension other 1 2; echo $?; cmd_extension none; echo $?; cmd_extension_or_show e"
        #expect(try fixture.run(text).output == "other ext 1 2\n0\n1\nline 1\nline 2\n\n")
        let disabled = "PASSWORD_STORE_ENABLE_EXTENSIONS=1; cmd_extension other; echo $?"
        #expect(try fixture.run(disabled).output == "1\n")
    }

    @Test func takesTheTemporaryFolderAway() throws {
        let outcome = try fixture.run(
            "tmpdir; tmpdir; echo \"$SECURE_TMPDIR\"; stat -c %a \"$SECURE_TMPDIR\"; exit 3"
        )
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(outcome.status == 3)
        #expect(lines.count == 2 && lines[1] == "700")
        #expect(lines[0].wholeMatch(of: #/(/dev/shm|/tmp)/pass\.[A-Za-z0-9]{13}/#) != nil)
        #expect(!FileManager.default.fileExists(atPath: lines[0]))
    }

    @Test func trustsNoTemporaryFolderFromTheEnvironment() throws {
        fixture.environment["SECURE_TMPDIR"] = Array(fixture.store.utf8)
        #expect(try fixture.run("tmpdir; [[ $SECURE_TMPDIR != \"$PREFIX\" ]] && echo own").output == "own\n")
        #expect(FileManager.default.fileExists(atPath: fixture.store))
    }
}
