import Foundation
import Glibc
import TestSupport
import Testing
import Unix

/// INT, TERM and HUP wherever the tool may be.
@Suite struct SignalTests {
    static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Starts the tool, waits until `isReady`, sends the signal, and waits for the end.
    private func interrupt(
        _ fixture: FaultFixture,
        _ words: [String],
        by signal: Int32,
        with variables: [String: String] = [:],
        when isReady: () -> Bool
    ) throws -> Int32 {
        let environment = fixture.environment.merging(variables) { $1 }
        let child = Subprocess(
            Path(FaultFixture.tool),
            words.map { Array($0.utf8) },
            environment: Environment(environment)
        )
        let pid = try child.startDetached()
        while !isReady(), waitpid(pid, nil, WNOHANG) == 0 { usleep(2000) }
        kill(pid, signal)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    }

    private func texts() -> Set<String> {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
        return Set(all.filter { $0.hasPrefix("passchain.") })
    }

    @Test(
        arguments: signals,
        [["show", "x"], ["generate", "-f", "x"], ["generate", "-i", "x"], ["init", "ALICE", "BOB"]]
    )
    func whileGPGIsAtWork(_ signal: Int32, _ words: [String]) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        let before = try fixture.everything()
        // A gpg that hangs where a passphrase would be asked for, or before it makes a message.
        try fixture.program(
            "gpg",
            "case \"$*\" in *--decrypt*|*--encrypt*) echo $$ > \(fixture.folder)/ready; exec sleep 600;; esac; exec /usr/bin/gpg \"$@\""
        )
        let all = words.map { $0 == "ALICE" ? Keys.alice : $0 == "BOB" ? Keys.bob : $0 }
        let status = try interrupt(fixture, all, by: signal) { fixture.exists("ready") }
        #expect(status == 128 + signal)
        #expect(try fixture.everything() == before)
        // What the change was about to do may stay written down.
        #expect(try fixture.leftovers().allSatisfy { $0 == ".git/passchain-pending" })
        try fixture.shell("rm $F/bin/gpg; kill -9 $(cat $F/ready); true")
        try fixture.run("insert", "-ef", "x", input: "new\n").check()
        #expect(try fixture.leftovers().isEmpty)
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP], ["x", "new/folder/x"])
    func inTheEditor(_ signal: Int32, _ name: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        try fixture.program(
            "editor",
            "echo \"$1\" > \(fixture.folder)/path; touch \(fixture.folder)/ready; exec sleep 3"
        )
        let status = try interrupt(fixture, ["edit", name], by: signal, with: ["EDITOR": "editor"]) {
            fixture.exists("ready")
        }
        #expect(status == 128 + signal)
        let path = String(decoding: try fixture.read("path").dropLast(), as: UTF8.self)
        #expect(access(path, F_OK) != 0 && access((path as NSString).deletingLastPathComponent, F_OK) != 0)
        #expect(try fixture.decrypted("x") == "old\n")
        #expect(try fixture.status().isEmpty)
        #expect(!fixture.exists("store/new"), "the folders that were made for it stay")
    }

    @Test(arguments: ["kill -INT $PPID", "kill -INT $PPID; sleep 0.1", "sleep 0.05; kill -INT $PPID"])
    func anInterruptThatTheEditorSendsSavesTheText(_ script: String) throws {
        // U61: at once, before we may have begun to wait, or just before its end.
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        for round in 0..<15 {
            try fixture.program("editor", "echo new \(round) > \"$1\"; \(script)")
            try fixture.run("edit", "x", with: ["EDITOR": "editor"]).check()
            #expect(try fixture.decrypted("x") == "new \(round)\n")
        }
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: signals) func betweenTheFileAndItsCommit(_ signal: Int32) throws {
        let fixture = try FaultFixture()
        // The hook runs when the file is in its place and not committed yet.
        try fixture.write(
            "#!/bin/sh\ntouch \(fixture.folder)/ready; sleep 0.3\n",
            to: "store/.git/hooks/pre-commit",
            mode: 0o755
        )
        let status = try interrupt(fixture, ["generate", "x"], by: signal) { fixture.exists("ready") }
        #expect(status == 128 + signal)
        #expect(fixture.exists("store/x.gpg"))
        #expect(try fixture.status().isEmpty, "not committed")
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test(arguments: signals) func whileGitHangs(_ signal: Int32) throws {
        let fixture = try FaultFixture()
        try fixture.write(
            "#!/bin/sh\necho $$ > \(fixture.folder)/ready; exec sleep 600\n",
            to: "store/.git/hooks/pre-commit",
            mode: 0o755
        )
        let status = try interrupt(fixture, ["generate", "x"], by: signal) { fixture.exists("ready") }
        #expect(status == 128 + signal)
        #expect(fixture.exists("store/x.gpg"))
        try fixture.shell(
            "rm $S/.git/hooks/pre-commit; rm -f $S/.git/index.lock; kill -9 $(cat $F/ready); true"
        )
        // The next change makes up for the commit.
        try fixture.run("insert", "-e", "y", input: "y\n").check()
        #expect(try fixture.status().isEmpty)
    }

    @Test(.enabled(if: Machine.hasExpect, "expect is missing"), arguments: ["\\003", "TERM", "HUP"])
    func atAPrompt(_ how: String) throws {
        let fixture = try FaultFixture()
        try fixture.write(
            """
            log_user 0
            spawn -noecho bash -c "trap : INT; stty -a > $env(F)/before; $env(TOOL) insert a/b/x; echo status $?; stty -a > $env(F)/after"
            expect "Enter password"
            after 200
            \(how.hasPrefix("\\") ? "send \"\(how)\"" : "exec pkill -\(how) -P [exp_pid]")
            expect -re {status ([0-9]+)} { puts $expect_out(1,string) }
            expect eof
            """.replacingOccurrences(of: "status $?", with: "status \\$?"),
            to: "script"
        )
        let outcome = try fixture.shell("expect $F/script; cmp $F/before $F/after && echo same")
        let number = how == "TERM" ? 143 : how == "HUP" ? 129 : 130
        #expect(outcome.output == "\(number)\nsame\n", "\(outcome)")
        #expect(!fixture.exists("store/a"), "the folders that were made for it stay")
        #expect(try fixture.leftovers().isEmpty)
    }

    @Test(.enabled(if: Machine.hasExpect, "expect is missing")) func anInterruptFromTheKeyboardDuringACommit()
        throws
    {
        let fixture = try FaultFixture()
        try fixture.write(
            "#!/bin/sh\ntouch $F/ready; sleep 0.5\n",
            to: "store/.git/hooks/pre-commit",
            mode: 0o755
        )
        try fixture.write(
            """
            log_user 0
            spawn -noecho bash -c "trap : INT; $env(TOOL) generate x; echo status \\$?"
            while {![file exists $env(F)/ready]} { after 10 }
            send "\\003"
            expect -re {status ([0-9]+)} { puts $expect_out(1,string) }
            expect eof
            """,
            to: "script"
        )
        let outcome = try fixture.shell("expect $F/script")
        #expect(outcome.output == "130\n", "\(outcome)")
        #expect(try fixture.status().isEmpty, "not committed")
    }
}
