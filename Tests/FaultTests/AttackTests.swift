import Foundation
import Glibc
import TestSupport
import Testing

/// Names, links and files that somebody made to do harm.
@Suite struct AttackTests {
    private func prepare(inGit: Bool = false) throws -> FaultFixture {
        let fixture = try FaultFixture(inGit: inGit)
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        try fixture.run("insert", "-m", "d/y", input: "why\n").check()
        return fixture
    }

    /// Every command that takes a name, with the name in each place.
    private static func commands(_ name: String) -> [[String]] {
        [
            ["show", name], ["show", "-c", name], ["insert", "-ef", name], ["insert", "-mf", name],
            ["edit", name],
            ["generate", "-f", name], ["generate", "-i", name], ["rm", "-rf", name],
            ["mv", "-f", name, "new"],
            ["mv", "-f", "x", name], ["cp", "-f", name, "new"], ["cp", "-f", "x", name],
            ["init", "-p", name, Keys.alice],
            ["init", "-p", name, ""], ["ls", name],
        ]
    }

    private func check(
        _ fixture: FaultFixture,
        _ commands: [[String]],
        leave path: String? = nil,
        _ comment: String = ""
    ) throws {
        let before = try fixture.everything()
        let outside = try path.map { try fixture.read($0) }
        for words in commands {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array("attack\n".utf8),
                with: ["EDITOR": "\(fixture.folder)/bin/editor"]
            )
            #expect(outcome.status == 1, "\(words): \(outcome)")
            #expect(!outcome.errors.isEmpty, "\(words)")
            #expect(try fixture.everything() == before, "\(words)")
            if let path { #expect(try fixture.read(path) == outside, "\(words)") }
        }
    }

    @Test(arguments: ["../x", "a/../../x", "/../x", "a/./../../x", "..", "d/..", "../store/x"])
    func namesThatLeaveTheStoreAreRefused(_ name: String) throws {
        // S19.
        let fixture = try prepare()
        try fixture.program("editor", "echo attack > \"$1\"")
        try fixture.write("outside", to: "x.gpg")
        try check(fixture, Self.commands(name), leave: "x.gpg")
    }

    @Test(arguments: [
        ".git/hooks/x", ".git", ".gpg-id", ".gpg-id.sig", ".gitattributes", ".extensions/x", ".GIT/config",
        ".git/",
        "d/.git/x", ".Gpg-Id", ".public-keys/x", ".passchain-pending",
    ])
    func filesOfTheStoreItselfAreNoEntries(_ name: String) throws {
        // S20.
        let fixture = try prepare(inGit: true)
        try fixture.program("editor", "echo attack > \"$1\"")
        try check(fixture, Self.commands(name), leave: "store/.git/config")
    }

    @Test(arguments: [("l", "l"), ("l", "deep/l"), ("d2/x", "d2")])
    func linksThatLeadOutAreRefused(_ name: String, _ link: String) throws {
        // S21: an entry that is a link out, and a folder that is one.
        let fixture = try prepare()
        try fixture.program("editor", "echo attack > \"$1\"")
        try fixture.write(Keys.ring.encrypted("outside", to: [Keys.alice]), to: "outside/x.gpg")
        try fixture.shell(
            "ln -s ../outside/x.gpg $S/l.gpg; mkdir $S/deep; ln -s $F/outside/x.gpg $S/deep/l.gpg; ln -s $F/outside $S/d2"
        ).check()
        let name = link == "deep/l" ? "deep/l" : name
        // Removing the link itself is allowed, and so is what does not touch it.
        let commands = Self.commands(name).filter { $0[0] != "rm" && $0[0] != "ls" && $0.last != "" }
            .filter { !($0[0] == "init") }
        try check(
            fixture,
            commands.filter { !($0[0] == "mv" && $0[2] == "x") && !($0[0] == "cp" && $0[2] == "x") },
            leave: "outside/x.gpg"
        )
        for words in [["mv", "-f", "x", name], ["cp", "-f", "x", name]] where name == "d2/x" {
            try check(fixture, [words], leave: "outside/x.gpg")
        }
        // A change of recipients does not follow it either.
        try fixture.run("init", Keys.alice, Keys.bob).check()
        let packets = try Keys.ring.gpg(["--list-packets", fixture.folder + "/outside/x.gpg"]).text
        #expect(!packets.contains(try Keys.encryptionKey(Keys.bob)))
        try fixture.run("rm", "-rf", "d2").check()
        #expect(fixture.exists("outside/x.gpg"))
    }

    @Test(arguments: [
        "ln -s $F/list $S/.gpg-id", "mkfifo $S/.gpg-id", "ln -s /dev/zero $S/.gpg-id", "mkdir $S/.gpg-id",
    ])
    func aListThatIsNoFileIsRefusedAtOnce(_ script: String) throws {
        // S24.
        let fixture = try prepare()
        try fixture.write(Keys.bob + "\n", to: "list")
        try fixture.shell("rm $S/.gpg-id; \(script)").check()
        let outcome = try fixture.run("insert", "-ef", "x", input: "new\n")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(try fixture.decrypted("x") == "secret\n")
    }

    @Test(arguments: ["", "/", ".", "   ", "//", "./"]) func theWholeStoreIsNotRemoved(_ name: String) throws
    {
        // U34.
        let fixture = try prepare(inGit: true)
        let before = try fixture.everything()
        for words in [["rm", "-rf", name], ["rm", "-f", name], ["mv", name, "new"], ["cp", name, "new"]] {
            #expect(try fixture.run(words: words.map { Array($0.utf8) }).status == 1, "\(words)")
        }
        #expect(try fixture.everything() == before)
    }

    static let strangeNames: [[UInt8]] = [
        Array("a\u{1B}[31mred".utf8), Array("a\nb".utf8), Array("a\rb".utf8), Array("a\u{202E}gpj".utf8),
        Array("a\u{200B}b".utf8), [0x61, 0xFF, 0xFE], [0x61, 0x7F], Array("a\u{1B}]0;title\u{7}".utf8),
        [0x61, 0x9B],
    ]

    @Test(arguments: strangeNames) func strangeNamesAreKeptAsTheyAreAndShownHarmless(_ name: [UInt8]) throws {
        // S25, S26, S47.
        let fixture = try prepare(inGit: true)
        try fixture.run(
            words: [Array("insert".utf8), Array("-e".utf8), name],
            input: Array("strange\n".utf8)
        ).check()
        #expect(try fixture.run(words: [Array("show".utf8), name]).check().output == "strange\n")
        try fixture.write(name, to: "name")
        for command in [
            "ls", "find a", "grep strange", "show \"$(cat $F/name)/nothing\"", "rm -f \"$(cat $F/name)\"",
        ] {
            let shown = try fixture.shell("script -qec '$TOOL \(command)' /dev/null < /dev/null")
            let bytes = Array(shown.output.utf8)
            #expect(!Self.hasHarm(in: bytes), "\(command): \(shown.output.debugDescription)")
        }
        #expect(try fixture.log().allSatisfy { !$0.utf8.contains { $0 < 0x20 } })
    }

    /// Whether there is a control character that the tool does not write by itself: it writes colours and line ends.
    private static func hasHarm(in bytes: [UInt8]) -> Bool {
        var text = String(decoding: bytes, as: UTF8.self)
        for ours in ["\r\n", "\n", "\u{1B}[m\u{1B}[K", "\u{1B}[K"] {
            text = text.replacingOccurrences(of: ours, with: "")
        }
        // On a slow machine, how far a search has got.
        text = text.replacing(#/([0-9]+ of [0-9]+ entries\r +\r)+/#, with: "")
        text = text.replacing(#/\x1B\[[0-9;]*m/#) { match in
            // `31` alone is the red of the attack, and of grep's matches, which writes it as `01;31`.
            match.output == "\u{1B}[31m" ? "\u{1}" : ""
        }
        return text.unicodeScalars.contains { scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x202E, 0x200B].contains(scalar.value)
        }
    }

    @Test func anEscapeInASecretIsWarnedOfOnATerminalAndWholeOnAPipe() throws {
        // S27.
        let fixture = try prepare()
        let secret = "pw\u{1B}]52;c;YXR0YWNr\u{7}\n"
        try fixture.run("insert", "-m", "evil", input: secret).check()
        #expect(try fixture.run("show", "evil").check().output == secret)
        let shown = try fixture.shell("script -qec '$TOOL show evil' /dev/null < /dev/null").output
        #expect(!shown.contains("\u{1B}]52"), "\(shown.debugDescription)")
        #expect(shown.contains("control characters"))
        #expect(try fixture.shell("script -qec '$TOOL show x' /dev/null < /dev/null").output == "secret\r\n")
        let key = "otpauth://totp/a\u{1B}]52;c;YXR0YWNr\u{7}?secret=GEZDGNBVGY3TQOJQ"
        try fixture.run("insert", "-m", "key", input: key + "\n").check()
        #expect(try fixture.run("otp", "uri", "key").check().output == key + "\n")
        let uri = try fixture.shell("script -qec '$TOOL otp uri key' /dev/null < /dev/null").output
        #expect(uri.contains(#"a\x1b]52"#) && !uri.contains("\u{1B}"), "\(uri.debugDescription)")
    }

    @Test func grepOnATerminalKeepsItsColoursAndNothingElse() throws {
        // S27.
        let fixture = try prepare()
        let secret = "pw\u{1B}]52;c;YXR0YWNr\u{7}\u{1B}[2J\u{202E}\n"
        try fixture.run("insert", "-m", "evil", input: secret).check()
        let match = "\u{1B}[01;31m\u{1B}[Kpw\u{1B}[m\u{1B}[K"
        let piped = try fixture.run("grep", "pw").check()
        #expect(piped.output.hasSuffix(":\n" + match + secret.dropFirst(2)), "\(piped)")
        #expect(piped.errors.isEmpty)
        let shown = try fixture.shell("script -qec '$TOOL grep pw' /dev/null < /dev/null").output
        let escaped = #"\x1b]52;c;YXR0YWNr\x07\x1b[2J\u{202e}"#
        #expect(shown.hasSuffix("\r\n" + match + escaped + "\r\n"), "\(shown.debugDescription)")
        #expect(shown.contains("Warning: evil holds control characters"))
        let harmless = try fixture.shell("script -qec '$TOOL grep secret' /dev/null < /dev/null").output
        #expect(harmless.contains(match.replacing("pw", with: "secret")), "\(harmless.debugDescription)")
        #expect(!harmless.contains("Warning"))
    }

    @Test func filesAreForTheirOwnerAloneWhateverTheUmask() throws {
        // S31.
        let fixture = try FaultFixture()
        try fixture.shell(
            "umask 000; echo s | $TOOL insert -e a/b/c; $TOOL generate a/g > /dev/null; $TOOL cp a copy > /dev/null"
        ).check()
        let modes = try fixture.shell("find $S -path '*/.git' -prune -o -printf '%y%m\\n' | sort -u").output
        #expect(modes == "d700\nf600\n" || modes == "d700\nd755\nf600\n", "\(modes)")
        let other = try fixture.shell(
            "echo s | $TOOL insert -e shared; stat -c %a $S/shared.gpg",
            with: ["PASSWORD_STORE_UMASK": "027"]
        )
        #expect(other.output.hasSuffix("640\n"))
    }

    @Test(.enabled(if: Machine.canMount, "\(Machine.withoutMount)"))
    func withoutMemoryForTheTextItAsksBeforeItUsesADisk() throws {
        // S32.
        let fixture = try prepare()
        let outcome = try fixture.shell(
            """
            unshare -m bash -c 'mount -t tmpfs -o ro none /dev/shm && script -qec "EDITOR=true $TOOL edit x" /dev/null <<< n'
            """
        )
        #expect(outcome.output.contains("Are you sure you would like to continue?"), "\(outcome)")
        #expect(try fixture.decrypted("x") == "secret\n")
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)")) func noCoreIsWritten() throws {
        // S34.
        let fixture = try prepare()
        let outcome = try fixture.shell(
            "cd $F; ulimit -c unlimited; strace -qq -o trace -e trace=prctl,prlimit64,setrlimit $TOOL show x; cat trace; ls"
        )
        #expect(outcome.output.contains("prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE) = 0"))
        #expect(outcome.output.contains("RLIMIT_CORE, {rlim_cur=0, rlim_max=0}"))
    }

    @Test func noErrorHoldsASecret() throws {
        // S35.
        let fixture = try prepare()
        let marker = "marker-of-the-secret"
        try fixture.write(Keys.alice + "\nnobody@example.org\n", to: "store/n/.gpg-id")
        let attempts: [([String], [String: String])] = [
            (["insert", "-m", "n/x"], [:]), (["insert", "-m", "x/../../y"], [:]),
            (["insert", "-mf", "x"], ["PATH": "/nowhere"]),
            (["insert", "-mf", "x"], ["GNUPGHOME": "/nowhere"]),
            (["insert", "-mf", "x"], ["PASSWORD_STORE_DIR": "/proc"]),
            (["insert", "-m", String(repeating: "n", count: 300)], [:]),
            (["insert", "-mf", "x"], ["PASSWORD_STORE_SIGNING_KEY": Keys.alice]),
        ]
        for (words, variables) in attempts {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array(marker.utf8),
                with: variables
            )
            #expect(outcome.status != 0, "\(words) \(variables)")
            #expect(!outcome.errors.contains(marker) && !outcome.output.contains(marker), "\(words)")
        }
    }

    @Test(arguments: [["show", "-c", "x"], ["generate", "-c", "new"]], ["exit 1", "kill -9 $$"])
    func aClipboardThatFailsShowsNoSecret(_ words: [String], _ script: String) throws {
        // S36, U54, F23.
        let fixture = try prepare()
        try fixture.program("xclip", script)
        let outcome = try fixture.run(
            words: words.map { Array($0.utf8) },
            with: ["DISPLAY": ":99", "WAYLAND_DISPLAY": ""]
        )
        #expect(outcome.status == 1, "\(outcome)")
        #expect(!outcome.output.contains("secret"))
        #expect(outcome.errors.hasSuffix("\nnew is saved all the same.\n") == (words[0] == "generate"))
        if let password = try fixture.decrypted("new")?.dropLast() {
            #expect(!outcome.output.contains(password) && !outcome.errors.contains(password))
        }
    }

    @Test func onlyWholeEncryptedMessagesAreShown() throws {
        // S37, S39, S40.
        let fixture = try prepare()
        let good = try fixture.read("store/x.gpg")
        var flipped = good
        flipped[flipped.count - 10] ^= 1
        let bad: [(String, [UInt8])] = try [
            ("nothing", []), ("cut", Array(good.dropLast(3))), ("flipped", flipped),
            ("trailing", good + [0x41]), ("two", good + good),
            ("signed", Keys.ring.gpg(["-u", Keys.alice, "--sign"], input: Array("signed".utf8)).output),
            ("literal", Keys.ring.gpg(["--store"], input: Array("stored".utf8)).output),
            (
                "symmetric",
                Keys.ring.gpg(
                    ["--pinentry-mode", "loopback", "--passphrase", "p", "-c"],
                    input: Array("c".utf8)
                ).output
            ),
            ("text", Array("secret\n".utf8)), ("someone else's", Keys.ring.encrypted("x", to: [Keys.carol])),
        ]
        for (name, message) in bad {
            try fixture.write(message, to: "store/bad.gpg")
            let outcome = try fixture.run("show", "bad")
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(name): \(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome)")
            #expect(try fixture.run("generate", "-i", "bad").status == 1, "\(name)")
            #expect(try fixture.run("init", Keys.alice, Keys.bob).status != 0, "\(name)")
            #expect(try fixture.read("store/bad.gpg") == message, "\(name)")
        }
    }

    @Test func aRecipientThatNamesAFileIsRefused() throws {
        // S15.
        let fixture = try prepare()
        let elsewhere = try TestKeyring()
        let key = try elsewhere.makeKey("Mallory <m@example.org>")
        try fixture.write(elsewhere.gpg(["--export", key]).output, to: "store/key.asc")
        try fixture.write("\(Keys.alice)\n--file\n\(fixture.store)/key.asc\n", to: "store/.gpg-id")
        let outcome = try fixture.run("insert", "-ef", "x", input: "new\n")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("line 2"))
        #expect(try fixture.decrypted("x") == "secret\n")
    }

    @Test func aKeyThatNobodyCertifiedIsRefused() throws {
        // S17.
        let fixture = try prepare()
        let elsewhere = try TestKeyring()
        let key = try elsewhere.makeKey("Unknown <u@example.org>")
        try Keys.ring.gpg(["--import"], input: elsewhere.gpg(["--export", key]).output)
        try fixture.write("\(Keys.alice)\n\(key)\n", to: "store/.gpg-id")
        let outcome = try fixture.run("insert", "-ef", "x", input: "new\n")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("certified"), "\(outcome)")
        #expect(try fixture.decrypted("x") == "secret\n")
    }

    @Test func hostileConfigurationRunsNothingWhileReading() throws {
        // S44.
        let fixture = try prepare(inGit: true)
        try fixture.shell(
            """
            cd $S; for key in core.fsmonitor core.sshCommand diff.external core.pager core.editor; do
                git config $key "touch $F/ran; false"; done
            git config diff.gpg.textconv "touch $F/ran; cat"
            """
        ).check()
        for words in [["show", "x"], ["ls"], ["find", "x"], ["grep", "sec"]] {
            try fixture.run(words: words.map { Array($0.utf8) }).check()
        }
        #expect(!fixture.exists("ran"))
    }

    @Test func deepAndLoopingFoldersAreBounded() throws {
        // S29.
        let fixture = try prepare()
        try fixture.shell(
            """
            cd $S; ln -s . loop; ln -s ../d d/up; ln -s loop/loop/loop many
            mkdir -p "$(printf 'n/%.0s' {1..1500})"; cd "$(printf 'n/%.0s' {1..1500})"
            mkdir -p "$(printf 'n/%.0s' {1..1500})"
            """
        ).check()
        for words in [["ls"], ["find", "zzz"], ["grep", "secret"]] {
            let outcome = try fixture.run(words: words.map { Array($0.utf8) })
            #expect(outcome.status == 0 || outcome.errors.hasPrefix("Error: "), "\(words): \(outcome.errors)")
        }
        let outcome = try fixture.run("init", Keys.alice, Keys.bob)
        #expect(outcome.status == 0 || outcome.errors.hasPrefix("Error: "), "\(outcome)")
        try fixture.shell("rm -rf $S/n").check()
    }

    @Test func namesAreNoOptions() throws {
        // U27.
        let fixture = try prepare(inGit: true)
        for name in ["--help", "-x", "-rf", "--", "-"] {
            #expect(try fixture.run("insert", "-e", "--", name, input: "option\n").status == 0, "\(name)")
            #expect(try fixture.decrypted(name) == "option\n")
            try fixture.run("rm", "-f", "--", name).check()
        }
        #expect(try fixture.run("insert", "--other", input: "x\n").status == 1)
        #expect(try fixture.run("insert", "--help", input: "x\n").output.hasPrefix("Usage: "))
        #expect(try fixture.paths() == [".gitattributes", ".gpg-id", "d", "d/y.gpg", "x.gpg"])
    }
}
