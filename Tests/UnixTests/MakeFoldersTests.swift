import Glibc
import TestSupport
import Testing
import Unix

@Suite struct MakeFoldersTests {
    let scratch = TestFolder()

    @Test(arguments: ["a/b", "a//b", "a/b/", "/a/./b"]) func makesWhatIsMissing(_ path: String) throws {
        let made = try makeFolders(at: Path("\(scratch.path)/\(path)"))
        #expect(made.count == 2)
        #expect(access(scratch.cPath("a/b"), F_OK) == 0)
        #expect(try makeFolders(at: Path("\(scratch.path)/\(path)")) == [])
        removeEmptyFolders(made)
        #expect(access(scratch.cPath("a"), F_OK) != 0)
    }

    @Test func aFileOnTheWayIsSaidSo() throws {
        scratch.file("a")
        #expect(throws: Errno(.makeFolder, scratch.path.appending("a"), code: EEXIST)) {
            try makeFolders(at: scratch.path.appending("a/b"))
        }
    }

    @Test func foldersInUseStay() throws {
        let made = try makeFolders(at: scratch.path.appending("a/b/c"))
        scratch.file("a/b/x")
        removeEmptyFolders(made)
        #expect(access(scratch.cPath("a/b/c"), F_OK) != 0)
        #expect(access(scratch.cPath("a/b/x"), F_OK) == 0)
    }
}
