import Foundation
import Testing
import Unix

/// `otp`, as a user meets it.
@Suite struct OTPToolTests {
    private let pass: ToolFixture

    init() throws { pass = try ToolFixture() }

    /// The key of RFC 4226; its codes 0, 1, 2 are 755224, 287082, 359152.
    private static let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    /// A time-based URI whose first step lasts until 2106, so that its code is the one with number 0.
    private static let steady = "otpauth://totp/Site:me?secret=\(key)&period=4294967296"
    private static let counted = "otpauth://hotp/Site:me?secret=\(key)&counter=0&issuer=Site"

    @Test(arguments: [["otp"], ["otp", "code"], ["otp", "show"], ["otp", "--"]])
    func showsACode(_ words: [String]) throws {
        try pass.insert("password\n\(Self.steady)\n", as: "a/b")
        let run = { (name: String) in
            switch words.count {
            case 1: try self.pass.run(words[0], name)
            default: try self.pass.run(words[0], words[1], name)
            }
        }
        #expect(try run("a/b") == .init(output: "755224\n", errors: "", status: 0))
        #expect(try run("a/b/") == .init(output: "755224\n", errors: "", status: 0))
    }

    @Test func countsInPlaceAndCommits() throws {
        try pass.insert("password\n  \(Self.counted) \r\nnote, no line end", as: "x")
        #expect(try pass.run("otp", "x").output.hasSuffix("\n287082\n"))
        #expect(try pass.lastCommit() == "Increment HOTP counter for x.\n")
        #expect(try pass.run("otp", "x").output.hasSuffix("\n359152\n"))
        let expected = Self.counted.replacing("counter=0", with: "counter=2")
        #expect(try pass.contents(of: "x") == "password\n  \(expected) \r\nnote, no line end")
        #expect(try pass.git("status", "--porcelain", "--", "x.gpg").isEmpty)
    }

    @Test func givesNoCodeTwice() async throws {
        try pass.insert(Self.counted, as: "x")
        let pass = pass
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 { group.addTask { String(try pass.run("otp", "x").output.suffix(7)) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(codes.count == 6)
        #expect(try pass.contents(of: "x").contains("counter=6&"))
    }

    @Test func showsTheCodeWhenTheCommitFails() throws {
        try pass.insert(Self.counted, as: "x")
        try pass.write("#!/bin/sh\nexit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        let outcome = try pass.run("otp", "x")
        #expect(outcome.output == "287082\n")
        #expect(outcome.status == 3)
        #expect(try pass.contents(of: "x").contains("counter=1&"))
    }

    private static let failures: [(contents: String, message: String)] = [
        ("password\n", "x: OTP secret not found.\n"),
        ("otpauth://totp/x?issuer=y", "Invalid key URI (missing secret).\nx: failed to generate OTP code.\n"),
        (
            "otpauth://hotp/x?secret=\(key)",
            "Invalid key URI (missing counter).\nx: failed to generate OTP code.\n"
        ),
        (
            "otpauth://totp/x?secret=\(key)1",
            "Invalid key URI (unusable secret).\nx: failed to generate OTP code.\n"
        ),
        (
            "otpauth://totp/x?secret=\(key)&digits=5",
            "Invalid key URI (unusable digits).\nx: failed to generate OTP code.\n"
        ),
        ("otpauth://motp/x?secret=\(key)", "Cannot parse OTP key URI.\nx: failed to generate OTP code.\n"),
        (
            "otpauth://hotp/x?secret=\(key)&counter=18446744073709551615",
            "Invalid key URI (the counter is at its end).\nx: failed to generate OTP code.\n"
        ),
    ]

    @Test(arguments: failures)
    func saysWhyThereIsNoCode(_ contents: String, _ message: String) throws {
        try pass.insert(contents, as: "x")
        #expect(try pass.run("otp", "x") == .init(output: "", errors: message, status: 1))
        #expect(try pass.contents(of: "x") == contents)
    }

    @Test func saysWhatDoesNotExist() throws {
        #expect(
            try pass.run("otp", "no/x") == .init(output: "", errors: "no/x: passfile not found.\n", status: 1)
        )
        #expect(
            try pass.run("otp", "uri", "x") == .init(output: "", errors: "Passfile not found\n", status: 1)
        )
        #expect(try pass.run("otp", "append", "x").errors == "Passfile not found\n")
        let sneaky = "Error: You've attempted to pass a sneaky path to pass. Go home.\n"
        #expect(try pass.run("otp", "../x") == .init(output: "", errors: sneaky, status: 1))
        #expect(try pass.run("otp", "insert", "a/../x", input: Self.steady + "\n").errors == sneaky)
    }

    @Test(arguments: ["", "code", "uri", "append", "validate"])
    func tellsHowItIsUsed(_ word: String) throws {
        let outcome = try word.isEmpty ? pass.run("otp", "a", "b") : pass.run("otp", word, "a", "b")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Usage: pass otp\(word.isEmpty ? "" : " " + word) ["), "\(outcome)")
    }

    @Test func showsTheURI() throws {
        try pass.insert("password\n \(Self.steady) \nmore\n", as: "x")
        #expect(try pass.run("otp", "uri", "x") == .init(output: Self.steady + "\n", errors: "", status: 0))
        try pass.insert("password\n", as: "y")
        #expect(
            try pass.run("otp", "uri", "y")
                == .init(output: "", errors: "y: OTP secret not found.\n", status: 1)
        )
    }

    @Test(arguments: [
        Self.steady, Self.counted, "otpauth://totp/My Site:me?secret=\(key.lowercased())&digits=8",
    ])
    func insertsAURI(_ uri: String) throws {
        #expect(try pass.run("otp", "insert", "a/x", input: " \(uri) \n").status == 0)
        #expect(try pass.contents(of: "a/x") == uri + "\n")
        #expect(try pass.lastCommit() == "Add OTP secret for a/x to store.\n")
    }

    @Test func namesAnEntryByItsURI() throws {
        #expect(try pass.run("otp", "insert", input: Self.counted + "\n").status == 0)
        #expect(try pass.contents(of: "Site/me") == Self.counted + "\n")
        #expect(
            try pass.run("otp", "insert", input: "otpauth://totp/only%20me?secret=\(Self.key)").status == 0
        )
        #expect(try pass.contents(of: "only me").hasPrefix("otpauth://"))
        let sneaky = try pass.run("otp", "insert", input: "otpauth://totp/..:me?secret=\(Self.key)")
        #expect(sneaky.status == 1 && sneaky.errors.contains("sneaky"))
    }

    @Test func insertsABareSecret() throws {
        let words = "jbsw y3dp ehpk 3pxp==\n"
        #expect(
            try pass.run("otp", "insert", "-s", "-i", "My Site", "--account=me@x.org", "x", input: words)
                .status == 0
        )
        let uri = "otpauth://totp/My%20Site:me%40x.org?secret=JBSWY3DPEHPK3PXP&issuer=My%20Site\n"
        #expect(try pass.contents(of: "x") == uri)
        let missing = try pass.run("otp", "insert", "-s", "y", input: words)
        #expect(
            missing
                == .init(output: "", errors: "Missing one of either '--issuer' or '--account'\n", status: 1)
        )
    }

    @Test func appendsAndReplaces() throws {
        try pass.insert("password\nnote", as: "x")
        #expect(try pass.run("otp", "append", "x", input: Self.steady + "\n").status == 0)
        #expect(try pass.contents(of: "x") == "password\nnote\n\(Self.steady)\n")
        #expect(try pass.lastCommit() == "Append OTP secret for x.\n")
        #expect(try pass.run("otp", "append", "-f", "x", input: Self.counted + "\n").status == 0)
        #expect(try pass.contents(of: "x") == "password\nnote\n\(Self.counted)\n")
        #expect(try pass.lastCommit() == "Replace OTP secret for x.\n")
    }

    @Test(arguments: [
        ("", "Cannot parse OTP key URI.\n"),
        ("otpauth://totp/?secret=\(key)", "Invalid key URI (missing accountname).\n"),
        ("otpauth://totp/x?secret=\(key)&secret=AA", "Invalid key URI (more than one secret).\n"),
    ])
    func storesNothingThatGivesNoCode(_ uri: String, _ message: String) throws {
        try pass.insert("password\n", as: "x")
        for outcome in [
            try pass.run("otp", "insert", "y", input: uri + "\n"),
            try pass.run("otp", "append", "x", input: uri + "\n"),
            try pass.run("otp", "validate", uri), try pass.run("otp", "validate", input: uri + "\n"),
        ] {
            #expect(outcome == .init(output: "", errors: message, status: 1))
        }
        #expect(try pass.contents(of: "x") == "password\n")
        #expect(try pass.run("show", "y").status == 1)
    }

    @Test func validates() throws {
        #expect(try pass.run("otp", "validate", Self.counted) == .init(output: "", errors: "", status: 0))
        #expect(
            try pass.run("otp", "validate", input: Self.counted) == .init(output: "", errors: "", status: 0)
        )
    }

    @Test func copiesWithPassOTPsWords() throws {
        try pass.insert(Self.steady, as: "x")
        try pass.write("#!/bin/sh\necho \"<$(cat)>\" >> \"$HOME/copied\"\n", to: "bin/wl-copy", mode: 0o755)
        try pass.write("#!/bin/sh\n", to: "bin/wl-paste", mode: 0o755)
        let variables = ["WAYLAND_DISPLAY": pass.folder, "PASSWORD_STORE_CLIP_TIME": "0"]
        let outcome = try pass.run("otp", "-c", "x", with: variables)
        #expect(
            outcome.output == "Copied OTP code for x to clipboard. Will clear in 0 seconds.\n",
            "\(outcome)"
        )
        let copied = try String(contentsOfFile: pass.folder + "/copied", encoding: .utf8)
        #expect(copied.hasPrefix("<755224>\n"))
        let uri = try pass.run("otp", "uri", "-c", "x", with: variables)
        #expect(uri.output == "Copied OTP key URI for x to clipboard. Will clear in 0 seconds.\n")
    }

    @Test func givesTheKeyOnlyWhenItIsAskedFor() throws {
        try pass.insert(Self.steady + "\n", as: "x")
        try pass.write("#!/bin/sh\ncat > \"$HOME/copied\"\n", to: "bin/wl-copy", mode: 0o755)
        try pass.write("#!/bin/sh\n", to: "bin/wl-paste", mode: 0o755)
        let variables = ["WAYLAND_DISPLAY": pass.folder, "PASSWORD_STORE_CLIP_TIME": "0"]
        let refusal =
            "Error: x begins with the key of a one-time password. Use \"passchain otp\" for a code, "
            + "or \"passchain otp uri\" for the key.\n"
        for word in ["-c", "-q"] {
            #expect(
                try pass.run("show", word, "x", as: "passchain", with: variables)
                    == .init(output: "", errors: refusal, status: 1)
            )
        }
        #expect(!FileManager.default.fileExists(atPath: pass.folder + "/copied"))
        #expect(try pass.run("show", "-c1", "x", as: "passchain", with: variables).status == 0)
        try pass.write(
            "clip() { echo mine; }; cmd_show \"$@\"",
            to: "store/.extensions/ext.bash",
            mode: 0o755
        )
        let enabled = variables.merging(["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"]) { $1 }
        for word in ["-c", "-c1"] {
            #expect(try pass.run("ext", word, "x", as: "passchain", with: enabled).output == "mine\n")
        }
    }

    /// A search provider asks `pass -c` for whatever the user chose, and makes the code itself.
    @Test(arguments: [["-c"], ["show", "-c"], ["show", "--clip"], ["show", "-c1"]])
    func copiesAKeyURIInThePlaceOfPass(_ words: [String]) throws {
        try pass.insert(Self.steady + "\nmore\n", as: "x")
        try pass.write("#!/bin/sh\ncat >> \"$HOME/copied\"\n", to: "bin/wl-copy", mode: 0o755)
        try pass.write("#!/bin/sh\n", to: "bin/wl-paste", mode: 0o755)
        let variables = ["WAYLAND_DISPLAY": pass.folder, "PASSWORD_STORE_CLIP_TIME": "0"]
        let outcome = try pass.run(words + ["x"], with: variables)
        #expect(
            outcome
                == .init(output: "Copied x to clipboard. Will clear in 0 seconds.\n", errors: "", status: 0)
        )
        let copied = try String(contentsOfFile: pass.folder + "/copied", encoding: .utf8)
        #expect(copied.hasPrefix(Self.steady))
    }

    @Test func showsAKeyURIAsAQRCodeInThePlaceOfPass() throws {
        try pass.insert(Self.steady + "\nmore\n", as: "x")
        try pass.write("#!/bin/sh\ncat\n", to: "bin/qrencode", mode: 0o755)
        #expect(try pass.run("show", "-q", "x") == .init(output: Self.steady, errors: "", status: 0))
    }

    @Test(arguments: ["-q", "--quiet", "--q", "-cq"])
    func aQuietCodeComesWithoutWhatGitSays(_ option: String) throws {
        try pass.insert(Self.counted, as: "x")
        try pass.write("#!/bin/sh\ncat >> \"$HOME/copied\"\n", to: "bin/wl-copy", mode: 0o755)
        try pass.write("#!/bin/sh\n", to: "bin/wl-paste", mode: 0o755)
        let variables = ["WAYLAND_DISPLAY": pass.folder, "PASSWORD_STORE_CLIP_TIME": "0"]
        let copied = "Copied OTP code for x to clipboard. Will clear in 0 seconds.\n"
        #expect(
            try pass.run("otp", "code", option, "x", with: variables)
                == .init(output: option == "-cq" ? copied : "287082\n", errors: "", status: 0)
        )
        #expect(try pass.run("otp", option, "x", with: variables).status == 0)
        #expect(try pass.lastCommit() == "Increment HOTP counter for x.\n")
        #expect(try pass.contents(of: "x").contains("counter=2&"))
    }

    @Test func aQuietCodeSaysThatItIsNotCommitted() throws {
        try pass.insert(Self.counted, as: "x")
        try pass.write("#!/bin/sh\necho refused; exit 1\n", to: "store/.git/hooks/pre-commit", mode: 0o755)
        let outcome = try pass.run("otp", "-q", "x")
        #expect(outcome.output == "287082\n" && outcome.status == 3)
        #expect(outcome.errors.contains("not committed"), "\(outcome)")
    }

    @Test(arguments: [["-p", "totp"], ["--path=totp/"], ["-ptotp"]])
    func putsAnEntryThatItsURINamesBelowAPath(_ words: [String]) throws {
        let outcome = try pass.run(["otp", "insert"] + words, input: .bytes(Array(Self.counted.utf8)))
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try pass.contents(of: "totp/Site/me") == Self.counted + "\n")
        #expect(try pass.lastCommit() == "Add OTP secret for totp/Site/me to store.\n")
    }

    @Test func aPathIsCheckedAndCountsOnlyWithoutAName() throws {
        #expect(try pass.run("otp", "insert", "-p", "../x", input: Self.counted).errors.contains("sneaky"))
        #expect(try pass.run("otp", "insert", "-p", "", input: Self.counted).status == 0)
        #expect(try pass.contents(of: "Site/me") == Self.counted + "\n")
        #expect(try pass.run("otp", "insert", "-p", "folder", "named", input: Self.counted).status == 0)
        #expect(try pass.contents(of: "named") == Self.counted + "\n")
        #expect(try pass.run("otp", "append", "-p", "folder", "named", input: Self.counted).status == 1)
    }

    @Test func readsAnEntryWithCRLFLineEnds() throws {
        try pass.insert("password\r\n\(Self.steady)\r\n", as: "x")
        #expect(try pass.run("otp", "x").output == "755224\n")
        #expect(try pass.run("otp", "uri", "x").output == Self.steady + "\n")
        #expect(try pass.run("otp", "insert", "y", input: Self.steady + "\r\n").status == 0)
        #expect(try pass.contents(of: "y") == Self.steady + "\n")
    }

    @Test func movesNoCounterForAClipboardThatIsNotThere() throws {
        try pass.insert(Self.counted, as: "x")
        #expect(try pass.run("otp", "-c", "x").status == 1)
        #expect(try pass.contents(of: "x") == Self.counted)
    }

    private static let extensionOfPass = "/usr/lib/password-store/extensions/otp.bash"

    @Test(
        .enabled(
            if: !FileManager.default.fileExists(atPath: extensionOfPass),
            "pass-otp is installed, and so pass has this command"
        )
    )
    func leavesItsNameToAnEntryOfAPassUser() throws {
        try pass.insert("mine\n", as: "otp")
        #expect(try pass.run("otp").output == "mine\n")
        #expect(try pass.run("otp", "validate", Self.steady, as: "passchain").output.isEmpty)
    }

    @Test func leavesItsNameToAnExtensionOfTheUser() throws {
        try pass.write("echo \"mine $COMMAND $*\"", to: "store/.extensions/otp.bash", mode: 0o755)
        let enabled = ["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"]
        #expect(try pass.run("otp", "validate", "x", with: enabled).output == "mine otp validate x\n")
        #expect(try pass.run("otp", "validate", "x").errors == "Cannot parse OTP key URI.\n")
    }
}
