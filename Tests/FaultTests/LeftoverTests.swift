import Foundation
import Glibc
import TestSupport
import Testing

/// What processes that were killed have left, and what only looks like it.
@Suite struct LeftoverTests {
    private static let names = [".passchain-tmp.1-abc.0", ".passchain-tmp.x"]

    /// A store with files of reserved names that nothing is known of.
    private func prepare() throws -> FaultFixture {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "a/sub/x", input: "x\n").check()
        for folder in ["a", "a/sub"] {
            for name in Self.names { try fixture.write("mine", to: "store/\(folder)/\(name)") }
        }
        return fixture
    }

    /// Where those files are below `folder`.
    private func places(below folder: String) -> Set<String> {
        Set(["", "sub/"].flatMap { sub in Self.names.map { "\(folder)/\(sub)\($0)" } })
    }

    @Test(arguments: [
        (["cp", "a", "b"], "a"), (["mv", "a", "b"], "b"), (["init", "-p", "a", "BOB"], "a"),
        (["init", "BOB"], "a"),
        (["insert", "-e", "a/y"], "a"), (["rm", "a/sub/x"], "a"), (["generate", "a/sub/x"], "a"),
    ])
    func aNameAloneSaysNothing(_ words: [String], _ folder: String) throws {
        let fixture = try prepare()
        try fixture.run(
            words: words.map { Array(($0 == "BOB" ? Keys.bob : $0).utf8) },
            input: Array("y\n".utf8)
        ).check()
        #expect(try Set(fixture.leftovers()) == places(below: folder))
        for place in places(below: folder) {
            #expect(try fixture.read("store/\(place)") == Array("mine".utf8))
        }
        #expect(try !fixture.git("log", "--all", "--name-only").contains("passchain-tmp"))
        let status = try fixture.git("status", "--porcelain", "-uall").split(separator: "\n").map(String.init)
        #expect(Set(status) == Set(places(below: folder).map { "?? \($0)" }))
        #expect(try !fixture.run("ls").check().output.contains("passchain"))
    }

    @Test func theyMoveAlongInOneCommit() throws {
        let fixture = try prepare()
        try fixture.run("mv", "a", "b").check()
        #expect(
            try fixture.git("ls-files").split(separator: "\n").filter { $0.hasSuffix("x.gpg") } == [
                "b/sub/x.gpg"
            ]
        )
        #expect(try fixture.decrypted("b/sub/x") == "x\n")
    }

    @Test func theyGoWithTheFolderThatIsRemoved() throws {
        let fixture = try prepare()
        try fixture.run("rm", "-rf", "a").check()
        #expect(try fixture.leftovers().isEmpty)
        #expect(try fixture.status().isEmpty)
    }

    @Test func anEntryOfAReservedNameIsAnEntry() throws {
        // pass makes it; nobody who left may read it for that.
        let fixture = try FaultFixture()
        let name = "a/.passchain-tmp.1-x.0"
        try fixture.run("insert", "-m", "a/x", input: "x\n").check()
        try fixture.write(Keys.ring.encrypted("odd", to: [Keys.alice]), to: "store/\(name).gpg")
        try fixture.git("add", "--all")
        try fixture.git("commit", "-m", "odd")
        try fixture.run("init", Keys.bob).check()
        let packets = try Keys.ring.gpg(["--list-packets", "\(fixture.store)/\(name).gpg"]).text
        #expect(
            try packets.contains(Keys.encryptionKey(Keys.bob))
                && !packets.contains(Keys.encryptionKey(Keys.alice))
        )
        try fixture.run("mv", "a", "b").check()
        #expect(try fixture.decrypted("b/.passchain-tmp.1-x.0") == "odd")
        #expect(try fixture.status().isEmpty)
    }

    /// Folders of others, where an older version, or an attacker who can push, has put a mark.
    @Test(arguments: ["tmp/pass.abcdefghijkLM", "tmp/clone-of-a-store-1234567", "shm"])
    func aFolderIsNotOursForWhatItHolds(_ place: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "x\n").check()
        let folder =
            place == "shm"
            ? "/dev/shm/passchain.\(UUID().uuidString.prefix(13))" : "\(fixture.folder)/\(place)"
        try fixture.shell(
            "mkdir -p -m 700 \(folder); touch \(folder)/.passchain-scratch; echo mine > \(folder)/file"
        ).check()
        defer {
            for path in [folder, folder + "-kept"] { try? FileManager.default.removeItem(atPath: path) }
        }
        #expect(link("\(folder)/file", "\(folder)-kept") == 0)
        for options in ["", "--armor"] {
            let variables = ["TMPDIR": fixture.folder + "/tmp", "PASSWORD_STORE_GPG_OPTS": options]
            try fixture.run("show", "x", with: variables).check()
            try fixture.run("insert", "-e", "x", "-f", input: "x\n", with: variables).check()
        }
        #expect(access("\(folder)/.passchain-scratch", F_OK) == 0)
        #expect(try String(contentsOfFile: folder + "-kept", encoding: .utf8) == "mine\n")
    }

    /// Runs `edit` with an editor that kills the tool after `before`, and goes on in `after`.
    ///
    /// - Returns: the text's path.
    private func killWhileEditing(
        _ fixture: FaultFixture,
        with variables: [String: String] = [:],
        before: String = ":",
        after: String = ""
    ) throws -> String {
        // The tool writes it down once it runs.
        let wait =
            "until cat $F/.local/state/passchain/* $F/run/passchain/* | grep -qaz \"^$$ \"; do sleep 0.01; done 2> /dev/null"
        try fixture.program(
            "editor",
            "\(wait); echo $$ > $F/editor; echo \"$1\" > $F/path; \(before); kill -9 $PPID; \(after)"
        )
        try fixture.shell("$TOOL edit x < /dev/null", with: variables.merging(["EDITOR": "editor"]) { $1 })
            .check(137)
        return String(decoding: try fixture.read("path").dropLast(), as: UTF8.self)
    }

    /// Waits until a process that wrote its number there has ended, if only as a zombie: nobody may be there to reap it.
    private func waitForEnd(_ name: String, _ fixture: FaultFixture) throws {
        try fixture.shell("while [ -e /proc/$(cat $F/\(name))/exe ]; do sleep 0.01; done").check()
    }

    @Test(arguments: ["state", "runtime"]) func aTextOfAnEditThatWasKilledGoesWithTheNextChange(
        _ kind: String
    ) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        try fixture.shell("mkdir -m 700 $F/run").check()
        let variables = kind == "state" ? [:] : ["XDG_RUNTIME_DIR": fixture.folder + "/run"]
        let records = fixture.folder + (kind == "state" ? "/.local/state/passchain" : "/run/passchain")
        let path = try killWhileEditing(fixture, with: variables)
        try waitForEnd("editor", fixture)
        #expect(path.hasPrefix("/dev/shm/passchain.") && access(path, F_OK) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: records).count == 1)
        // Reading leaves it.
        for options in ["", "--armor"] {
            for words in [
                ["show", "x"], ["ls"], ["find", "x"], ["grep", "secret"], ["mv", "--dry-run", "x", "y"],
            ] {
                let all = variables.merging(["PASSWORD_STORE_GPG_OPTS": options]) { $1 }
                try fixture.run(words: words.map { Array($0.utf8) }, with: all).check()
            }
        }
        #expect(access(path, F_OK) == 0)
        try fixture.run("insert", "-e", "y", input: "y\n", with: variables).check()
        #expect(access((path as NSString).deletingLastPathComponent, F_OK) != 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: records).isEmpty)
    }

    /// The editor itself, one that closed what it inherited, and one that lives on without its first process.
    @Test(arguments: [
        "WORK", "exec bash -c 'exec 101>&-; WORK' bash \"$1\"", "( WORK ) & echo $! > $F/editor",
    ])
    func anEditorThatLivesKeepsItsText(_ script: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        let work = "while [ ! -e $F/saved ]; do sleep 0.01; done; cat \"$1\" > $F/text"
        // Without its descriptors, the editor is known once the record names it.
        let records = "$F/.local/state/passchain"
        let path = try killWhileEditing(
            fixture,
            before: "until grep -raqP \"\\x00$$ \" \(records); do sleep 0.01; done",
            after: script.replacingOccurrences(of: "WORK", with: work)
        )
        try fixture.run("insert", "-e", "y", input: "y\n").check()
        try fixture.run("rm", "-f", "y").check()
        #expect(access(path, F_OK) == 0)
        try fixture.write("", to: "saved")
        try waitForEnd("editor", fixture)
        #expect(try fixture.read("text") == Array("secret\n".utf8))
        try fixture.run("insert", "-e", "y", input: "y\n").check()
        #expect(access((path as NSString).deletingLastPathComponent, F_OK) != 0)
    }

    /// Their owners could put a folder of their own in the place of that with the text.
    @Test(
        .enabled(if: Machine.canMount, "\(Machine.withoutMount)"),
        arguments: ["chmod 777", "chmod 775", "ln -s tmp"]
    )
    func aTextLiesOnNoDiskWhereOthersCouldReplaceIt(_ command: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        let (make, path) =
            command.hasPrefix("ln")
            ? ("mkdir -m 777 $F/tmp; ln -s tmp $F/link", "link") : ("mkdir $F/tmp; \(command) $F/tmp", "tmp")
        try fixture.program("editor", "echo ran > $F/ran")
        let outcome = try fixture.shell(
            """
            \(make); export TMPDIR=$F/\(path) EDITOR=editor
            unshare -m bash -c 'mount -t tmpfs -o ro none /dev/shm && exec $TOOL edit x' < /dev/null; s=$?
            ls -A $F/tmp; exit $s
            """
        )
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errors.hasSuffix(
                "Error: other users can replace what lies in TMPDIR, \(fixture.folder)/\(path). Set it to a folder of your own.\n"
            ),
            "\(outcome)"
        )
        #expect(!fixture.exists("ran"))
    }

    @Test func aTextOnDiskIsOverwrittenUnlessItHasAnotherName() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "secret\n").check()
        let records = "\(fixture.folder)/.local/state/passchain"
        let kept = "/dev/shm/\(UUID().uuidString)"
        defer { unlink(kept) }
        let path = try killWhileEditing(fixture, after: "ln \"$1\" \(kept); cp \"$1\" \"$1\"~")
        try waitForEnd("editor", fixture)
        // As if it had been made where files may reach a disk.
        try fixture.shell("sed -i 's/memory/disk/' \(records)/*").check()
        let held = FileHandle(forReadingAtPath: path + "~")
        try fixture.run("insert", "-e", "y", input: "y\n").check()
        #expect(access(path, F_OK) != 0)
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "secret\n")
        #expect(try held?.readToEnd() == Data([0, 0, 0, 0, 0, 0, 0]))
    }

    @Test func whatHasARecordGoesWithTheNextChange() throws {
        // Killed in the middle of a write: the next command, in whatever folder, clears up.
        let fixture = try FaultFixture()
        try fixture.program(
            "gpg",
            "case \"$*\" in *--encrypt*) kill -9 $PPID;; esac; exec /usr/bin/gpg \"$@\""
        )
        for words in [["insert", "-e", "a/b/x"], ["init", Keys.alice, Keys.bob]] {
            try fixture.run(words: words.map { Array($0.utf8) }, input: Array("x\n".utf8))
        }
        try fixture.shell("rm $F/bin/gpg").check()
        try fixture.run("insert", "-e", "other", input: "x\n").check()
        #expect(try fixture.leftovers().isEmpty)
    }
}
