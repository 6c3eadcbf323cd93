import Glibc
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import Unix

@Suite struct ScratchFolderTests {
    let scratch = TestFolder()

    private func make(isInMemory: Bool = true) throws -> ScratchFolder {
        try ScratchFolder(in: scratch.path, prefix: Array("pass.".utf8), isInMemory: isInMemory)
    }

    private func names() throws -> [Path] {
        try ConfinedFolder(scratch.path).names().map { Path($0) }
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

    @Test func overwritesWhatMayHaveReachedADisk() throws {
        let folder = try make(isInMemory: false)
        let file = folder.path.appending("file")
        try folder.write(secret("secret"), to: file)
        scratch.file("other")
        #expect(rename(file.bytes.map(CChar.init) + [0], scratch.cPath("other")) == 0)
        #expect(Glibc.link(scratch.cPath("other"), file.bytes.map(CChar.init) + [0]) == 0)
        folder.remove()
        #expect(try readFile(scratch.path.appending("other")) == [0, 0, 0, 0, 0, 0])
    }

    @Test func canBeLeftToTheUser() throws {
        do {
            let folder = try make()
            try folder.write(secret("x"), to: folder.path.appending("file"))
            folder.keep()
        }
        #expect(try names().count == 1)
        #expect(ScratchFolder.removeAbandoned(in: scratch.path, areInMemory: true) == [])
        #expect(try names().count == 1)
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

    @Test func whatAKilledProcessLeftIsFoundAndRemoved() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = "\(scratch.path)"] in
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: true)
            try folder.write(SecretBytes(copying: [1].span), to: folder.path.appending("file"))
            kill(getpid(), SIGKILL)
            withExtendedLifetime(folder) {}
        }
        #expect(try names().count == 1)
        let mine = try make()
        // Folders of pass itself look alike, but have no mark.
        scratch.folder("pass.abcdefghijklm", mode: 0o700)
        scratch.file("pass.abcdefghijklm/nopqrs-x.txt")
        #expect(ScratchFolder.removeAbandoned(in: scratch.path, areInMemory: true).count == 1)
        #expect(try names().count == 2)
        withExtendedLifetime(mine) {}
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func overwritesItOnASignalToo(_ signal: Int32) async throws {
        await #expect(processExitsWith: .signal(signal)) { [signal, path = "\(scratch.path)"] in
            Interruption.installForTest()
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: false)
            let secret = SecretBytes(copying: [UInt8](repeating: 0x73, count: 10_000).span)
            try makeFolders(at: folder.path.appending("a"))
            for name: Path in ["x", "a/y"] {
                let file = "\(folder.path.appending(name))"
                try folder.write(secret, to: Path(file))
                guard link(file, "\(path)/kept-\(name.bytes.count)") == 0 else { exit(1) }
            }
            raise(signal)
            withExtendedLifetime(folder) {}
        }
        #expect(try Set(names()) == ["kept-1", "kept-3"])
        for name: Path in ["kept-1", "kept-3"] {
            #expect(try readFile(scratch.path.appending(name)) == [UInt8](repeating: 0, count: 10_000))
        }
    }

    /// As with what a global variable refers to.
    @Test func whatIsNeverReleasedGoesAtTheExit() async throws {
        await #expect(processExitsWith: .success) { [path = "\(scratch.path)"] in
            let environment = Environment(["TMPDIR": path])
            _ = Unmanaged.passRetained(try ScratchProgram([0x78], named: "x", environment))
            _ = Unmanaged.passRetained(
                try ScratchFolder(in: Path(path), prefix: Array("pass.".utf8), isInMemory: false)
            )
            guard try ConfinedFolder(Path(path)).names().count == 2 else { exit(1) }
        }
        #expect(try names() == [])
    }

    @Test func whatWasLeftOfAProgramFileGoesBeforeAnotherIsMade() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = "\(scratch.path)"] in
            let file = try ScratchProgram([0x78], named: "x", Environment(["TMPDIR": path]))
            kill(getpid(), SIGKILL)
            withExtendedLifetime(file) {}
        }
        let left = try names()
        #expect(left.count == 1)
        let program = try ScratchProgram([], named: "x", Environment(["TMPDIR": "\(scratch.path)"]))
        #expect(try names() == [Path(program.path.parent.lastComponent)] && names() != left)
    }

    @Test func aParentThatIsMissingIsSaidSo() {
        #expect(throws: Errno(.makeFolder, "/nowhere/at/all", code: ENOENT)) {
            try ScratchFolder(in: "/nowhere/at/all", prefix: [], isInMemory: true)
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
        guard posix_spawn(&child, "/bin/true", nil, nil, &pointers, nil) == 0 else { return }
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
