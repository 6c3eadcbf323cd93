import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import Unix

/// What is left of processes that were killed, and what only looks like it.
@Suite struct ScratchRecordTests {
    let scratch = TestFolder()

    init() { scratch.folder("run", mode: 0o700) }

    private var environment: Environment { Environment(["XDG_RUNTIME_DIR": "\(scratch.path)/run"]) }

    private func sweep() -> [Path] { ScratchFolder.removeAbandoned(RecordFolder.forReading(environment)) }

    private func make() throws -> ScratchFolder {
        try ScratchFolder(
            in: scratch.path,
            prefix: Array("pass.".utf8),
            isInMemory: true,
            records: .forWriting(environment)
        )
    }

    private func records() throws -> [Path] {
        try ConfinedFolder(scratch.path.appending("run/passchain")).names().map { Path($0) }
    }

    private func folders() throws -> [Path] {
        try ConfinedFolder(scratch.path).names().map { Path($0) }.filter { $0 != "run" }
    }

    /// What a killed process leaves: a folder with a file in it, and a record.
    private func abandon() async throws -> Path {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = "\(scratch.path)"] in
            let environment = Environment(["XDG_RUNTIME_DIR": path + "/run"])
            let records = RecordFolder.forWriting(environment)
            let folder = try ScratchFolder(
                in: Path(path),
                prefix: [0x70],
                isInMemory: false,
                records: records
            )
            try folder.write(SecretBytes(copying: [1].span), to: folder.path.appending("file"))
            kill(getpid(), SIGKILL)
            withExtendedLifetime(folder) {}
        }
        return scratch.path.appending(try #require(try folders().first { $0.bytes.count == 14 }))
    }

    @Test func whatAKilledProcessLeftIsRemoved() async throws {
        let left = try await abandon()
        let mine = try make()
        // Others look alike, or hold what a mark might be.
        scratch.folder("pass.abcdefghijklm", mode: 0o700)
        scratch.file("pass.abcdefghijklm/.passchain-scratch")
        scratch.file("p1234567890123/nopqrs-x.txt")
        #expect(sweep() == [left])
        #expect(try folders().count == 3)
        #expect(try records().count == 1)
        #expect(access("\(mine.path)", F_OK) == 0)
        withExtendedLifetime(mine) {}
    }

    @Test func aFolderThatTookThePlaceStays() async throws {
        let left = try await abandon()
        #expect(rename("\(left)", "\(left)-moved") == 0)
        scratch.file(Path(left.lastComponent).appending("file"))
        #expect(sweep() == [])
        #expect(access("\(left)/file", F_OK) == 0 && access("\(left)-moved/file", F_OK) == 0)
        #expect(try records().isEmpty)
    }

    @Test func aLinkThatTookThePlaceLeadsNowhere() async throws {
        let left = try await abandon()
        #expect(rename("\(left)", "\(left)-moved") == 0)
        scratch.link(Path(left.lastComponent), to: Path(left.lastComponent + Array("-moved".utf8)))
        #expect(sweep() == [])
        #expect(access("\(left)-moved/file", F_OK) == 0)
    }

    @Test func aFileWithAnotherNameIsUnlinkedAndNotOverwritten() async throws {
        let left = try await abandon()
        #expect(link("\(left)/file", scratch.cPath("kept")) == 0)
        #expect(sweep() == [left])
        #expect(try readFile(scratch.path.appending("kept")) == [1])
    }

    @Test func whatAChildStillHoldsStays() async throws {
        let left = try await abandon()
        // Whoever inherited the folder has its lock.
        let lock = try openFolderFile(AT_FDCWD, left.bytes, showing: left)
        #expect(flock(lock.number, LOCK_SH) == 0)
        #expect(sweep() == [])
        #expect(try records().count == 1)
        #expect(flock(lock.number, LOCK_UN) == 0)
        #expect(sweep() == [left])
    }

    @Test func whatAKnownUserStillUsesStays() async throws {
        let left = try await abandon()
        let record = scratch.path.appending("run/passchain").appending(try #require(try records().first))
        RecordFolder.add(try #require(ProcessMark(ofRunning: getpid())), to: record)
        #expect(sweep() == [])
        #expect(access("\(left)/file", F_OK) == 0)
    }

    @Test func anotherProcessOfTheSameNumberIsNoUser() async throws {
        let left = try await abandon()
        let record = scratch.path.appending("run/passchain").appending(try #require(try records().first))
        let mine = try #require(ProcessMark(ofRunning: getpid()))
        RecordFolder.add(ProcessMark(id: mine.id, start: mine.start + 1), to: record)
        #expect(sweep() == [left])
    }

    /// A record may come from elsewhere, with a backup for instance, but folders are not made so.
    @Test(
        arguments: [("Documents", 0o700), ("pass.abc-efghijklm", 0o700), ("pass.abcdefghijklm", 0o755)]
            as [(Path, UInt32)]
    )
    func aForgedRecordRemovesNoFolderThatIsNotAsOursAre(_ name: Path, _ mode: UInt32) throws {
        scratch.file(name.appending("file"))
        scratch.folder(name, mode: mode)
        let path = scratch.path.appending(name)
        let record = ScratchRecord(
            path: path,
            identity: try #require(FileIdentity(at: path)),
            isInMemory: false,
            machine: try #require(ScratchRecord.Machine.here),
            users: [ProcessMark(id: getpid(), start: 0)]
        )
        #expect(record.isAbandoned)
        _ = try #require(RecordFolder.forWriting(environment)?.keep(record))
        #expect(sweep() == [])
        #expect(access("\(path)/file", F_OK) == 0)
    }

    @Test func whatIsLeftToTheUserStays() throws {
        do {
            let folder = try make()
            try folder.write(SecretBytes(copying: [1].span), to: folder.path.appending("file"))
            #expect(try records().count == 1)
            folder.keep()
        }
        #expect(try records().isEmpty)
        #expect(sweep() == [])
        #expect(try folders().count == 1)
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func theRecordGoesWithTheFolderOnASignal(_ signal: Int32) async throws
    {
        await #expect(processExitsWith: .signal(signal)) { [signal, path = "\(scratch.path)"] in
            Interruption.installForTest()
            let records = RecordFolder.forWriting(Environment(["XDG_RUNTIME_DIR": path + "/run"]))
            let folder = try ScratchFolder(in: Path(path), prefix: [0x70], isInMemory: true, records: records)
            raise(signal)
            withExtendedLifetime(folder) {}
        }
        #expect(try folders().isEmpty)
        #expect(try records().isEmpty)
    }

    // MARK: Records

    private static let record = ScratchRecord(
        path: "/dev/shm/a\nb",
        identity: FileIdentity(device: 26, inode: 4711),
        isInMemory: false,
        machine: .init(name: Array("host".utf8), boot: Array("boot".utf8)),
        users: [ProcessMark(id: 1, start: 2), ProcessMark(id: 3, start: .max)]
    )

    @Test func areReadAsTheyWereWritten() throws {
        let text = Self.record.text
        #expect(ScratchRecord(text) == Self.record)
        var more = Self.record
        more.users.append(ProcessMark(id: 5, start: 6))
        #expect(ScratchRecord(text + ScratchRecord.line(for: ProcessMark(id: 5, start: 6))) == more)
        // Not what a kill left of one, nor anything else.
        let complete = text.count - ScratchRecord.line(for: Self.record.users[1]).count
        for count in text.indices where count != complete {
            #expect(ScratchRecord(Array(text[..<count])) == nil)
        }
        for other in ["", "passchain scratch folder 1", "x\0\0\0\0\0\0\0\0\0"] {
            #expect(ScratchRecord(Array(other.utf8)) == nil)
        }
    }

    @Test func ofAnotherMachineAreNotJudgedHere() throws {
        let here = try #require(ScratchRecord.Machine.here)
        func isAbandoned(_ name: [UInt8], _ boot: [UInt8], _ users: [ProcessMark]) -> Bool {
            ScratchRecord(
                path: "/x",
                identity: Self.record.identity,
                isInMemory: true,
                machine: .init(name: name, boot: boot),
                users: users
            ).isAbandoned
        }
        let mine = try #require(ProcessMark(ofRunning: getpid()))
        let other = Array("another".utf8)
        #expect(!isAbandoned(other, other, [mine]))
        #expect(isAbandoned(here.name, other, [mine]))
        #expect(!isAbandoned(here.name, here.boot, [mine]))
        #expect(isAbandoned(here.name, here.boot, [ProcessMark(id: mine.id, start: 0)]))
        #expect(!isAbandoned(here.name, here.boot, [ProcessMark(id: mine.id, start: 0), mine]))
    }

    // MARK: Where they lie

    private func path(_ variables: [String: String]) -> Path? {
        RecordFolder.forWriting(Environment(variables))?.path
    }

    @Test func theFirstFolderThatIsOfThisUserAlone() throws {
        let top = "\(scratch.path)"
        #expect(path(["XDG_RUNTIME_DIR": top + "/run", "HOME": top]) == Path(top + "/run/passchain"))
        #expect(chmod(top + "/run", 0o770) == 0)
        #expect(path(["XDG_RUNTIME_DIR": top + "/run"]) == nil)
        #expect(
            path(["XDG_RUNTIME_DIR": top + "/run", "HOME": top]) == Path(top + "/.local/state/passchain")
        )
        #expect(path(["XDG_STATE_HOME": top + "/a/b", "HOME": top]) == Path(top + "/a/b/passchain"))
        #expect(path(["XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "state"]) == nil)
        #expect(path(["HOME": top + "/nobody"]) == nil && access(top + "/nobody", F_OK) != 0)
        #expect(path([:]) == nil)
    }

    @Test(arguments: ["chmod 770", "a link", "a file"]) func neverWhereOthersCouldWrite(_ kind: String) throws
    {
        scratch.folder("elsewhere", mode: 0o700)
        switch kind {
        case "a link": scratch.link("run/passchain", to: "../elsewhere")
        case "a file": scratch.file("run/passchain")
        default: scratch.folder("run/passchain", mode: 0o770)
        }
        #expect(RecordFolder.forWriting(environment) == nil)
        #expect(RecordFolder.forReading(environment).isEmpty)
    }

    /// Whoever may write beside the folder may replace it once it was looked at.
    @Test func aFolderThatTookItsPlaceHoldsNoRecords() async throws {
        let left = try await abandon()
        let folders = RecordFolder.forReading(environment)
        #expect(folders.map { $0.records().count } == [1])
        #expect(rename("\(scratch.path)/run/passchain", "\(scratch.path)/run/clone") == 0)
        scratch.link("run/passchain", to: "clone")
        #expect(folders.map { $0.records().count } == [1])
        #expect(unlink(scratch.cPath("run/passchain")) == 0)
        scratch.folder("other", mode: 0o700)
        let name = try #require(try ConfinedFolder(scratch.path.appending("run/clone")).names().first)
        let record = try readFile(scratch.path.appending("run/clone").appending(Path(name)))
        scratch.file(Path("other").appending(Path(name)), mode: 0o600)
        let file = open(scratch.cPath(Path("other").appending(Path(name))), O_WRONLY)
        #expect(write(file, record, record.count) == record.count && close(file) == 0)
        scratch.link("run/passchain", to: "../other")
        #expect(ScratchFolder.removeAbandoned(folders).isEmpty)
        #expect(access("\(left)/file", F_OK) == 0)
    }

    @Test func withoutSuchAFolderThereIsNoRecord() throws {
        let folder = try ScratchFolder(
            in: scratch.path,
            prefix: [0x70],
            isInMemory: true,
            records: .forWriting(Environment())
        )
        #expect(try folders() == [Path(folder.path.lastComponent)])
        #expect(access(scratch.cPath("run/passchain"), F_OK) != 0)
    }
}
