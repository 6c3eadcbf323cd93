import Glibc
import TestSupport
import Testing
import Unix

@Suite struct FolderContentsTests {
    let scratch = TestFolder()

    private func contents(below folder: Path = "") throws -> [ConfinedFolder.Item] {
        try ConfinedFolder(scratch.path).contents(below: folder)
    }

    @Test func listsEachFolderBeforeWhatIsInIt() throws {
        for name: Path in ["b/z", "b/a/x", ".hidden", "a", "b-"] { scratch.file(name) }
        scratch.link("c", to: "b")
        let items = try contents()
        #expect(items.map(\.path) == [".hidden", "a", "b", "b/a", "b/a/x", "b/z", "b-", "c"])
        #expect(items.filter { $0.kind == .folder }.map(\.path) == ["b", "b/a"])
        #expect(items.filter { $0.kind == .link }.map(\.path) == ["c"])
        #expect(try contents(below: "b").map(\.path) == ["b/a", "b/a/x", "b/z"])
    }

    @Test func namesAreThoseOfTheFolderItself() throws {
        for name: Path in ["b/z", ".hidden", "a"] { scratch.file(name) }
        scratch.link("c", to: "nowhere")
        let names = try ConfinedFolder(scratch.path).names()
        #expect(Set(names) == Set(["b", ".hidden", "a", "c"].map { Array($0.utf8) }))
        #expect(names.count == 4)
    }

    @Test func holdsFewFoldersOpenHoweverManyThereAre() async {
        await #expect(processExitsWith: .success) {
            let scratch = TestFolder()
            for number in 0..<200 { scratch.file(Path("\(number)/x/file")) }
            var limit = rlimit(rlim_cur: 110, rlim_max: 110)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let root = try ConfinedFolder(scratch.path)
            guard try root.contents(below: "").count == 600 else { exit(1) }
            for _ in 0..<200 where try root.names().count != 200 { exit(2) }
        }
    }
}
