internal import CUnix
internal import Glibc
internal import SecretMemory

/// What a ``ScratchFolder`` is known by once its process was killed: where it is, which folder that is, and who uses it.
///
/// Only what such a record names is ever removed later. A name or a content may be anybody's.
struct ScratchRecord: Sendable, Hashable {
    /// Where the folder is.
    let path: Path
    /// The folder's device and inode.
    let identity: FileIdentity
    /// Whether files in it never reach a disk.
    let isInMemory: Bool
    /// The name of the machine, and the number of its start.
    let machine: Machine
    /// The process that made it, and then those that it started to work in it.
    var users: [ProcessMark]

    /// A machine, and since when it runs.
    struct Machine: Sendable, Hashable {
        let name: [UInt8]
        let boot: [UInt8]

        init(name: [UInt8], boot: [UInt8]) {
            self.name = name
            self.boot = boot
        }

        /// This machine; `nil` when `/proc` does not tell.
        static let here: Machine? = {
            var names = utsname()
            guard uname(&names) == 0, let boot = try? readFile("/proc/sys/kernel/random/boot_id") else {
                return nil
            }
            let name = withUnsafeBytes(of: names.nodename) { bytes in Array(bytes.prefix { $0 != 0 }) }
            return Machine(name: name, boot: boot.filter { $0 > 0x20 })
        }()
    }

    /// Whether nobody who is known to use the folder is there any more.
    ///
    /// After another start of this machine nobody is; of another machine, which may share the user's files, nothing
    /// is known here.
    var isAbandoned: Bool {
        guard let here = Machine.here else { return false }
        guard machine.name == here.name || machine.boot == here.boot else { return false }
        return machine.boot != here.boot || users.allSatisfy(\.hasEnded)
    }
}

// MARK: The file

extension ScratchRecord {
    private static let heading = Array("passchain scratch folder 1".utf8)
    private static let (memory, disk) = (Array("memory".utf8), Array("disk".utf8))

    /// The text of the record: fields that each end in a NUL, to which ``line(for:)`` adds users.
    var text: [UInt8] {
        let numbers = [identity.device, identity.inode].map { Array(String($0).utf8) }
        let place = isInMemory ? Self.memory : Self.disk
        let fields = [Self.heading, machine.name, machine.boot, place] + numbers + [path.bytes]
        return fields.flatMap { $0 + [0] } + users.flatMap(Self.line)
    }

    /// What is added to the text for one more user.
    static func line(for user: ProcessMark) -> [UInt8] { Array("\(user.id) \(user.start)".utf8) + [0] }

    /// Reads what ``text`` wrote; `nil` for anything else, such as the beginning of it.
    init?(_ text: [UInt8]) {
        let fields = text.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        guard fields.count > 8, fields.last == [], fields[0] == Self.heading,
            fields[3] == Self.memory || fields[3] == Self.disk,
            let device = Self.number(fields[4]), let inode = Self.number(fields[5]),
            let path = Path(checking: fields[6]), path.isAbsolute
        else { return nil }
        var users: [ProcessMark] = []
        for field in fields[7..<(fields.count - 1)] {
            let words = field.split(separator: UInt8(ascii: " ")).map(Array.init)
            guard words.count == 2, let id = Self.number(words[0]).flatMap(Int32.init(exactly:)), id > 0,
                let start = Self.number(words[1])
            else { return nil }
            users.append(ProcessMark(id: id, start: start))
        }
        self.path = path
        identity = FileIdentity(device: device, inode: inode)
        isInMemory = fields[3] == Self.memory
        machine = Machine(name: fields[1], boot: fields[2])
        self.users = users
    }

    private static func number(_ field: [UInt8]) -> UInt64? { UInt64(String(decoding: field, as: UTF8.self)) }
}

/// Which file or folder it is, whatever it is called.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    init(_ status: stat) { self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }

    /// That of an open file.
    init(of descriptor: FileDescriptor) throws(Errno) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw Errno(.inspect, Path("file \(descriptor.number)"))
        }
        self.init(status)
    }

    /// That of what is at an absolute path itself; `nil` for nothing.
    init?(at path: Path) {
        var status = stat()
        guard withCString(path.bytes, { lstat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }
}
