// swift-format-ignore-file: NeverForceUnwrap
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import Unix

/// A folder `inside` with files and links, and `outside` beside it.
@Suite struct ConfinedFolderTests {
    let scratch = TestFolder()
    let root: ConfinedFolder

    init() throws {
        scratch.file("inside/a/file")
        scratch.folder("inside/b/c")
        scratch.file("outside/secret")
        root = try ConfinedFolder(scratch.path.appending("inside"))
    }

    private func link(_ name: String, to target: String) {
        scratch.link(Path("inside/" + name), to: Path(target))
    }

    /// Where a path really leads.
    private func resolve(_ path: String) throws(Errno) -> Path { try root.locate(Path(path)).realPath }

    @Test(arguments: [
        ("a/file", "a/file"), ("/a/file", "a/file"), ("a//file/", "a/file"), ("./a/./file", "a/file"),
        ("a/../a/file", "a/file"), ("b/c/../../a/file", "a/file"), ("new", "new"), ("a/new", "a/new"),
        ("", ""), (".", ""), ("a/..", ""), ("b/c/..", "b"),
    ])
    func findsPlacesBelow(_ path: String, _ real: String) throws {
        #expect(try resolve(path) == Path(real))
    }

    @Test(arguments: ["..", "../outside/secret", "a/../../outside/secret", "a/../..", "/.."])
    func dotsDoNotLeadOut(_ path: String) {
        let error = #expect(throws: Errno.self) { try resolve(path) }
        #expect(error?.leavesFolder == true)
    }

    @Test(arguments: [
        (".", "l/file", "a/file"), ("../b", "l/c", "b/c"), ("..", "l/a/file", "a/file"),
        ("../a/../b/c", "l/x", "b/c/x"), ("./", "l/file", "a/file"),
    ])
    func followsRelativeLinksInside(_ target: String, _ path: String, _ real: String) throws {
        scratch.link("inside/a/l", to: Path(target))
        #expect(try resolve("a/" + path) == Path(real))
    }

    @Test func followsALinkAtTheEndUnlessToldNotTo() throws {
        link("l", to: "a/file")
        #expect(try root.locate("l").realPath == "a/file")
        #expect(try root.locate("l", followingLast: false).realPath == "l")
        #expect(try root.locate("l", followingLast: false).status()?.kind == .link)
        #expect(try root.locate("l", followingLast: false).linkTarget() == "a/file")
    }

    @Test func followsAbsoluteLinksInside() throws {
        link("l", to: "\(scratch.path)/inside/a")
        #expect(try resolve("l/file") == "a/file")
        link("top", to: "\(scratch.path)/inside")
        #expect(try resolve("top/b/c") == "b/c")
    }

    @Test func followsAbsoluteLinksThatSpellTheFolderDifferently() throws {
        scratch.link("alias", to: "inside")
        link("l", to: "\(scratch.path)/alias/a")
        #expect(try resolve("l/file") == "a/file")
        #expect(try ConfinedFolder(scratch.path.appending("alias")).locate("l/file").realPath == "a/file")
        link("out", to: "\(scratch.path)/alias/../outside/secret")
        #expect(throws: Errno.self) { try resolve("out") }
        link("back", to: "\(scratch.path)/alias/a/../../outside/secret")
        #expect(throws: Errno.self) { try resolve("back") }
    }

    @Test(arguments: [
        "../outside/secret", "../outside", "/etc/passwd", "/", "..", "a/../../outside/secret",
        "../inside/a/file",
        "../inside-not", "/dev/null", "/proc/self/root/etc/passwd", "/proc/self/cwd",
    ])
    func refusesLinksThatLeadOut(_ target: String) {
        link("l", to: target)
        for path in ["l", "l/x", "b/../l"] {
            let error = #expect(throws: Errno.self) { try root.locate(Path(path)) }
            #expect(error?.leavesFolder == true, "\(path)")
        }
        link("ll", to: "l")
        #expect(throws: Errno.self) { try root.locate("ll") }
    }

    @Test func namesInsideThatBeginLikeTheFolderAreOutside() {
        scratch.file("inside-not/secret")
        link("l", to: "\(scratch.path)/inside-not/secret")
        #expect(throws: Errno.self) { try root.locate("l") }
    }

    @Test func givesUpOnLoops() {
        link("l", to: "l")
        link("m", to: "n")
        link("n", to: "m")
        link("deep", to: "deep/deep")
        for path in ["l", "m", "m/x", "deep"] {
            #expect(throws: Errno(.resolve, Path(path), code: ELOOP)) { try root.locate(Path(path)) }
        }
    }

    @Test func givesUpOnLinksThatGrow() {
        // Each link names the next one twice: unbounded, this would be a million steps.
        for number in 0..<20 { link("l\(number)", to: "l\(number + 1)/../l\(number + 1)") }
        scratch.folder("inside/l20")
        #expect(throws: Errno(.resolve, "l0", code: ELOOP)) { try root.locate("l0") }
    }

    @Test func aMissingOrOrdinaryFileOnTheWayIsSaidSo() {
        #expect(throws: Errno(.open, "x/y", code: ENOENT)) { try root.openFolder("x/y") }
        let error = #expect(throws: Errno.self) { try root.locate("a/file/x") }
        #expect(error?.code == ENOTDIR)
    }

    @Test func doesNotOpenWhatIsNoRegularFile() throws {
        #expect(mkfifo(scratch.cPath("inside/pipe"), 0o600) == 0)
        link("l", to: "a/file")
        #expect(throws: Errno(.open, "pipe", code: EINVAL)) { try root.locate("pipe").read() }
        #expect(throws: Errno(.open, "a", code: EISDIR)) { try root.locate("a").read() }
        #expect(throws: Errno(.open, "l", code: ELOOP)) { try root.locate("l", followingLast: false).read() }
    }

    @Test func readsUpToALimit() throws {
        let file = try AtomicFile.prepare([1, 2, 3], for: root.locate("x"), temporaryName: [0x74])
        try file.commit()
        #expect(try root.locate("x").read(limit: 3) == [1, 2, 3])
        #expect(throws: Errno(.read, "x", code: EFBIG)) { try root.locate("x").read(limit: 2) }
    }

    @Test func makesFoldersAndSaysWhich() throws {
        #expect(try root.makeFolders("a/x/y") == ["a/x", "a/x/y"])
        #expect(try root.makeFolders("a/x/y") == [])
        #expect(throws: Errno(.makeFolder, "a/file", code: ENOTDIR)) { try root.makeFolders("a/file/x") }
        link("l", to: "../outside")
        #expect(throws: Errno.self) { try root.makeFolders("l/x") }
        #expect(access(scratch.cPath("outside/x"), F_OK) != 0)
    }

    @Test func removesEmptyFoldersUpwards() throws {
        try root.makeFolders("x/y/z")
        root.removeEmptyFolders(from: "x/y/z", upTo: "x/y")
        #expect(try root.locate("x").status()?.kind == .folder)
        #expect(try root.locate("x/y").status() == nil)
        root.removeEmptyFolders(from: "x")
        #expect(try root.locate("x").status() == nil)
        root.removeEmptyFolders(from: "a")
        #expect(try root.locate("a/file").status()?.kind == .file)
    }

    @Test func worksInAFolderThatWasMoved() throws {
        #expect(rename(scratch.cPath("inside"), scratch.cPath("elsewhere")) == 0)
        #expect(try root.locate("a/file").status()?.kind == .file)
    }

    /// A thread that swaps a folder for a link to another one outside, as fast as it can.
    private func swapping(_ name: String, whileRunning body: () throws -> Void) rethrows {
        let path = scratch.path.appending("inside")
        let (stop, go) = (AtomicFlag(), AtomicFlag())
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Swapper(path, name, stop, go)).toOpaque()
        pthread_create(&thread, nil, { Unmanaged<Swapper>.fromOpaque($0!).takeRetainedValue().run() }, job)
        defer {
            stop.set()
            pthread_join(thread, nil)
        }
        while !go.isSet { sched_yield() }
        try body()
    }

    @Test(arguments: ["file", "file/", "new"])
    func noSwappedLinkLeadsOut(_ last: String) throws {
        scratch.folder("inside/race")
        scratch.file("inside/race/file")
        scratch.link("inside/race-link", to: "../outside")
        let marker = Array("outside".utf8)
        let secret = try ConfinedFolder(scratch.path.appending("outside"))
        for name: Path in ["file", "new"] {
            try AtomicFile.prepare(marker, for: secret.locate(name), temporaryName: [0x74]).commit()
        }
        var found = (inside: 0, refused: 0)
        swapping("race") {
            // For as long as it takes to meet the folder both ways, whoever else keeps the machine busy.
            for attempt in 0..<1_000_000 where attempt < 3000 || found.inside == 0 || found.refused == 0 {
                do {
                    let place = try root.locate(Path("race/" + last))
                    if last == "new" {
                        let file = try AtomicFile.prepare([1], for: place, temporaryName: [0x74])
                        try file.commit()
                    } else {
                        #expect(try place.read() != marker)
                    }
                    found.inside += 1
                } catch {
                    found.refused += 1
                }
            }
        }
        #expect(found.inside > 0 && found.refused > 0, "the race was no race: \(found)")
        #expect(try secret.locate("file").read() == marker)
        #expect(try secret.locate("new").read() == marker)
        #expect(try secret.names().count == 3)
    }
}

/// Something that one thread says to another.
final class AtomicFlag: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value = false

    init() { pthread_mutex_init(lock, nil) }
    deinit { lock.deallocate() }

    var isSet: Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return value
    }

    func set() {
        pthread_mutex_lock(lock)
        value = true
        pthread_mutex_unlock(lock)
    }
}

private final class Swapper {
    private let folder: [CChar]
    private let link: [CChar]
    private let spare: [CChar]
    private let stop: AtomicFlag
    private let go: AtomicFlag

    init(_ parent: Path, _ name: String, _ stop: AtomicFlag, _ go: AtomicFlag) {
        let path = { (name: String) in
            parent.appending(Path(name)).bytes.map(CChar.init(bitPattern:)) + [0]
        }
        folder = path(name)
        link = path(name + "-link")
        spare = path(name + "-spare")
        self.stop = stop
        self.go = go
    }

    func run() -> UnsafeMutableRawPointer? {
        while !stop.isSet {
            rename(folder, spare)
            rename(link, folder)
            go.set()
            rename(folder, link)
            rename(spare, folder)
        }
        return nil
    }
}
