import Glibc
import TestSupport
import Testing

@testable import Unix

@Suite struct AtomicFileTests {
    let scratch = TestFolder()
    let root: ConfinedFolder
    static let temporary = Array(".temporary".utf8)

    init() throws { root = try ConfinedFolder(scratch.path) }

    private func names() throws -> [Path] { try root.contents(below: "").map(\.path) }

    private func prepare(_ content: String, _ name: Path, mode: UInt32 = 0o600) throws(Errno) -> AtomicFile {
        let place = try root.locate(name)
        let bytes = Array(content.utf8)
        return try AtomicFile.prepare(bytes, for: place, temporaryName: Self.temporary, mode: mode)
    }

    private func content(_ name: Path) throws -> String {
        String(decoding: try root.locate(name).read(), as: UTF8.self)
    }

    @Test func isNotThereBeforeTheCommit() throws {
        let file = try prepare("new", "x")
        #expect(try names() == [".temporary"])
        try file.commit()
        #expect(try names() == ["x"])
        #expect(try content("x") == "new")
    }

    @Test func leavesTheOldContentWithoutACommit() throws {
        try prepare("old", "x").commit()
        _ = try prepare("new", "x")
        #expect(try names() == ["x"])
        #expect(try content("x") == "old")
    }

    @Test func keepsTheModeOfWhatItReplaces() throws {
        try prepare("old", "x").commit()
        #expect(chmod(scratch.cPath("x"), 0o640) == 0)
        try prepare("new", "x").commit()
        #expect(try root.locate("x").status()?.mode == 0o640)
    }

    @Test func aNewFileHasTheModeThatWasAskedForFromItsFirstByte() throws {
        let file = try prepare("new", "x", mode: 0o600)
        #expect(try root.locate(".temporary").status()?.mode == 0o600)
        try file.commit()
        #expect(try root.locate("x").status()?.mode == 0o600)
    }

    @Test func removesNothingThatHasTheTemporaryName() throws {
        try prepare("old", "x").commit()
        scratch.file("victim")
        for make in [{ scratch.file(".temporary") }, { scratch.link(".temporary", to: "victim") }] {
            make()
            let error = #expect(throws: Errno.self) { try prepare("new", "x") }
            #expect(error?.isExisting == true)
            #expect(try names() == [".temporary", "victim", "x"])
            #expect(try content("victim").isEmpty)
            #expect(try content("x") == "old")
            #expect(unlink(scratch.cPath(".temporary")) == 0)
        }
    }

    @Test func replacesWhatIsKnownToBeALeftover() throws {
        scratch.file(".temporary", mode: 0o400)
        let place = try root.locate("x")
        func prepare(over mode: UInt32) throws(Errno) -> AtomicFile {
            try AtomicFile.prepare([1], for: place, temporaryName: Self.temporary) { $0.mode == mode }
        }
        #expect(throws: Errno.self) { try prepare(over: 0o600) }
        try prepare(over: 0o400).commit()
        #expect(try names() == ["x"])
    }

    @Test func leavesWhatTookTheTemporaryNameWhenASignalEndsTheProcess() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = "\(scratch.path)"] in
            Interruption.installForTest()
            let place = try ConfinedFolder(Path(path)).locate("x")
            let file = try AtomicFile.prepare([1], for: place, temporaryName: AtomicFileTests.temporary)
            guard rename("\(path)/.temporary", "\(path)/moved") == 0 else { exit(1) }
            try makeFolders(at: Path(path))
            close(open("\(path)/.temporary", O_CREAT | O_WRONLY, 0o600))
            raise(SIGTERM)
            try file.commit()
        }
        #expect(try names() == [".temporary", "moved"])
    }

    @Test func canRefuseToReplace() throws {
        try prepare("old", "x").commit()
        let file = try prepare("new", "x")
        let error = #expect(throws: Errno.self) { try file.commit(replacing: false) }
        #expect(error?.isExisting == true)
        #expect(try content("x") == "old")
    }

    @Test func canBeLeftForTheCallerToLookAfter() throws {
        try prepare("new", "x").detach()
        #expect(try names() == [".temporary"])
    }

    @Test func doesNotReplaceAFolder() throws {
        scratch.folder("x")
        let file = try prepare("new", "x")
        #expect(throws: Errno.self) { try file.commit() }
        #expect(try root.locate("x").status()?.kind == .folder)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func goesAwayWhenASignalEndsTheProcess(_ signal: Int32) async throws {
        let path = scratch.path
        await #expect(processExitsWith: .signal(signal)) { [signal, path = "\(path)"] in
            Interruption.installForTest()
            let root = try ConfinedFolder(Path(path))
            let place = try root.locate("x")
            let file = try AtomicFile.prepare([1], for: place, temporaryName: AtomicFileTests.temporary)
            raise(signal)
            try file.commit()
        }
        #expect(try names() == [])
    }
}
