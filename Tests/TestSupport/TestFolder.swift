internal import Glibc
public import Unix

/// A folder for one test, with whatever is put in it; goes away at the end.
public final class TestFolder {
    /// Where it is.
    public let path: Path

    /// Makes an empty one, in memory if possible: many small folders are slow on a disk.
    public init() {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/passchain-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil)
        path = Path(template.dropLast().map(UInt8.init(bitPattern:)))
    }

    deinit {
        // rm goes by open folders, and so it gets rid of what is too deep for a path.
        let rm = Subprocess("/bin/rm", [Array("-rf".utf8), path.bytes], environment: Environment())
        // What stays behind disturbs no other test.
        _ = try? rm.run()
    }

    /// A name in it, as C functions want it.
    public func cPath(_ name: Path) -> [CChar] {
        path.appending(name).bytes.map(CChar.init(bitPattern:)) + [0]
    }

    /// Makes a folder, and those above it.
    public func folder(_ name: Path, mode: UInt32 = 0o755) {
        var made = Path([])
        for component in name.components {
            made = made.appending(Path(Array(component)))
            mkdir(cPath(made), 0o755)
        }
        precondition(chmod(cPath(name), mode) == 0)
    }

    /// Makes an empty file, and the folders above it.
    public func file(_ name: Path, mode: UInt32 = 0o644) {
        if !name.parent.isEmpty { folder(name.parent) }
        let descriptor = open(cPath(name), O_CREAT | O_WRONLY, 0o644)
        precondition(descriptor >= 0 && fchmod(descriptor, mode) == 0)
        close(descriptor)
    }

    /// Makes a link, and the folders above it.
    public func link(_ name: Path, to target: Path) {
        if !name.parent.isEmpty { folder(name.parent) }
        precondition(symlink(target.bytes.map(CChar.init(bitPattern:)) + [0], cPath(name)) == 0)
    }
}
