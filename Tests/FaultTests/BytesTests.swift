import Foundation
import Glibc
import TestSupport
import Testing
import Unix

/// Names and values of bytes that are no text, or that the system would cut.
@Suite struct BytesTests {
    private static let key = "secret=AAAAAAAA"

    /// Labels whose bytes make a name that C would cut: somewhere else, or to another entry.
    @Test(arguments: [
        "totp/..%00%2Ffile%00?\(key)", "totp/a%00?\(key)", "totp/%00?\(key)", "totp/x%2Fy%00z?\(key)",
        "totp/me?\(key)&issuer=..%00", "hotp/..%2F%00:x?\(key)&counter=1", "totp/..%00:..%00?\(key)",
    ])
    func aKeyURIWithNULNamesNoEntry(_ uri: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-e", "a", input: "old\n").check()
        try fixture.write("outside", to: "file.gpg")
        try fixture.write("outside", to: "file")
        let before = try fixture.everything()
        for words in [["otp", "insert"], ["otp", "insert", "-f"], ["otp", "add"]] {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array("otpauth://\(uri)\ny\n".utf8)
            )
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains("holds a NUL byte")
                    && outcome.errors.split(separator: "\n").count == 1
            )
        }
        #expect(try fixture.everything() == before)
        #expect(try fixture.read("file.gpg") == Array("outside".utf8))
        #expect(try fixture.read("file") == Array("outside".utf8))
        // Under a name of the user's own it is a line like any other.
        try fixture.run("otp", "insert", "own", input: "otpauth://\(uri)\n").check()
        #expect(try fixture.decrypted("own") == "otpauth://\(uri)\n")
    }

    @Test func aLineWithNULIsNotCutOnItsWayToAnotherProgram() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "one\0two\nthree\n").check()
        for name in ["xsel", "qrencode"] { try fixture.program(name, "cat >> $F/got") }
        let variables = ["DISPLAY": ":99", "F": fixture.folder]
        for words in [["show", "-c", "x"], ["show", "-q", "x"], ["show", "-c1", "x"]] {
            let outcome = try fixture.run(words: words.map { Array($0.utf8) }, with: variables)
            #expect(
                outcome.status == 1 && outcome.errors.contains("x holds a NUL byte"),
                "\(words): \(outcome)"
            )
        }
        #expect(!fixture.exists("got"))
        #expect(try fixture.run("show", "x").check().output == "one\0two\nthree\n")
        #expect(try fixture.run("show", "-q2", "x", with: variables).status == 0)
        #expect(try fixture.read("got") == Array("three".utf8))
    }

    /// The folder that a relative path starts from is bytes.
    @Test(arguments: ["\\303(", "\\377\\376", "a\\200b"]) func theCurrentFolderNeedNotBeText(_ name: String)
        throws
    {
        let fixture = try FaultFixture()
        let outcome = try fixture.shell(
            """
            d=$(printf '%b' "$F/\(name.replacingOccurrences(of: "\\", with: "\\0"))"); mkdir "$d" && cd "$d" || exit 9
            export PASSWORD_STORE_DIR=s
            "$TOOL" init "$ALICE" >/dev/null && echo secret | "$TOOL" insert -e x && "$TOOL" show x && ls "$d/s"
            ls "$F" | wc -l
            """
        )
        #expect(outcome.status == 0 && outcome.output.hasPrefix("secret\nx.gpg\n"), "\(outcome)")
        // No folder with another name was made beside it: bin, gitconfig, store, this one.
        #expect(outcome.output.hasSuffix("\n4\n"), "\(outcome)")
    }

    @Test func aCurrentFolderThatHasGoneIsNotTheRoot() throws {
        let fixture = try FaultFixture()
        let outcome = try fixture.shell(
            """
            mkdir $F/gone && cd $F/gone && rmdir $F/gone
            PASSWORD_STORE_DIR=tmp/pc-none $TOOL ls; PASSWORD_STORE_DIR=tmp/pc-none $TOOL init $ALICE; $TOOL ls
            """
        )
        #expect(outcome.output == "Password Store\n", "\(outcome)")
        #expect(
            outcome.errors.split(separator: "\n").filter { $0.hasPrefix("Error: cannot ") }.count == 2,
            "\(outcome)"
        )
        #expect(access("/tmp/pc-none", F_OK) != 0)
    }

    /// Only what is known to be absent is absent.
    @Test(arguments: ["echo x >", "mkfifo", "ln -s nowhere", "ln -s $F/store/.gpg-id"])
    func aStoreThatIsNoFolderIsSaidSo(_ command: String) throws {
        let fixture = try FaultFixture()
        try fixture.shell("\(command) $F/thing").check()
        for path in ["thing", "gitconfig/store"] {
            for words in [
                ["ls"], ["show", "x"], ["insert", "-e", "x"], ["init", Keys.alice], ["find", "x"],
                ["git", "init"],
            ] {
                let outcome = try fixture.run(
                    words: words.map { Array($0.utf8) },
                    input: Array("x\n".utf8),
                    with: ["PASSWORD_STORE_DIR": "\(fixture.folder)/\(path)"]
                )
                let errors = outcome.errors
                #expect(
                    outcome.status == 1 && errors.contains("\(fixture.folder)/\(path)"),
                    "\(words): \(outcome)"
                )
                #expect(
                    !errors.contains("init your-gpg-id") && !errors.contains("is empty"),
                    "\(words): \(outcome)"
                )
                #expect(errors.split(separator: "\n").count == 1, "\(words): \(outcome)")
            }
        }
    }
}
