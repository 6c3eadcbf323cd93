import CUnix
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import Unix

@Suite struct InterruptionTests {
    let scratch = TestFolder()

    @Test func aHeldSignalTakesEffectAtTheEnd() async throws {
        await #expect(processExitsWith: .signal(SIGINT)) { [path = "\(scratch.path)"] in
            Interruption.installForTest()
            let root = try ConfinedFolder(Path(path))
            try Interruption.held {
                raise(SIGINT)
                try Interruption.held { try root.locate("inner").makeFolder() }
                try root.locate("outer").makeFolder()
            }
            try root.locate("after").makeFolder()
        }
        let root = try ConfinedFolder(scratch.path)
        #expect(try root.contents(below: "").map(\.path) == ["inner", "outer"])
    }

    @Test func anIgnoredSignalStaysIgnored() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            Interruption.installForTest()
            raise(SIGHUP)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func endsByTheSignal(_ signal: Int32) async {
        await #expect(processExitsWith: .signal(signal)) { [signal] in
            Interruption.installForTest()
            Interruption.end(by: signal)
        }
    }

    @Test func clearsUpBeforeItEndsByTheSignal() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = "\(scratch.path)"] in
            Interruption.installForTest()
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: true, records: nil)
            _ = Unmanaged.passRetained(folder)
            Interruption.end(by: SIGTERM)
        }
        #expect(try ConfinedFolder(scratch.path).names().isEmpty)
    }

    @Test func aChildThatHangsGetsAHeldSignalInTheEnd() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            Interruption.installForTest()
            let outcome = try Interruption.held {
                raise(SIGTERM)
                return try Subprocess("/bin/sleep", [Array("600".utf8)], environment: Environment()).run()
            }
            guard outcome.status == 128 + SIGTERM else { exit(1) }
        }
    }

    @Test func removesAFolderWithWhatIsInIt() async {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = "\(scratch.path)"] in
            Interruption.installForTest()
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: true, records: nil)
            for number in 0..<300 {
                try makeFolders(at: folder.path.appending(Path("sub\(number % 3)/deeper")))
                let file = folder.path.appending(Path("sub\(number % 3)/deeper/file\(number)"))
                try folder.write(SecretBytes(copying: [1].span), to: file)
            }
            raise(SIGTERM)
            withExtendedLifetime(folder) {}
        }
        #expect(rmdir(scratch.cPath("")) == 0, "something is left")
    }
}
