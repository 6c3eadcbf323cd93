import Foundation
import Glibc
import TestSupport
import Testing

/// Temporary files that processes which were killed have left, without a record of them.
@Suite struct LeftoverTests {
    /// The number of a process that has ended.
    private func endedProcess() throws -> Int32 {
        var child: pid_t = 0
        let words = [strdup("true"), nil]
        defer { free(words[0]) }
        guard posix_spawn(&child, "/bin/true", nil, nil, words, nil) == 0 else { throw POSIXError(.EIO) }
        waitpid(child, nil, 0)
        return child
    }

    private func prepare() throws -> FaultFixture {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "a/sub/x", input: "x\n").check()
        for folder in ["a", "a/sub"] {
            try fixture.write("half", to: "store/\(folder)/.passchain-tmp.\(try endedProcess())-abc.0")
        }
        return fixture
    }

    @Test(arguments: [
        ["cp", "a", "b"], ["mv", "a", "b"], ["init", "-p", "a", "BOB"], ["init", "BOB"], ["rm", "-rf", "a"],
    ])
    func theyAreNotMistakenForPartOfAFolder(_ words: [String]) throws {
        let fixture = try prepare()
        try fixture.run(words: words.map { Array(($0 == "BOB" ? Keys.bob : $0).utf8) }).check()
        #expect(try fixture.leftovers().isEmpty)
        #expect(try !fixture.git("log", "--all", "--name-only").contains("passchain-"))
        #expect(try fixture.status().isEmpty)
    }

    @Test func whatSomebodyIsAtWorkOnStays() throws {
        let fixture = try prepare()
        let name = ".passchain-tmp.\(getpid())-abc.0"
        try fixture.write("half", to: "store/a/\(name)")
        try fixture.run("cp", "a", "b").check()
        #expect(try fixture.leftovers() == ["a/\(name)"])
        #expect(try !fixture.git("log", "--all", "--name-only").contains("passchain-"))
    }

    @Test func aTextOnDiskOfAnEditThatWasKilledIsOverwrittenAndRemoved() throws {
        // Where there is no /dev/shm.
        let fixture = try FaultFixture()
        let folder = "tmp/pass.abcdefghijkLM"
        try fixture.write("", to: "\(folder)/.passchain-scratch")
        try fixture.write("secret\n", to: "\(folder)/nopqrs-x.txt")
        #expect(link("\(fixture.folder)/\(folder)/nopqrs-x.txt", "\(fixture.folder)/kept") == 0)
        try fixture.run("insert", "-e", "x", input: "x\n", with: ["TMPDIR": fixture.folder + "/tmp"]).check()
        #expect(!fixture.exists(folder))
        #expect(try fixture.read("kept") == [UInt8](repeating: 0, count: 7))
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
