import Foundation
import TestSupport
import Testing

/// Extensions under the tool itself: what the prelude asks for, and what the tool answers.
@Suite struct ExtensionToolTests {
    private let pass: ToolFixture

    init() throws { pass = try ToolFixture() }

    /// Runs the text as extension `ext`.
    private func run(
        _ text: String,
        with variables: [String: String] = [:]
    ) throws -> ToolFixture.Outcome {
        try pass.write(text, to: "store/.extensions/ext.bash", mode: 0o755)
        let enabled = ["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"].merging(variables) { $1 }
        return try pass.run("ext", "a", "b c", with: enabled)
    }

    @Test func runsExtensionsOnlyWhereTheyAreEnabled() throws {
        let text = "printf '[%s]' \"$0\" \"$COMMAND\" \"$PROGRAM\" \"$@\"; exit 9"
        let outcome = try run(text)
        #expect(outcome.output == "[\(pass.folder)/bin/pass][ext][pass][a][b c]")
        #expect(outcome.status == 9)
        let disabled = try pass.run("ext")
        #expect(
            disabled == .init(output: "", errors: "Error: ext is not in the password store.\n", status: 1)
        )
    }

    @Test func runsNoExtensionInThePlaceOfACommandOfPass() throws {
        try pass.write("echo extension", to: "store/.extensions/version.bash", mode: 0o755)
        let outcome = try pass.run("version", with: ["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"])
        #expect(outcome.output.contains("v1.7.4"))
    }

    @Test func handsSecretsToTheExtensionsOwnFunctions() throws {
        try pass.insert("one\ntwo\n", as: "e")
        let outcome = try run(
            """
            clip() { printf 'clip <%s> <%s>\\n' "$1" "$2"; }
            qrcode() { printf 'qrcode <%s> <%s>\\n' "$1" "$2"; }
            cmd_show -c2 e
            cmd_show e -q
            CHARACTER_SET_NO_SYMBOLS=x
            cmd_generate -n -c new 5 | grep clip
            cmd_generate -i -n -q e 3 | grep qrcode
            """
        )
        #expect(
            outcome.output
                == "clip <two> <e>\nqrcode <one> <e>\nclip <xxxxx> <new>\nqrcode <xxx> <e>\n",
            "\(outcome)"
        )
        #expect(try pass.contents(of: "new") == "xxxxx\n")
        #expect(try pass.contents(of: "e") == "xxx\ntwo\n")
    }

    /// A variable of bash would hold the line without them.
    @Test(arguments: ["a\0b", "\0", "ab\0", "\0ab", "\u{FFFD}\0\u{1b}"]) func refusesALineWithNUL(
        _ line: String
    ) throws {
        for (end, number) in [("\nthree\n", 2), ("\n", 2), ("", 2)] {
            try pass.insert("one\n\(line)\(end)", as: "e")
            for (word, target) in [("-c", "the clipboard"), ("-q", "a QR code")] {
                let outcome = try run(
                    "clip() { echo clip; }; qrcode() { echo code; }; cmd_show \(word)\(number) e"
                )
                #expect(
                    outcome
                        == .init(
                            output: "",
                            errors:
                                "Error: e holds a NUL byte, where \(target) would end. Use standard output.\n",
                            status: 1
                        ),
                    "\(outcome)"
                )
                #expect(try run("clip() { echo \"$1\"; }; cmd_show -c e").output == "one\n")
            }
        }
    }

    @Test func answersWithTheExtensionsNameInUsageLines() throws {
        let outcome = try run("cmd_insert -x; echo no")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("pass: invalid option -- 'x'\nUsage: pass ext ["))
    }

    @Test func showsAQRCode() throws {
        try pass.write("#!/bin/sh\necho \"$@\"\nexec cat\n", to: "bin/qrencode", mode: 0o755)
        let outcome = try run("qrcode secret name")
        #expect(outcome == .init(output: "-t utf8\nsecret", errors: "", status: 0))
    }

    @Test func reencryptsWhatTheExtensionNames() throws {
        try pass.insert("1", as: "sub/x")
        try pass.insert("2", as: "y")
        try pass.write(ToolFixture.otherFingerprint + "\n", to: "store/sub/.gpg-id")
        let outcome = try run("reencrypt_path \"$PREFIX/sub\"; reencrypt_path \"$PREFIX/y.gpg\"")
        #expect(outcome.output.hasPrefix("sub/x: reencrypting to "), "\(outcome)")
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(try pass.contents(of: "sub/x") == "1")
        #expect(try run("reencrypt_path /etc").status == 0)
    }

    @Test func encryptsForTheRecipientsOfAFolder() throws {
        try pass.write("# Bob\n\(ToolFixture.otherFingerprint)", to: "store/sub/.gpg-id")
        let outcome = try run(
            """
            set_gpg_recipients sub
            set_git "$PREFIX/sub/x.gpg"
            echo secret | $GPG -e "${GPG_RECIPIENT_ARGS[@]}" -o "$PREFIX/sub/x.gpg" "${GPG_OPTS[@]}"
            git_add_file "$PREFIX/sub/x.gpg" "Add x." > /dev/null
            """
        )
        #expect(outcome == .init(output: "", errors: "", status: 0))
        #expect(try pass.contents(of: "sub/x") == "secret\n")
        #expect(try pass.lastCommit() == "Add x.\n")
    }

    @Test func wantsASignatureWhereOneIsRequired() throws {
        let file = pass.store + "/.extensions/ext.bash"
        let signed = ["PASSWORD_STORE_SIGNING_KEY": ToolFixture.fingerprint]
        let missing = try run("echo ran", with: signed)
        #expect(missing == .init(output: "", errors: "Signature for \(file) does not exist.\n", status: 1))
        try pass.sign(file)
        #expect(try run("echo ran", with: signed).output == "ran\n")
        let other = ["PASSWORD_STORE_SIGNING_KEY": ToolFixture.otherFingerprint]
        let invalid = "Signature for \(file) is invalid.\n"
        #expect(try run("echo ran", with: other) == .init(output: "", errors: invalid, status: 1))
        #expect(try run("echo changed", with: signed) == .init(output: "", errors: invalid, status: 1))
    }

    @Test(arguments: ["__as", "__clip", "__generate"])
    func keepsItsHiddenWordsOutOfTheWay(_ word: String) throws {
        #expect(try pass.run(word).errors == "Error: \(word) is not in the password store.\n")
    }
}
