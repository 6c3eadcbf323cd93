import Glibc
import TestSupport
import Testing
import Unix

@Suite struct FileLockTests {
    let scratch = TestFolder()

    @Test func isExclusiveAndEndsWithTheValue() throws {
        var lock: FileLock? = try FileLock(onFolder: scratch.path, waiting: 0)
        #expect(throws: FileLock.Failure.held(by: getpid(), command: ownCommand)) {
            try FileLock(onFolder: scratch.path, waiting: 0)
        }
        withExtendedLifetime(lock) {}
        lock = nil
        // For a moment a child that another test starts may still have it, until it runs its program.
        _ = try FileLock(onFolder: scratch.path, waiting: 20)
    }

    private var ownCommand: String {
        let text = (try? readFile("/proc/self/comm")) ?? []
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    @Test func leavesNothingInTheFolder() throws {
        let lock = try FileLock(onFolder: scratch.path, waiting: 0)
        let root = try ConfinedFolder(scratch.path)
        #expect(try root.names().isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test func waitsForTheHolderToEnd() async throws {
        // A child takes the lock, and is killed while we wait for it.
        let words = ["-x", "-o", "\(scratch.path)", "sleep", "600"].map { Array($0.utf8) }
        let child = Subprocess(
            "/usr/bin/flock",
            words,
            environment: Environment(["PATH": TestPrograms.folder])
        )
        let pid = try child.startDetached()
        while (try? FileLock(onFolder: scratch.path, waiting: 0)) != nil { usleep(1000) }
        #expect(throws: FileLock.Failure.held(by: pid, command: "flock")) {
            try FileLock(onFolder: scratch.path, waiting: 0)
        }
        // `flock` and the `sleep` below it are a session of their own.
        kill(-pid, SIGKILL)
        _ = try FileLock(onFolder: scratch.path, waiting: 20)
        waitpid(pid, nil, 0)
    }

    @Test func aMissingFolderCannotBeLocked() {
        #expect(throws: FileLock.Failure.system(Errno(.open, "/nowhere", code: ENOENT))) {
            try FileLock(onFolder: "/nowhere", waiting: 0)
        }
    }

    @Test func childrenDoNotInheritIt() throws {
        var lock: FileLock? = try FileLock(onFolder: scratch.path, waiting: 0)
        do {
            let sleep = Subprocess("/bin/sleep", [Array("600".utf8)], environment: Environment())
            let child = try sleep.startDetached()
            defer {
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
            }
            withExtendedLifetime(lock) {}
            lock = nil
            // The child lives on, and yet the lock is free.
            #expect(kill(child, 0) == 0)
            _ = try FileLock(onFolder: scratch.path, waiting: 20)
        }
    }
}
