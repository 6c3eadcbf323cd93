import Foundation
import TestSupport
import Testing

/// What is said of entries that cannot be decrypted, and what is done about the others.
@Suite struct DecryptionFailureTests {
    private func prepare(inGit: Bool = false) throws -> FaultFixture {
        let fixture = try FaultFixture(inGit: inGit)
        for name in ["a", "d/b", "d/c"] { try fixture.run("insert", "-m", name, input: "old\n").check() }
        return fixture
    }

    private func home(_ script: String, in fixture: FaultFixture) throws -> [String: String] {
        let home = fixture.folder + "/h"
        try fixture.copyKeyring(to: home)
        try fixture.shell("cd \(home); \(script)").check()
        return ["GNUPGHOME": home]
    }

    @Test func anEntryIsNamed() throws {
        let fixture = try prepare()
        let foreign = try Keys.ring.encrypted("x", to: [Keys.carol])
        try fixture.write(foreign, to: "store/d/b.gpg")
        try fixture.write("hunter2\n", to: "store/d/c.gpg")
        for words in [["show", "d/b"], ["show", "-q1", "d/b"], ["otp", "d/b"]] {
            let outcome = try fixture.run(words: words.map { Array($0.utf8) })
            guard outcome.errors.contains("qrencode") == false else { continue }
            #expect(outcome.errors == "d/b: gpg: decryption failed: No secret key\n", "\(words)")
            #expect(outcome.status == 2 && outcome.output.isEmpty)
        }
        let plain = try fixture.run("show", "d/c")
        #expect(
            plain.errors
                == "d/c: gpg: decryption failed: It is not encrypted (no encrypted OpenPGP message)\n"
        )
        #expect(plain.status == 2 && plain.output.isEmpty)
        let signed = try Keys.ring.gpg(["-u", Keys.alice, "--sign"], input: Array("x".utf8)).output
        for message in [signed, [], Array("-----BEGIN PGP MESSAGE-----\n".utf8)] {
            try fixture.write(message, to: "store/d/c.gpg")
            let outcome = try fixture.run("show", "d/c")
            #expect(
                outcome.errors.hasPrefix("d/c: gpg: decryption failed: ") && outcome.status == 2,
                "\(outcome)"
            )
        }
    }

    @Test("init names every entry in its way, and changes nothing", arguments: [false, true])
    func initNamesEveryEntry(inGit: Bool) throws {
        let fixture = try prepare(inGit: inGit)
        try fixture.write(try Keys.ring.encrypted("x", to: [Keys.carol]), to: "store/a.gpg")
        try fixture.write("hunter2\n", to: "store/d/b.gpg")
        try fixture.write(try Keys.ring.encrypted("x", to: [Keys.carol]), to: "store/z.gpg")
        let before = try fixture.everything()
        let outcome = try fixture.run("init", Keys.alice, Keys.bob)
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(
            lines.sorted() == [
                "Error: The password store is not initialized for \(Keys.alice), \(Keys.bob), and nothing is changed.",
                "a: gpg: decryption failed: No secret key",
                "d/b: gpg: decryption failed: It is not encrypted (no encrypted OpenPGP message)",
                "z: gpg: decryption failed: No secret key",
            ]
        )
        #expect(try fixture.everything() == before)
        #expect(try fixture.leftovers().isEmpty)
        let done = try fixture.run("init", "--keep-going", Keys.alice, Keys.bob)
        #expect(done.status == 2 && done.errors.contains("Error: 3 entries are left for the former GPG ids."))
    }

    @Test(
        "an agent that is missing is named, by every command that needs it",
        arguments: [
            "echo no-autostart >> gpg.conf", "echo agent-program /bin/false >> gpg.conf",
            "printf 'quiet\\nno-autostart\\n' >> gpg.conf",
        ]
    )
    func aMissingAgentIsNamed(_ script: String) throws {
        let fixture = try prepare()
        let variables = try home(script, in: fixture)
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        let before = try fixture.everything()
        for words in [
            ["show", "a"], ["grep", "old"], ["init", Keys.bob], ["init", "--keep-going", Keys.bob],
            ["mv", "d", "bob/d"],
            ["cp", "a", "bob/a"], ["generate", "-i", "a"],
        ] {
            let outcome = try fixture.run(words: words.map { Array($0.utf8) }, with: variables)
            #expect(outcome.status == (words[0] == "generate" ? 1 : 2), "\(words): \(outcome)")
            #expect(
                outcome.errors.contains("gpg-agent") && outcome.errors.contains("gpgconf --launch"),
                "\(words): \(outcome)"
            )
            #expect(!outcome.errors.contains("No secret key"))
        }
        #expect(try fixture.everything() == before)
    }

    @Test(
        "what gpg, its files or its helpers lack is named in their words, and is no damage of entries",
        arguments: [
            ("echo passphrase-file /proc/none >> gpg.conf", "'/proc/none': No such file or directory"),
            (CardStub.script + "; echo scdaemon-program /proc/none >> gpg-agent.conf", "SmartCard"),
            (CardStub.script + "; echo disable-scdaemon >> gpg-agent.conf", "Unusable secret key"),
            ("rm pubring.kbx; mkdir pubring.kbx", "pubring.kbx: Not a regular file"),
            ("head -c 500 pubring.kbx > k; cat k > pubring.kbx", "pubring.kbx is damaged"),
            ("rm pubring.kbx*", "pubring.kbx is damaged, or lacks"),
            (
                "cd private-keys-v1.d; for f in *; do rm -f $f; ln -s $f $f; done",
                "Too many levels of symbolic links"
            ),
        ]
    )
    func theCauseIsNamed(_ script: String, _ words: String) throws {
        let fixture = try prepare()
        let variables = try home(script, in: fixture)
        let before = try fixture.everything()
        for command in [["show", "a"], ["grep", "old"]] {
            let outcome = try fixture.run(words: command.map { Array($0.utf8) }, with: variables)
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(command): \(outcome)")
            #expect(outcome.errors.contains(words), "\(command): \(outcome)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try fixture.run("init", Keys.alice, Keys.bob, with: variables).status != 0)
        #expect(try fixture.everything() == before)
    }

    @Test("a file for the passphrase that is not there is named", arguments: ["none", "store/a.gpg/none"])
    func thePassphraseFileIsNamed(_ name: String) throws {
        let fixture = try prepare()
        let options = "--pinentry-mode loopback --passphrase-file \(fixture.folder)/\(name)"
        for words in [["show", "a"], ["grep", "zzz"]] {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                with: ["PASSWORD_STORE_GPG_OPTS": options]
            )
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains("\(fixture.folder)/\(name)"), "\(outcome)")
        }
    }

    @Test func grepGoesOnWithoutWhatIsSomebodyElses() throws {
        let fixture = try prepare()
        try fixture.write(try Keys.ring.encrypted("x", to: [Keys.carol]), to: "store/d/b.gpg")
        try fixture.write("old", to: "store/a.gpg")
        let outcome = try fixture.run("grep", "old")
        #expect(outcome.status == 0 && outcome.output.contains("c\u{1B}[0m:"))
        #expect(
            outcome.errors.split(separator: "\n").map { String($0.prefix(8)) } == ["a: gpg: ", "d/b: gpg"]
        )
    }

    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"), arguments: ["EACCES", "EIO"])
    func grepThatCannotReadAFileHasNoStatusZero(_ error: String) throws {
        let fixture = try prepare()
        let calls = "openat,openat2"
        let strace = [
            "strace", "-qq", "-o", "/dev/null", "-P", "a.gpg", "-e", "trace=\(calls)", "-e",
            "inject=\(calls):error=\(error)",
        ]
        let outcome = try fixture.run(below: strace + ["-f"], ["grep", "old"])
        #expect(outcome.output.contains("c\u{1B}[0m:"))
        #expect(
            outcome.errors.hasPrefix("a: Error: cannot open a.gpg: ") && outcome.status == 1,
            "\(outcome)"
        )
    }

    /// A key of 4096 bits: some ten decryptions at a time use up gpg-agent's memory.
    @Test(arguments: ["", "quiet\n"])
    func aLargeKeyHidesNoEntryFromGrepAndInit(_ configuration: String) throws {
        let ring = try TestKeyring()
        try ring.write("no-random-seed-file\n" + configuration, to: "gpg.conf")
        let options = ["--passphrase", "", "--pinentry-mode", "loopback"]
        try ring.gpg(options + ["--quick-gen-key", "large@example.org", "rsa4096", "cert,sign", "never"])
        let key = try ring.fingerprints(of: "large@example.org")[0]
        try ring.gpg(options + ["--quick-add-key", key, "rsa4096", "encr", "never"])
        let second = try ring.makeKey("second@example.org")
        let fixture = try FaultFixture()
        let variables = ["GNUPGHOME": ring.home, "PASSCHAIN_JOBS": "32"]
        try fixture.write(key + "\n", to: "store/.gpg-id")
        for number in 0..<60 {
            try fixture.write(try ring.encrypted("needle", to: [key]), to: "store/\(number).gpg")
        }
        let search = try fixture.run("grep", "needle", with: variables)
        #expect(search.errors.isEmpty && search.status == 0, "\(search)")
        #expect(search.output.split(separator: "\n").count == 120)
        let change = try fixture.run("init", key, second, with: variables)
        #expect(change.errors.isEmpty && change.status == 0, "\(change)")
        #expect(change.output.components(separatedBy: ": reencrypting to").count == 61)
    }

    @Test("a file system without a name", .enabled(if: Machine.canMount, "\(Machine.withoutMount)"))
    func aStoreThatIsReadOnlyIsNamed() throws {
        let fixture = try prepare()
        let script = """
            mount --bind $F/store $F/store && mount -o remount,ro,bind $F/store
            for c in 'insert -ef a' 'generate -f a' 'rm -f a' 'mv a z' 'cp a z' "init \(Keys.bob)"; do
                echo new | \(FaultFixture.tool) $c >&3 2>> $F/errors
            done
            """
        let outcome = try fixture.shell(
            "unshare -m bash -c '\(script.replacing("'", with: "'\\''"))' 3>/dev/null"
        )
        let errors = String(decoding: try fixture.read("errors"), as: UTF8.self)
        #expect(errors.contains("Read-only file system"), "\(outcome) \(errors)")
        for line in errors.split(separator: "\n") where line.hasPrefix("Error: cannot") {
            #expect(!line.contains(" :"), "\(line)")
        }
    }
}
