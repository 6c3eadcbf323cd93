import TestSupport
import Testing

/// A fault at each step of a command: the system call fails, or the process is killed as it makes it.
@Suite(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
struct StepTests {
    /// A command, and what may be true after it was hit.
    struct Step: Sendable, CustomTestStringConvertible {
        let name: String
        let words: [String]
        var input = ""
        var testDescription: String { name }

        static let all = [
            Step(name: "insert of a new entry", words: ["insert", "-e", "new/x"], input: "new\n"),
            Step(name: "insert over an entry", words: ["insert", "-ef", "a/old"], input: "new\n"),
            Step(name: "generate in place", words: ["generate", "-i", "a/old", "12"]),
            Step(name: "rm", words: ["rm", "-f", "a/old"]),
            Step(name: "mv", words: ["mv", "-f", "a/old", "moved/x"]),
            Step(name: "mv into a folder of bob's", words: ["mv", "-f", "a", "bob/a"]),
            Step(name: "cp into a folder of bob's", words: ["cp", "-f", "a", "bob/copy"]),
            Step(name: "init", words: ["init", "ALICE", "BOB"]),
            Step(name: "init of a folder", words: ["init", "-p", "a", "BOB"]),
        ]
    }

    static let calls = [
        "write", "fsync", "?renameat,?renameat2,?rename", "?unlinkat,?unlink", "?mkdirat,?mkdir", "openat",
        "?clone,?clone3,?vfork", "?pipe2,?memfd_create", "?openat2",
    ]

    static let faults = ["error=ENOSPC", "error=EIO", "signal=KILL"]

    /// Of all combinations a run takes each third; `FAULT_STEPS=all` takes all, and each call of each kind.
    private static func takes(_ step: Step, _ fault: String, _ call: String) -> Bool {
        let places = [
            Step.all.firstIndex { $0.name == step.name }, faults.firstIndex(of: fault),
            calls.firstIndex(of: call),
        ]
        return Machine.hitsEachStep || places.compactMap(\.self).reduce(0, +) % faults.count == 0
    }

    /// NFS, for one.
    @Test func aFileSystemThatCannotRefuseToReplaceIsNoObstacle() throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "a", input: "secret\n").check()
        let strace = [
            "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=?renameat2",
            "-e", "inject=?renameat2:error=EINVAL",
        ]
        try fixture.run(below: strace, ["cp", "a", "b"]).check()
        try fixture.run(below: strace, ["mv", "b", "c"]).check()
        try fixture.run("insert", "-m", "d", input: "another\n").check()
        try fixture.run(below: strace, ["mv", "-f", "d", "c"]).check()
        #expect(try fixture.decrypted("a") == "secret\n")
        #expect(try fixture.decrypted("c") == "another\n")
        #expect(try fixture.paths() == [".gitattributes", ".gpg-id", "a.gpg", "c.gpg"])
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: Step.all, faults) func nothingIsLostAt(_ step: Step, _ fault: String) throws {
        for call in Self.calls where Self.takes(step, fault, call) {
            let count = try count(call, step)
            #expect(count > 0 || call.hasPrefix("?") || call == "fsync", "\(call) is never made")
            for number in Self.numbers(of: count) { try hit(step, call, fault, number) }
        }
    }

    /// A step fails, and then the process is killed while it removes what was prepared.
    @Test(arguments: [
        (words: ["mv", "-f", "a/old", "bob/x"], failing: "?renameat2", when: 1),
        (words: ["init", "-p", "bob", ""], failing: "?renameat,?rename", when: 3),
    ])
    func aPlanIsForgottenBeforeItsFiles(_ words: [String], _ failing: String, _ when: Int) throws {
        for number in 1...3 {
            let fixture = try prepare()
            try fixture.run("insert", "-m", "bob/y", input: "y\n").check()
            let before = try fixture.everything()
            let strace = [
                "strace", "-qq", "-o", "\(fixture.folder)/trace", "-e",
                "trace=\(failing),?unlinkat,?unlink", "-e", "inject=\(failing):error=EIO:when=\(when)",
                "-e", "inject=?unlinkat,?unlink:signal=KILL:when=\(number)",
            ]
            let outcome = try fixture.run(below: strace, words)
            #expect(outcome.status != 0, "\(words) \(number): \(outcome)")
            try fixture.run("insert", "-m", "next", input: "next\n").check()
            var after = try fixture.everything()
            #expect(after.removeValue(forKey: "next.gpg") != nil)
            #expect(after == before, "\(words) \(number): \(outcome)")
            #expect(try fixture.leftovers().isEmpty)
        }
    }

    /// Which calls are hit: each, or one early, one in the middle and the last one.
    private static func numbers(of count: Int) -> [Int] {
        let all = Array(1..<count + 1)
        guard !Machine.hitsEachStep, all.count > 3 else { return all }
        return [all.count / 3, 2 * all.count / 3, all.count]
    }

    /// The store that each run starts with; it goes with the folder of the keyring.
    private static let store = Result { () throws -> String in
        let fixture = try FaultFixture()
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        for name in ["a/old", "a/b/other", "third"] {
            try fixture.run("insert", "-m", name, input: "\(name)\nuser\n").check()
        }
        let copy = Keys.ring.home + "/steps"
        try fixture.shell("cp -a $S '\(copy)'").check()
        return copy
    }

    private func prepare() throws -> FaultFixture { try FaultFixture(copying: Self.store.get()) }

    private func words(_ step: Step) -> [String] {
        step.words.map { $0 == "ALICE" ? Keys.alice : $0 == "BOB" ? Keys.bob : $0 }
    }

    /// How often the tool makes a call.
    private func count(_ call: String, _ step: Step) throws -> Int {
        let fixture = try prepare()
        let strace = ["strace", "-qq", "-o", "\(fixture.folder)/trace", "-e", "trace=\(call)"]
        try fixture.run(below: strace, words(step), input: step.input).check()
        return try fixture.read("trace").split(separator: 0x0A).count
    }

    private func hit(_ step: Step, _ call: String, _ fault: String, _ number: Int) throws {
        let fixture = try prepare()
        let strace = [
            "strace", "-qq", "-o", "\(fixture.folder)/trace", "-e", "trace=\(call)", "-e",
            "inject=\(call):\(fault):when=\(number)",
        ]
        let outcome = try fixture.run(below: strace, words(step), input: step.input)
        let place: Comment = "\(step.name), \(call) number \(number), \(fault): \(outcome)"
        if outcome.status == 0 { #expect(try isDone(step, fixture), place) }
        try checkNothingIsLost(step, fixture, place)
        let listing = try fixture.run("ls").output
        #expect(!listing.contains("passchain-"), place)
        // The next command goes on as if nothing had been, and clears up.
        let next = try fixture.run("insert", "-ef", "a/next", input: "next\n")
        #expect(next.status == 0, "\(place)\nthen: \(next)")
        try checkNothingIsLost(step, fixture, place)
        #expect(try fixture.leftovers().isEmpty, "\(place)\nthen: \(next)")
        #expect(try fixture.decrypted("a/next") == "next\n", place)
    }

    /// Whether a command that says it succeeded did so: on disk, in history, and nothing else.
    private func isDone(_ step: Step, _ fixture: FaultFixture) throws -> Bool {
        guard try fixture.status().isEmpty else { return false }
        return switch step.words[0] {
        case "insert" where step.words.contains("new/x"): try fixture.decrypted("new/x") == "new\n"
        case "insert": try fixture.decrypted("a/old") == "new\n"
        case "rm": !fixture.exists("store/a/old.gpg")
        default: true
        }
    }

    /// Each entry is there, whole, old or new.
    private func checkNothingIsLost(_ step: Step, _ fixture: FaultFixture, _ place: Comment) throws {
        #expect(try fixture.decrypted("third") == "third\nuser\n", place)
        let others = try ["a/b/other", "bob/a/b/other"].compactMap(fixture.decrypted)
        #expect(!others.isEmpty && others.allSatisfy { $0 == "a/b/other\nuser\n" }, place)
        let found = try ["a/old", "bob/a/old", "moved/x"].compactMap(fixture.decrypted)
        #expect(!found.isEmpty || step.words[0] == "rm", place)
        for text in found {
            let isOld = text == "a/old\nuser\n"
            let isNew =
                switch step.words[0] {
                case "insert": text == "new\n"
                case "generate": text.hasSuffix("\nuser\n") && text.utf8.count == 18
                default: false
                }
            #expect(isOld || isNew, place)
        }
        if let new = try fixture.decrypted("new/x") { #expect(new == "new\n", place) }
        _ = try fixture.git("fsck", "--strict")
    }
}
