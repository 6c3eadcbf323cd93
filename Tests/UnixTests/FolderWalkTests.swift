import Foundation
import Glibc
import TestSupport
import Testing

@testable import Unix

@Suite struct FolderWalkTests {
    let scratch = TestFolder()
    var walk = FolderWalk()

    private func read(_ folder: Path = "") throws -> FolderTree {
        try walk.read(folder, in: ConfinedFolder(scratch.path))
    }

    /// Each path with what became of it.
    private func shape(_ tree: FolderTree) -> [String] {
        zip(tree.paths { _, _ in true }, tree.nodes).map { path, node in
            switch node.contents {
            case .none, .listed: "\(path)"
            case .unreadable: "\(path) unreadable"
            default: "\(path) \(node.contents)"
            }
        }
    }

    @Test func goesThroughFoldersInTheOrderOfTheirBytes() throws {
        for name: Path in ["a.gpg", "a-b.gpg", "a/z", "a/B", "A.gpg", "\u{E9}.gpg", "b/c/d"] {
            scratch.file(name)
        }
        let expected = ["A.gpg", "a", "a/B", "a/z", "a-b.gpg", "a.gpg", "b", "b/c", "b/c/d", "\u{E9}.gpg"]
        #expect(try shape(read()) == expected)
        #expect(try read().nodes.map(\.depth) == [0, 0, 1, 1, 0, 0, 0, 1, 2, 0])
    }

    @Test func takesNamesOfAnyBytes() throws {
        let names: [[UInt8]] = [[0x01], [0x0A, 0x20], Array("a b'\"$`*".utf8), [0xE9], [0xFF, 0xFE]]
        for name in names { scratch.file(Path(name)) }
        let tree = try read()
        #expect(tree.nodes.map { Array(tree.name(of: $0)) } == names)
    }

    @Test mutating func leavesHiddenAndSkippedNamesOut() throws {
        for name: Path in [".gpg-id", ".x/y", "a/.git/z.gpg", "a/k.gpg", "a/.h.gpg", "..a", "skip"] {
            scratch.file(name)
        }
        #expect(try shape(read()) == ["a", "a/k.gpg", "skip"])
        walk.includesHidden = true
        walk.skippedNames = [Array(".git".utf8), Array("skip".utf8)]
        #expect(try shape(read()) == ["..a", ".gpg-id", ".x", ".x/y", "a", "a/.h.gpg", "a/k.gpg"])
    }

    @Test mutating func followsLinksInside() throws {
        scratch.file("real/x.gpg")
        scratch.link("alias", to: "real")
        scratch.link("deep/up", to: "../real/")
        scratch.link("absolute", to: scratch.path.appending("deep"))
        walk.followsLinks = true
        let tree = try read()
        #expect(
            shape(tree) == [
                "absolute", "absolute/up", "absolute/up/x.gpg",
                "alias alreadySeen",
                "deep", "deep/up alreadySeen",
                "real", "real/x.gpg",
            ]
        )
        #expect(tree.target(of: tree.nodes[3]).map(Array.init) == Array("real".utf8))
    }

    @Test mutating func doesNotFollowLinksUnlessAsked() throws {
        scratch.file("real/x.gpg")
        scratch.link("alias", to: "real")
        #expect(try shape(read()) == ["alias notFollowed", "real", "real/x.gpg"])
    }

    @Test(arguments: [
        "/tmp", "/", "../..", "in/../../..", "/proc/self/root/tmp", "../../store-not", "../hop",
    ])
    mutating func neverFollowsALinkThatLeavesTheRoot(_ target: String) throws {
        scratch.folder("store/sub/in")
        scratch.file("store-not/x.gpg")
        scratch.link("store/hop", to: "../store-not")
        scratch.link("store/sub/out", to: Path(target))
        walk.followsLinks = true
        let tree = try walk.read("", in: ConfinedFolder(scratch.path.appending("store")))
        #expect(shape(tree) == ["hop outside", "sub", "sub/in", "sub/out outside"])
    }

    @Test mutating func aLinkFromASubfolderToElsewhereInTheRootIsInside() throws {
        scratch.file("other/x.gpg")
        scratch.link("sub/l", to: "../other")
        scratch.link("sub/root", to: "..")
        walk.followsLinks = true
        #expect(
            try shape(read("sub")) == [
                "l", "l/x.gpg", "root", "root/other", "root/other/x.gpg", "root/sub",
                "root/sub/l alreadySeen", "root/sub/root alreadySeen",
            ]
        )
    }

    @Test func refusesAFolderThatIsNotInTheRoot() throws {
        scratch.folder("store")
        scratch.folder("elsewhere")
        scratch.link("store/out", to: "../elsewhere")
        let store = try ConfinedFolder(scratch.path.appending("store"))
        for name: Path in ["out", "..", "nothing"] {
            #expect(throws: Errno.self) { try FolderWalk().read(name, in: store) }
        }
    }

    @Test mutating func linksInCirclesEnd() throws {
        scratch.link("a/b", to: "../c")
        scratch.link("c/d", to: "../a")
        scratch.link("c/self", to: ".")
        scratch.link("loop", to: "loop")
        scratch.link("up", to: ".")
        walk.followsLinks = true
        let tree = try read()
        #expect(
            shape(tree) == [
                "a", "a/b", "a/b/d alreadySeen", "a/b/self alreadySeen",
                "c", "c/d alreadySeen", "c/self alreadySeen", "loop", "up alreadySeen",
            ]
        )
        #expect(
            try #require(tree.nodes.first { tree.name(of: $0).elementsEqual("loop".utf8) }).targetMode == nil
        )
    }

    @Test mutating func linksThatLeadToLinksWithoutEndAreBounded() throws {
        // Each folder has a link to the next.
        for number in 0..<100 { scratch.link(Path("\(1000 + number)/l"), to: Path("../\(1001 + number)")) }
        scratch.folder("1100")
        walk.followsLinks = true
        let tree = try read()
        #expect(tree.nodes.map(\.depth).max() == FolderReading.maximumLinks + 1)
        #expect(tree.unreadableFolders.map(\.code).contains(ELOOP))
        #expect(tree.nodes.filter { $0.depth == 0 }.count == 101)
    }

    @Test mutating func tellsKindsAndPermissions() throws {
        scratch.file("plain", mode: 0o600)
        scratch.file("program", mode: 0o755)
        scratch.folder("sticky", mode: 0o1777)
        mkfifo(scratch.cPath("pipe"), 0o600)
        scratch.link("link", to: "program")
        scratch.link("nowhere", to: "gone")
        walk.readsPermissions = true
        let tree = try read()
        #expect(tree.nodes.map(\.mode.kind) == [.link, .link, .pipe, .file, .file, .folder])
        #expect(tree.nodes[0].targetMode?.isExecutable == true)
        #expect(tree.nodes[1].targetMode == nil)
        #expect(!tree.nodes[3].mode.isExecutable && tree.nodes[4].mode.isExecutable)
        #expect(tree.nodes[5].mode.isSticky && tree.nodes[5].mode.isWritableByOthers)
    }

    /// So many that they are read beside the walk, and some of them after it.
    @Test mutating func tellsPermissionsOfManyFiles() throws {
        for folder in 0..<60 {
            for file in 0..<30 {
                let isProgram = (folder + file) % 7 == 0
                scratch.file(Path("f\(folder)/e\(file)"), mode: isProgram ? 0o755 : 0o600)
            }
        }
        walk.readsPermissions = true
        let tree = try read()
        let files = tree.paths { node, _ in node.mode.kind == .file }.map { "\($0)" }
        let programs = tree.paths { node, _ in node.mode.kind == .file && node.mode.isExecutable }.map {
            "\($0)"
        }
        #expect(files.count == 1800)
        let expected = (0..<60).flatMap { folder in
            (0..<30).filter { (folder + $0) % 7 == 0 }.map { "f\(folder)/e\($0)" }
        }
        #expect(Set(programs) == Set(expected))
    }

    @Test(arguments: [(0o666 as mode_t, true), (0o400, true), (0o601, false), (0o4600, false)], [1, 1000])
    mutating func tellsWhetherFilesArePlain(_ last: (mode: mode_t, isPlain: Bool), _ count: Int) throws {
        for file in 0..<count { scratch.file(Path("e\(file)"), mode: 0o600) }
        scratch.file("last", mode: last.mode)
        walk.readsPermissions = true
        let unfinished = try walk.start("", in: ConfinedFolder(scratch.path))
        #expect(unfinished.isPlain == last.isPlain)
        #expect(unfinished.tree.nodes.count == count + 1)
        #expect(unfinished.finish().nodes.last?.mode.bits == S_IFREG | last.mode)
    }

    @Test mutating func aFileThatHasGoneIsNotPlain() throws {
        // Fewer than start the thread: nobody looks at them before the end.
        for file in 0..<60 { scratch.file(Path("e\(file)"), mode: 0o600) }
        walk.readsPermissions = true
        let unfinished = try walk.start("", in: ConfinedFolder(scratch.path))
        try FileManager.default.removeItem(atPath: scratch.path.appending("e30").description)
        #expect(!unfinished.isPlain)
        #expect(unfinished.finish().nodes.count == 59)
    }

    @Test mutating func tellsPermissionsOfWhatIsKept() throws {
        scratch.file("a/program", mode: 0o755)
        scratch.file("a/plain", mode: 0o600)
        scratch.file("b/gone", mode: 0o755)
        scratch.file("top", mode: 0o755)
        scratch.link("link", to: "a")
        walk.followsLinks = true
        let tree = try read()
        #expect(shape(tree) == ["a", "a/plain", "a/program", "b", "b/gone", "link alreadySeen", "top"])
        #expect(tree.nodes.filter { $0.mode.kind == .file && $0.mode.isExecutable }.isEmpty)
        try FileManager.default.removeItem(atPath: scratch.path.appending("b").description)
        let root = try ConfinedFolder(scratch.path)
        let known = tree.keeping(tree.nodes.map { !tree.name(of: $0).elementsEqual("plain".utf8) })
            .withPermissions(of: "", in: root)
        #expect(shape(known) == ["a", "a/program", "b", "link alreadySeen", "top"])
        #expect(known.nodes.filter { $0.mode.kind == .file }.map(\.mode.isExecutable) == [true, true])
    }

    @Test func marksFoldersThatCannotBeOpened() async {
        await #expect(processExitsWith: .success) {
            Machine.becomeOrdinaryUser()
            let suite = FolderWalkTests()
            let scratch = suite.scratch
            scratch.file("locked/x")
            scratch.file("open/x")
            chmod(scratch.cPath("locked"), 0)
            defer { chmod(scratch.cPath("locked"), 0o700) }
            let tree = try suite.read()
            #expect(suite.shape(tree) == ["locked unreadable", "open", "open/x"])
            #expect(tree.unreadableFolders.map(\.code) == [EACCES])
        }
    }
}

@Suite struct FolderWalkDepthTests {
    let scratch = TestFolder()

    /// Makes folders in each other, each with a file and, if asked for, a second folder.
    private func nest(_ count: Int, withBranches: Bool) throws {
        var here = open(scratch.cPath(""), O_RDONLY | O_DIRECTORY)
        for _ in 0..<count {
            mkdirat(here, "d", 0o755)
            if withBranches {
                mkdirat(here, "e", 0o755)
                close(openat(here, "f", O_CREAT | O_WRONLY, 0o644))
            }
            let next = openat(here, "d", O_RDONLY | O_DIRECTORY)
            try #require(next >= 0)
            close(here)
            here = next
        }
        close(here)
    }

    private func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test func aHundredThousandFoldersInEachOtherDoNoHarm() throws {
        try nest(100_000, withBranches: false)
        let root = try ConfinedFolder(scratch.path)
        let cutOff = try FolderWalk().read("", in: root)
        #expect(cutOff.nodes.count == FolderWalk().maximumDepth)
        #expect(cutOff.unreadableFolders.map(\.code) == [ENAMETOOLONG])

        var walk = FolderWalk()
        walk.maximumDepth = .max
        let whole = try walk.read("", in: root)
        #expect(whole.nodes.count == 100_000)
        #expect(!whole.nodes.contains { $0.contents != .listed })
    }

    @Test func findsTheWayBackToFoldersThatWereClosed() throws {
        try nest(1_000, withBranches: true)
        let tree = try FolderWalk().read("", in: ConfinedFolder(scratch.path))
        #expect(tree.nodes.count == 3_000)
        #expect(tree.unreadableFolders.isEmpty)
        #expect(tree.files(endingIn: "f", ignoringCase: false, withLinks: false).count == 1_000)
    }

    @Test func findsTheWayBackOutOfFollowedLinks() throws {
        for number in 10..<50 {
            let deep = Path((0..<20).map { "\(number)-\($0)" }.joined(separator: "/"))
            scratch.link(
                deep.appending("a"),
                to: Path(String(repeating: "../", count: 20) + "\(number + 1)-0")
            )
            scratch.folder(deep.appending("b"))
        }
        scratch.folder("50-0")
        var walk = FolderWalk()
        walk.followsLinks = true
        walk.order = .posix
        let tree = try walk.read("", in: ConfinedFolder(scratch.path))
        // The first chain goes through all of them; then each comes by once more under its own name.
        #expect(tree.unreadableFolders.isEmpty)
        #expect(tree.nodes.count(where: { tree.name(of: $0) == Array("b".utf8)[...] }) == 40 + 39)
    }

    @Test func closesEveryFolder() throws {
        try nest(300, withBranches: true)
        scratch.link("out", to: "/")
        scratch.link("in", to: "d/d/d")
        var walk = FolderWalk()
        walk.followsLinks = true
        // Other tests open and close files meanwhile: a leak would be of hundreds.
        let before = try openDescriptors()
        for _ in 0..<5 { _ = try walk.read("", in: ConfinedFolder(scratch.path)) }
        #expect(try openDescriptors() < before + 200)
    }
}

@Suite struct FolderTreeFilesTests {
    let scratch = TestFolder()

    private func files(ignoringCase: Bool, withLinks: Bool) throws -> [String] {
        var walk = FolderWalk()
        walk.includesHidden = true
        walk.skippedNames = [".git", ".extensions", ".public-keys"].map { Array($0.utf8) }
        let tree = try walk.read("", in: ConfinedFolder(scratch.path))
        return tree.files(endingIn: ".gpg", ignoringCase: ignoringCase, withLinks: withLinks).map(
            \.description
        )
    }

    @Test func findsEntriesEverywhereButInSkippedAndLinkedFolders() throws {
        for name: Path in [
            "b.gpg", "a/x.gpg", "a/.h/y.gpg", ".z.gpg", "a/UP.GPG", "a/notes.txt", "folder.gpg/in.gpg",
            ".gpg-id",
            ".git/o.gpg", "a/.git/o.gpg", "a/.extensions/o.gpg", ".public-keys/o.gpg", "x.gpg.txt", "gpg",
        ] { scratch.file(name) }
        scratch.link("linked", to: "a")
        scratch.link("l.gpg", to: "b.gpg")
        scratch.link("gone.gpg", to: "nowhere")
        scratch.link("folderlink.gpg", to: "a")

        let plain = [".z.gpg", "a/.h/y.gpg", "a/x.gpg", "b.gpg", "folder.gpg/in.gpg"]
        #expect(try files(ignoringCase: false, withLinks: false) == plain)
        #expect(try files(ignoringCase: true, withLinks: false) == (plain + ["a/UP.GPG"]).sorted())
        #expect(try files(ignoringCase: false, withLinks: true) == (plain + ["l.gpg"]).sorted())
    }
}
