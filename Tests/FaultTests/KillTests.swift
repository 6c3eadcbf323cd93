import Foundation
import Glibc
import TestSupport
import Testing
import Unix

/// Kills at moments that nobody chose; `FAULT_ROUNDS` says how often.
@Suite(.serialized) struct KillTests {
    @Test func noEntryIsEverLost() throws {
        let fixture = try FaultFixture()
        let names = (0..<6).map { "e\($0)" }
        for name in names {
            try fixture.run("insert", "-m", "a/\(name)", input: "old \(name)\nuser\n").check()
        }
        try fixture.program("editor", "echo edited > \"$1\"")
        let commands: [(words: [String], input: String)] = [
            (["insert", "-mf", "F/e0"], "new e0\nuser\n"), (["generate", "-i", "F/e1", "20"], ""),
            (["edit", "F/e2"], ""), (["init", Keys.alice, Keys.bob], ""), (["init", Keys.alice], ""),
            (["mv", "F", "T"], ""), (["init", "-p", "F", Keys.bob], ""), (["init", "-p", "F", ""], ""),
            (["cp", "F/e3", "copies/e3"], ""), (["insert", "-mf", "F/e4"], "new e4\nuser\n"),
        ]
        var killed = 0
        var random = SeededGenerator.forTest()
        for round in 0..<Machine.rounds {
            // A killed move may be finished by the next command, and that one make the old folder anew: the move after
            // it then goes into that folder, as any move does.
            let here = try #require(places(of: "e5", in: fixture).first, "e5 is lost before round \(round)")
            let there = here == "a" ? "b" : "a"
            let command = commands[round % commands.count]
            let words = command.words.map {
                $0.replacingOccurrences(of: "F", with: $0.count == 40 ? "F" : here, options: .anchored)
                    .replacingOccurrences(of: "T", with: there, options: .anchored)
            }
            if try kill(fixture, words, command.input, after: .random(in: 0..<120_000, using: &random)) {
                killed += 1
            }
            try checkAll(names, fixture, "round \(round), \(words), \(random)")
        }
        #expect(killed > Machine.rounds / 4, "only \(killed) of \(Machine.rounds) were killed in time")
        try fixture.run("init", Keys.alice).check()
        try fixture.run("insert", "-mf", "last", input: "x\n").check()
        #expect(try fixture.status().isEmpty)
        #expect(try fixture.leftovers().isEmpty)
    }

    /// Starts the tool and kills it after a time; false when it had ended before.
    private func kill(
        _ fixture: FaultFixture,
        _ words: [String],
        _ input: String,
        after microseconds: useconds_t
    ) throws -> Bool {
        var environment = fixture.environment
        environment["EDITOR"] = "editor"
        var child = Subprocess(
            Path(FaultFixture.tool),
            words.map { Array($0.utf8) },
            environment: Environment(environment)
        )
        child.input = .bytes(Array(input.utf8))
        let pid = try child.startDetached()
        usleep(microseconds)
        Glibc.kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status & 0x7F == SIGKILL
    }

    /// The folders below the store in which there is an entry of this name, but for the one that `cp` copies to.
    private func places(of name: String, in fixture: FaultFixture) throws -> [String] {
        try fixture.paths().filter { $0.hasSuffix("/\(name).gpg") && !$0.hasPrefix("copies/") }
            .map { String($0.dropLast(name.count + 5)) }
    }

    private func checkAll(_ names: [String], _ fixture: FaultFixture, _ place: String) throws {
        for name in names {
            let texts = try places(of: name, in: fixture).compactMap {
                try fixture.decrypted("\($0)/\(name)")
            }
            #expect(!texts.isEmpty, "\(name) is lost after \(place)")
            for text in texts {
                let isWhole =
                    text == "old \(name)\nuser\n" || text == "new \(name)\nuser\n" || text == "edited\n"
                    || (text.hasSuffix("\nuser\n") && text.utf8.count == 26)
                #expect(isWhole, "\(name) is \(text.debugDescription) after \(place)")
            }
        }
    }
}
