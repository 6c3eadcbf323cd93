import Glibc
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import Unix

@Suite struct ScratchFolderTests {
    let scratch = TestFolder()

    private func make(isInMemory: Bool = true) throws -> ScratchFolder {
        try ScratchFolder(in: scratch.path, prefix: Array("pass.".utf8), isInMemory: isInMemory, records: nil)
    }

    private func names() throws -> [Path] {
        try ConfinedFolder(scratch.path).names().map { Path($0) }.filter { $0 != "run" }
    }

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    @Test func isForThisUserAlone() throws {
        let folder = try make()
        let root = try ConfinedFolder(scratch.path)
        let name = Path(folder.path.lastComponent)
        #expect(try root.locate(name).status()?.mode == 0o700)
        #expect(name.bytes.count == 18)
        try folder.write(secret("x"), to: folder.path.appending("file"))
        #expect(try root.locate(name.appending("file")).status()?.mode == 0o600)
    }

    @Test(arguments: [true, false]) func goesAwayWithAllThatIsInIt(_ isInMemory: Bool) throws {
        do {
            let folder = try make(isInMemory: isInMemory)
            try folder.write(secret("x"), to: folder.path.appending("file"))
            try makeFolders(at: folder.path.appending("a/b"))
            try folder.write(secret("y"), to: folder.path.appending("a/b/.c"))
            #expect(symlink("/etc/passwd", folder.path.appending("l").bytes.map(CChar.init) + [0]) == 0)
        }
        #expect(try names() == [])
        #expect(access("/etc/passwd", F_OK) == 0)
    }

    /// Holds a file open, to see what it holds once it has no name any more.
    private func open(_ file: Path) -> FileDescriptor {
        FileDescriptor(owning: Glibc.open(file.bytes.map(CChar.init) + [0], O_RDONLY | O_CLOEXEC))
    }

    @Test func overwritesWhatMayHaveReachedADisk() throws {
        let folder = try make(isInMemory: false)
        let file = folder.path.appending("file")
        try folder.write(secret("secret"), to: file)
        let content = open(file)
        folder.remove()
        #expect(try content.readAll() == [0, 0, 0, 0, 0, 0])
        #expect(try names() == [])
    }

    @Test(arguments: [true, false]) func neverOverwritesAFileWithAnotherName(_ isInMemory: Bool) throws {
        let folder = try make(isInMemory: isInMemory)
        try makeFolders(at: folder.path.appending("a"))
        let names: [Path] = ["file", "a/deeper"]
        for name in names {
            try folder.write(secret("secret"), to: folder.path.appending(name))
            let link = scratch.path.appending(Path(name.lastComponent))
            #expect(Glibc.link("\(folder.path.appending(name))", "\(link)") == 0)
        }
        folder.remove()
        for name in names {
            #expect(try readFile(scratch.path.appending(Path(name.lastComponent))) == Array("secret".utf8))
        }
        #expect(try Set(self.names()) == ["file", "deeper"])
    }

    @Test func whatTookItsPlaceStays() throws {
        let folder = try make()
        let path = "\(folder.path)"
        #expect(rename(path, path + "-moved") == 0 && mkdir(path, 0o700) == 0)
        try folder.write(secret("x"), to: folder.path.appending("file"))
        folder.remove()
        #expect(access(path + "/file", F_OK) == 0)
    }

    @Test func refusesToReadWhatIsNoFile() throws {
        let folder = try make()
        let pipe = folder.path.appending("pipe")
        #expect(mkfifo(pipe.bytes.map(CChar.init) + [0], 0o600) == 0)
        #expect(throws: Errno.self) { try folder.read(pipe, limit: 10) }
        let file = folder.path.appending("file")
        try folder.write(secret("four"), to: file)
        #expect(try folder.read(file, limit: 4).count == 4)
        #expect(throws: Errno.self) { try folder.read(file, limit: 3) }
    }

    @Test func writesOverNothing() throws {
        let folder = try make()
        scratch.file("victim")
        scratch.link("link", to: "victim")
        #expect(throws: Errno.self) { try folder.write(secret("x"), to: scratch.path.appending("link")) }
        #expect(throws: Errno.self) { try folder.write(secret("x"), to: scratch.path.appending("victim")) }
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func overwritesItOnASignalToo(_ signal: Int32) async throws {
        // Two names lead to each file: one that is overwritten then, and one that must not be.
        scratch.file("x")
        scratch.file("a/y")
        let (memory, disk) = (open(scratch.path.appending("x")), open(scratch.path.appending("a/y")))
        await #expect(processExitsWith: .signal(signal)) { [signal, path = "\(scratch.path)"] in
            Interruption.installForTest()
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: false, records: nil)
            try makeFolders(at: folder.path.appending("a"))
            for name in ["x", "a/y"] {
                let file = "\(folder.path.appending(Path(name)))"
                guard rename("\(path)/\(name)", file) == 0 else { exit(1) }
                let number = Glibc.open(file, O_WRONLY | O_CLOEXEC)
                try FileDescriptor(owning: number).write([UInt8](repeating: 0x73, count: 10_000))
            }
            guard link("\(folder.path)/a/y", "\(path)/kept") == 0 else { exit(1) }
            raise(signal)
            withExtendedLifetime(folder) {}
        }
        #expect(try Set(names()) == ["a", "kept"])
        #expect(try memory.readAll() == [UInt8](repeating: 0, count: 10_000))
        #expect(try disk.readAll() == [UInt8](repeating: 0x73, count: 10_000))
    }

    /// As with what a global variable refers to.
    @Test func whatIsNeverReleasedGoesAtTheExit() async throws {
        await #expect(processExitsWith: .success) { [path = "\(scratch.path)"] in
            let environment = Environment(["TMPDIR": path, "XDG_RUNTIME_DIR": path + "/run"])
            guard mkdir(path + "/run", 0o700) == 0 else { exit(1) }
            _ = Unmanaged.passRetained(try ScratchProgram([0x78], named: "x", environment))
            _ = Unmanaged.passRetained(
                try ScratchFolder(
                    in: Path(path),
                    prefix: Array("pass.".utf8),
                    isInMemory: false,
                    records: .forWriting(environment)
                )
            )
            // With the folder of records one lies in `run`.
            guard try ConfinedFolder(Path(path)).names().count == 2 else { exit(1) }
            guard try ConfinedFolder(Path(path + "/run/passchain")).names().count == 2 else { exit(1) }
        }
        #expect(try names() == [])
        #expect(try ConfinedFolder(scratch.path.appending("run/passchain")).names().isEmpty)
    }

    @Test func aParentThatIsMissingIsSaidSo() {
        #expect(throws: Errno(.makeFolder, "/nowhere/at/all", code: ENOENT)) {
            try ScratchFolder(in: "/nowhere/at/all", prefix: [], isInMemory: true, records: nil)
        }
    }

    @Test func aProgramFileCanBeRunAndGoesAway() throws {
        let environment = Environment(["TMPDIR": "\(scratch.path)"])
        var path = Path([])
        do {
            let file = try ScratchProgram(
                Array("#!/bin/sh\necho \"$1\"\n".utf8),
                named: "echo",
                environment
            )
            path = file.path
            #expect(path.bytes.starts(with: scratch.path.bytes))
            let outcome = try Subprocess(path, [Array("hello".utf8)], environment: environment).run()
            #expect(outcome.output == Array("hello\n".utf8))
        }
        #expect(try names() == [])
    }

    /// A child that another thread starts holds the file open for writing until it runs its own program.
    @Test func aProgramFileCanBeRunAtOnceWhileOtherThreadsStartChildren() async throws {
        let environment = Environment(["TMPDIR": "\(scratch.path)"])
        // It takes a while to write.
        let script = Array("#!/bin/sh\nexit 7\n".utf8) + [UInt8](repeating: 0x0A, count: 4 << 20)
        let end = End()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while !end.isReached.load(ordering: .relaxed) { Self.startSlowly() } }
            group.addTask {
                defer { end.isReached.store(true, ordering: .relaxed) }
                for _ in 0..<100 {
                    let program = try ScratchProgram(script, named: "seven", environment)
                    #expect(try Subprocess(program.path, [], environment: environment).run().status == 7)
                }
            }
            try await group.waitForAll()
        }
    }

    private final class End: Sendable { let isReached = Atomic(false) }

    /// Starts a child as GPGME does: with our descriptors until it runs its program, which much to hand over delays.
    private static func startSlowly() {
        var child: pid_t = 0
        let words = ["true"] + [String](repeating: String(repeating: "x", count: 120_000), count: 12)
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawn(&child, "/bin/true", nil, nil, &pointers, nil) == 0 else {
            Issue.record("nothing was started")
            return
        }
        waitpid(child, nil, 0)
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aProgramFileGoesAwayOnASignal(_ signal: Int32) async throws {
        await #expect(processExitsWith: .signal(signal)) { [signal, path = "\(scratch.path)"] in
            Interruption.installForTest()
            let file = try ScratchProgram([], named: "nothing", Environment(["TMPDIR": path]))
            raise(signal)
            withExtendedLifetime(file) {}
        }
        #expect(try names() == [])
    }
}
