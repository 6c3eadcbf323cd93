import TestSupport
import Testing

/// Entries that hold too much.
@Suite struct SizeTests {
    private func prepare() throws -> FaultFixture {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        return fixture
    }

    @Test func aMessageThatGrowsIsStopped() throws {
        // S41: 300 MB of zeroes, and a limit of one.
        let fixture = try prepare()
        try fixture.shell(
            "head -c 300000000 /dev/zero | gpg --batch -q --compress-algo zlib -r $ALICE --trust-model always -e > $S/bomb.gpg"
        ).check()
        for variables in [[:], ["PASSCHAIN_SIZE_LIMIT": "1000000"]] {
            let outcome = try fixture.shell(
                "ulimit -v 2000000; $TOOL show bomb | wc -c; exit ${PIPESTATUS[0]}",
                with: variables
            )
            #expect(outcome.status == 2 && outcome.output == "0\n", "\(outcome)")
        }
        try fixture.run("show", "x", with: ["PASSCHAIN_SIZE_LIMIT": "6"]).check(2)
        try fixture.run("show", "x", with: ["PASSCHAIN_SIZE_LIMIT": "7"]).check()
        let odd = try fixture.run("show", "x", with: ["PASSCHAIN_SIZE_LIMIT": "many"])
        #expect(odd.output == "secret\n" && odd.errors.contains("PASSCHAIN_SIZE_LIMIT"))
    }

    @Test func whatCouldNotBeShownIsNotSaved() throws {
        // S41, from the other side.
        let fixture = try prepare()
        let uri = "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP"
        let before = try (fixture.everything(), fixture.log())
        try fixture.program("editor", "echo longer >> \"$1\"")
        let limit = ["PASSCHAIN_SIZE_LIMIT": "7", "EDITOR": "editor"]
        for (words, input) in [
            (["insert", "-ef", "x"], "8 bytes\n"), (["insert", "-mf", "x"], "12345678"),
            (["insert", "-e", "new/y"], "8 bytes\n"), (["insert", "-m", "new/y"], "12345678"),
            (["insert", "-f", "x"], "8 bytes\n8 bytes\n"), (["generate", "new/y", "7"], ""),
            (["generate", "-f", "x", "7"], ""), (["generate", "-i", "x", "7"], ""), (["edit", "x"], ""),
            (["otp", "insert", "new/y"], uri + "\n"), (["otp", "append", "x"], uri + "\n"),
        ] {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array(input.utf8),
                with: limit
            )
            let name = words.contains("x") ? "x" : "new/y"
            let line =
                "Error: \(name) would hold more than 7 bytes, which is all that PASSCHAIN_SIZE_LIMIT allows. "
                + "It is not saved.\n"
            #expect(outcome.status == 1 && outcome.errors.contains(line), "\(words): \(outcome)")
            #expect(try (fixture.everything(), fixture.log()) == before, "\(words)")
            guard words[0] == "edit" else { continue }
            let path = try #require(outcome.errors.firstMatch(of: #/What you wrote is in (\S+)\.\n/#)?.1)
            #expect(
                try fixture.shell("cat '\(path)'; rm -r \"$(dirname '\(path)')\"").output
                    == "secret\nlonger\n"
            )
        }
        // Input without an end is not waited for.
        let endless = try fixture.shell("yes | timeout 20 $TOOL insert -m new/y", with: limit)
        #expect(endless.status == 1 && !fixture.exists("store/new"), "\(endless)")
        // As much as is allowed can be saved, and shown.
        try fixture.run("insert", "-ef", "x", input: "7bytes\n", with: limit).check()
        #expect(try fixture.run("show", "x", with: limit).output == "7bytes\n")
    }

    @Test(arguments: [
        String(repeating: "n", count: 251), String(repeating: "some folder/", count: 100) + "name",
        String(repeating: "\u{E9}", count: 125),
    ])
    func whatHasTheLongestNameCanBeEdited(_ name: String) throws {
        let fixture = try prepare()
        try fixture.run("insert", "-e", name, input: "old\n").check()
        try fixture.program("editor", "echo \"$1\" > $F/path; echo new > \"$1\"")
        let outcome = try fixture.shell("EDITOR=editor $TOOL edit '\(name)'")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try fixture.run("show", name).output == "new\n")
        // Its end is what tells it from others.
        let path = try String(decoding: fixture.read("path"), as: UTF8.self)
        #expect(path.hasSuffix("\(name.suffix(4)).txt\n") && !path.contains("\u{FFFD}"), "\(path)")
    }

    @Test(arguments: ["mkfifo", "mkdir", "mknod /dev/null", "socket"])
    func whatIsNoFileIsNoEntry(_ kind: String) throws {
        let fixture = try prepare()
        let make =
            switch kind {
            case "socket":
                "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' $S/odd.gpg"
            case "mknod /dev/null": "mknod $S/odd.gpg c 1 3 || mkfifo $S/odd.gpg"
            default: "\(kind) $S/odd.gpg"
            }
        try fixture.shell(make).check()
        let before = try fixture.everything()
        for words in [
            ["show", "odd"], ["insert", "-ef", "odd"], ["generate", "-f", "odd"], ["generate", "-i", "odd"],
            ["edit", "odd"], ["cp", "-f", "odd", "new"], ["mv", "-f", "odd", "new"],
            ["cp", "-f", "x", "odd"],
            ["rm", "-f", "odd"],
        ] {
            let outcome = try fixture.run(
                words: words.map { Array($0.utf8) },
                input: Array("attack\n".utf8),
                with: ["EDITOR": "true"]
            )
            #expect(outcome.status == 1 && !outcome.errors.isEmpty, "\(words): \(outcome)")
            #expect(!outcome.errors.contains("Invalid argument"), "\(words): \(outcome)")
            #expect(try fixture.everything() == before, "\(words)")
        }
        // It hinders nothing else.
        try fixture.run("init", Keys.alice, Keys.bob).check()
        #expect(try fixture.run("grep", "secret").output.hasSuffix("et\u{1B}[m\u{1B}[K\n"))
    }
}
