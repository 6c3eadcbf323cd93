import Glibc
import SecretMemory
import TestSupport
import Testing
import Unix

@Suite struct SubprocessTests {
    @Test func collectsASecretApart() throws {
        var child = Subprocess(
            "/bin/sh",
            ["-c", "printf 'a\\0b'; echo error >&2"].map { Array($0.utf8) },
            environment: Environment()
        )
        child.output = .secret
        let outcome = try child.run()
        #expect(outcome.output.isEmpty)
        #expect(outcome.secretOutput.isEqual(to: SecretBytes(copying: ([0x61, 0, 0x62] as [UInt8]).span)))
        #expect(outcome.errorOutput == Array("error\n".utf8))
        child.arguments = ["-c", "head -c 300000 /dev/zero"].map { Array($0.utf8) }
        #expect(try child.run().secretOutput.count == 300_000)
        child.arguments = ["-c", "exit 3"].map { Array($0.utf8) }
        let silent = try child.run()
        #expect(silent.status == 3 && silent.secretOutput.isEmpty)
    }

    @Test func readsAStreamAsItComes() throws {
        var child = shell("cat; head -c 300000 /dev/zero; echo error >&2; exit 3")
        child.input = .bytes(Array("input".utf8))
        let outcome = try #require(try child.runStreaming(limit: 300_005))
        #expect(outcome.status == 3 && outcome.secretOutput.count == 300_005)
        #expect(text(outcome.errorOutput) == "error\n")
        #expect(try child.runStreaming(limit: 300_004) == nil)
    }

    /// Neither waits for the other to read.
    @Test(arguments: [false, true]) func aStreamsInputMayBeLongerThanAPipe(isSecret: Bool) throws {
        var child = shell("cat")
        let input = [UInt8](repeating: 0x61, count: 4 << 20)
        child.input = isSecret ? .secret(SecretBytes(copying: input.span)) : .bytes(input)
        let outcome = try #require(try child.runStreaming(limit: 8 << 20))
        #expect(outcome.secretOutput.isEqual(to: SecretBytes(copying: input.span)))
    }

    private func shell(_ script: String, _ arguments: [String] = []) -> Subprocess {
        Subprocess(
            "/bin/sh",
            (["-c", script, "sh"] + arguments).map { Array($0.utf8) },
            environment: Environment(["PATH": "/usr/bin:/bin"])
        )
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func collectsBothOutputs() throws {
        let outcome = try shell("echo out; echo error >&2; exit 7").run()
        #expect(outcome.status == 7)
        #expect(text(outcome.output) == "out\n")
        #expect(text(outcome.errorOutput) == "error\n")
    }

    @Test func handsArgumentsOverAsBytes() throws {
        let words: [[UInt8]] = [[0xFF, 0x0A], [], Array("a b".utf8), Array("$x".utf8)]
        let child = Subprocess("/usr/bin/printf", [Array("<%s>".utf8)] + words, environment: Environment())
        let expected = words.flatMap { (word: [UInt8]) -> [UInt8] in [0x3C] + word + [0x3E] }
        #expect(try child.run().output == expected)
    }

    @Test func feedsMoreThanAPipeHolds() throws {
        let bytes = [UInt8](repeating: 0x78, count: 3 << 20)
        var child = Subprocess("/bin/cat", [], environment: Environment())
        child.input = .bytes(bytes)
        #expect(try child.run().output == bytes)
        child.input = .secret(SecretBytes(copying: bytes.span))
        let outcome = try child.run()
        #expect(outcome.output == bytes && outcome.isInputTaken)
    }

    @Test(arguments: [false, true]) func itMayFindItsInputElsewhere(isStandardClosed: Bool) async {
        await #expect(processExitsWith: .success) { [isStandardClosed] in
            if isStandardClosed { for number in 0...2 as ClosedRange<Int32> { close(number) } }
            let input = [UInt8](repeating: 0x78, count: 1 << 20)
            let script = ["-c", "cat; echo output; echo error >&2; ls /proc/self/fd >&2; cat <&100"]
            var child = Subprocess(
                "/bin/bash",
                script.map { Array($0.utf8) },
                environment: Environment(["PATH": "/bin:/usr/bin"])
            )
            child.inputNumber = 100
            child.input = .bytes(input)
            let expected = Array("output\n".utf8) + input
            let outcome = try child.run()
            guard outcome.output == expected, outcome.isInputTaken else { exit(1) }
            guard outcome.errorOutput == Array("error\n0\n1\n100\n2\n3\n".utf8) else { exit(2) }
            let stream = try child.runStreaming(limit: 2 << 20)
            guard stream?.secretOutput.isEqual(to: SecretBytes(copying: expected.span)) == true else {
                exit(3)
            }
            child.input = .nothing
            guard try child.run().output == Array("output\n".utf8) else { exit(4) }
            // No number that there may be.
            child.inputNumber = .max
            guard (try? child.run()) == nil else { exit(5) }
        }
    }

    @Test(arguments: [false, true]) func itMayFindEverythingElsewhere(isStandardClosed: Bool) async {
        await #expect(processExitsWith: .success) { [isStandardClosed] in
            if isStandardClosed { for number in 0...2 as ClosedRange<Int32> { close(number) } }
            let script = """
                ls /proc/self/fd >&102; cat <&100 >&101; cat <&103 >&101; cat; echo lost >&2; echo stray
                """
            var child = Subprocess(
                "/bin/bash",
                ["-c", script].map { Array($0.utf8) },
                environment: Environment(["PATH": "/bin:/usr/bin"])
            )
            (child.inputNumber, child.outputNumber, child.errorNumber) = (100, 101, 102)
            child.input = .bytes(Array("input ".utf8))
            child.secondInput = SecretBytes(copying: Array("secret".utf8).span)
            let errors = Array("0\n1\n100\n101\n102\n103\n2\n3\nstray\n".utf8)
            let outcome = try child.run()
            guard outcome.output == Array("input secret".utf8) else { exit(1) }
            guard outcome.errorOutput == errors else { exit(2) }
            let stream = try child.runStreaming(limit: 100)
            guard stream?.secretOutput.isEqual(to: SecretBytes(copying: outcome.output.span)) == true,
                stream?.errorOutput == errors
            else { exit(3) }
        }
    }

    @Test func aChildThatDoesNotReadIsNoTrouble() throws {
        var child = shell("exit 3")
        child.input = .bytes([UInt8](repeating: 0x78, count: 1 << 20))
        let outcome = try child.run()
        #expect(outcome.status == 3 && !outcome.isInputTaken)
    }

    /// Its status alone would not tell.
    @Test func aChildThatReadsAPartIsKnown() throws {
        var child = shell("head -c 100")
        child.input = .secret(SecretBytes(copying: [UInt8](repeating: 0x78, count: 1 << 20).span))
        let outcome = try child.run()
        #expect(outcome.status == 0 && outcome.output.count == 100 && !outcome.isInputTaken)
    }

    private static let writePID = "echo $$ > new; mv new pid"

    /// Also one that takes no notice, and one that stands still.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "\(writePID); exec sleep 600", "trap '' TERM; \(writePID); exec sleep 600",
            "{ until grep -q stopped /proc/$$/status; do sleep 0.01; done; \(writePID); } & kill -STOP $$",
        ]
    )
    func aChildThatNobodyWaitsForIsEnded(_ script: String) throws {
        let folder = TestFolder()
        var child: RunningChild? = try shell("cd $1; \(script)", ["\(folder.path)"]).start()
        while access("\(folder.path)/pid", F_OK) != 0 { usleep(1000) }
        let pid = try #require(pid_t(text(readFile(folder.path.appending("pid"))).dropLast()))
        #expect(kill(pid, 0) == 0)
        #expect(child != nil)
        child = nil
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func countsSignalsAsAShell() throws {
        #expect(try shell("kill -9 $$").run().status == 137)
        #expect(try shell("kill -TERM $$").run().status == 143)
    }

    @Test func doesNotWaitForWhatAChildLeavesInTheBackground() throws {
        let outcome = try shell("sleep 600 & echo $!").run()
        #expect(outcome.status == 0)
        let pid = try #require(pid_t(text(outcome.output).dropLast()))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test func childrenHaveDefaultSignalsAndNoMask() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var set = sigset_t()
            sigfillset(&set)
            pthread_sigmask(SIG_BLOCK, &set, nil)
            let script = Array("grep -E '^Sig(Blk|Ign)' /proc/self/status".utf8)
            let shell = Subprocess("/bin/sh", [Array("-c".utf8), script], environment: Environment())
            let lines = String(decoding: try shell.run().output, as: UTF8.self).split(separator: "\n")
            let sets = lines.compactMap { UInt64($0.suffix(16), radix: 16) }
            // Bits 31 and 32 are glibc's own signals, which posix_spawn(3) sets to be ignored.
            guard sets.count == 2, sets[0] == 0, sets[1] & ~0x1_8000_0000 == 0 else { exit(1) }
        }
    }

    /// A program that has no use for its children's ends, as a server may: then nobody knows how they ended.
    @Test func anEndThatNobodyCanTellIsAnError() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let child = Subprocess("/bin/false", [], environment: Environment())
            let runs: [() throws -> Void] = [
                { _ = try child.run() }, { _ = try child.runInteractively() },
                { _ = try child.runStreaming(limit: 10) }, { try Interruption.held { _ = try child.run() } },
            ]
            for (number, run) in runs.enumerated() {
                do {
                    try run()
                    exit(Int32(number) + 1)
                } catch let error as Errno {
                    guard error == Errno(.wait, "/bin/false", code: ECHILD) else { exit(10) }
                }
            }
        }
    }

    @Test func theProgramsOwnActionForSIGPIPEStays() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE) { _ in exit(1) }
            var child = Subprocess("/bin/true", [], environment: Environment())
            child.input = .bytes([UInt8](repeating: 0x78, count: 1 << 20))
            for _ in 0..<5 { guard try child.run().status == 0 else { exit(2) } }
            // Nor is one lost that was sent to the program itself.
            var (set, pending) = (sigset_t(), sigset_t())
            sigemptyset(&set)
            sigaddset(&set, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &set, nil)
            guard try child.run().status == 0, sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 0
            else { exit(3) }
            raise(SIGPIPE)
            guard try child.run().status == 0, sigpending(&pending) == 0, sigismember(&pending, SIGPIPE) == 1
            else { exit(4) }
        }
    }

    @Test(arguments: [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]] as [[Int32]])
    func closedStandardDescriptorsAreNoObstacle(_ closed: [Int32]) async {
        await #expect(processExitsWith: .success) { [closed] in
            for number in closed { close(number) }
            let script = ["-c", "cat; echo error >&2; ls /proc/self/fd >&2"].map { Array($0.utf8) }
            var child = Subprocess("/bin/sh", script, environment: Environment(["PATH": "/bin:/usr/bin"]))
            child.input = .bytes(Array("input".utf8))
            let outcome = try child.run()
            guard outcome.output == Array("input".utf8) else { exit(1) }
            guard outcome.errorOutput == Array("error\n0\n1\n2\n3\n".utf8) else { exit(2) }
            let stream = try child.runStreaming(limit: 100)
            guard stream?.secretOutput.isEqual(to: SecretBytes(copying: Array("input".utf8).span)) == true
            else { exit(3) }
            child.input = .nothing
            child.arguments = ["-c", "cat; echo output; echo error >&2"].map { Array($0.utf8) }
            let silent = try child.run()
            guard silent.output == Array("output\n".utf8), silent.errorOutput == Array("error\n".utf8) else {
                exit(4)
            }
            child.input = .inherited
            child.arguments = ["-c", "exit 4"].map { Array($0.utf8) }
            guard try child.runInteractively().status == 4 else { exit(5) }
        }
    }

    @Test func childrenHaveThreeDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            // One that was opened without the flag for closing it.
            guard open("/etc/passwd", O_RDONLY) >= 0 else { exit(2) }
            let ls = Subprocess("/bin/ls", [Array("/proc/self/fd".utf8)], environment: Environment())
            // `ls` itself has the folder open.
            guard String(decoding: try ls.run().output, as: UTF8.self) == "0\n1\n2\n3\n" else { exit(1) }
        }
    }

    @Test func startsInAFolder() throws {
        var child = shell("pwd")
        child.folder = "/usr/lib"
        #expect(text(try child.run().output) == "/usr/lib\n")
        child.folder = "/nowhere"
        #expect(throws: Errno.self) { try child.run() }
    }

    @Test func aProgramThatCannotBeRunIsAnError() {
        #expect(throws: Errno(.start, "/nowhere", code: ENOENT)) {
            try Subprocess("/nowhere", [], environment: Environment()).run()
        }
        #expect(throws: Errno(.start, "/etc/passwd", code: EACCES)) {
            try Subprocess("/etc/passwd", [], environment: Environment()).run()
        }
    }

    @Test func leavesNoZombieAndNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            func descriptors() -> Int { (0..<100).count { fcntl($0, F_GETFD) >= 0 } }
            let before = descriptors()
            for _ in 0..<20 {
                var child = Subprocess("/bin/cat", [], environment: Environment())
                child.input = .bytes([1, 2, 3])
                _ = try child.run()
                _ = try? Subprocess("/nowhere", [], environment: Environment()).run()
            }
            // The test runner itself may open one meanwhile; twenty rounds would leave more.
            guard descriptors() < before + 10 else { exit(1) }
            guard waitpid(-1, nil, WNOHANG) == -1, errno == ECHILD else { exit(2) }
        }
    }

    @Test func withoutDescriptorsItFailsAndLeavesNothing() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 4, rlim_max: 4)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var child = Subprocess("/bin/cat", [], environment: Environment())
            child.input = .bytes([1])
            do {
                _ = try child.run()
                exit(1)
            } catch let error as Errno {
                guard error.code == EMFILE, waitpid(-1, nil, WNOHANG) == -1 else { exit(2) }
            }
        }
    }

    @Test func aDetachedProgramHasASessionOfItsOwn() throws {
        let scratch = TestFolder()
        var child = shell(
            "cat > \"$1.new\"; ps -o sid= -p $$ >> \"$1.new\"; mv \"$1.new\" \"$1\"",
            ["\(scratch.path)/x"]
        )
        child.input = .secret(SecretBytes(copying: Array("given\n".utf8).span))
        let pid = try child.startDetached()
        defer { waitpid(pid, nil, 0) }
        while access(scratch.cPath("x"), F_OK) != 0 { usleep(1000) }
        let lines = text(try readFile(scratch.path.appending("x"))).split(separator: "\n")
        #expect(lines[0] == "given")
        let session = try #require(pid_t(lines[1].drop { $0 == " " }))
        #expect(session != getsid(0))
    }

    @Test(arguments: [
        (["-c", "true", "a\0b"], "argument 3"), (["\0"], "argument 1"),
        (["-c", "true\0;false"], "argument 2"),
    ])
    func refusesAnArgumentThatWouldBeCut(_ arguments: [String], _ place: String) throws {
        let child = Subprocess("/bin/sh", arguments.map { Array($0.utf8) }, environment: Environment())
        for run in [{ _ = try child.run() }, { _ = try child.exec() }, { try child.startDetached() }] {
            let error = #expect(throws: Errno.self) { try run() }
            #expect(error?.code == EINVAL && error.map { "\($0)".contains(place) } == true)
        }
        var other = shell("true")
        other.name = [0x61, 0]
        #expect(throws: Errno.self) { try other.run() }
    }

    /// A lock on it is then held for as long as the child lives, or what that started.
    @Test(arguments: [1024, 64]) func leavesAFileOpenInTheChild(_ limit: Int) async throws {
        let folder = TestFolder()
        await #expect(processExitsWith: .success) { [limit, path = "\(folder.path)"] in
            var most = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { exit(1) }
            var child = Subprocess(
                "/bin/sh",
                ["-c", "ls -l /proc/self/fd; read line"].map { Array($0.utf8) },
                environment: Environment(["PATH": "/usr/bin:/bin"])
            )
            let file = FileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            child.heldFile = file
            let outcome = try child.run()
            let text = String(decoding: outcome.output, as: UTF8.self)
            guard outcome.status <= 1, text.components(of: "-> \(path)\n") == 1 else { exit(2) }
            child.heldFile = nil
            let without = String(decoding: try child.run().output, as: UTF8.self)
            guard without.components(of: path) == 0 else { exit(3) }
        }
    }
}

extension String {
    /// How often `text` is in it.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
