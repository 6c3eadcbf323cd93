internal import Glibc

/// One run of a ``FolderWalk``.
///
/// It goes down by open folders and not by paths, and keeps its own stack: neither the length of a path nor the size
/// of the thread's stack sets a limit, and a folder that is moved meanwhile is not left for another.
struct FolderReading {
    /// A system call that failed, by its `errno`.
    struct Failure: Error {
        let code: Int32
    }

    /// Which folder it is, by whatever name.
    struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        init(_ status: stat) {
            device = status.st_dev
            inode = status.st_ino
        }
    }

    /// A folder on the way from the start to where the reading is.
    struct Level {
        /// -1 while it is closed to keep the number of open folders down.
        var descriptor: Int32
        let identity: Identity
        /// Where its nodes start in `pending`.
        let start: Int
        /// The next of its nodes in `pending`.
        var next: Int
        /// Whether it was reached by a link, so that `..` does not lead to the level above.
        let isLinked: Bool
    }

    /// What the kernel sets as the longest chain of links, and therefore what no path gets beyond.
    static let maximumLinks = 40
    /// How many folders are held open at a time; more than `maximumLinks`, see `closeFarFolders`.
    static let maximumOpenFolders = 64

    let walk: FolderWalk
    var nodes: [FolderTree.Node] = []
    var text: [UInt8] = []

    /// The nodes of the folders in `levels` that are still to be gone through.
    var pending: [FolderTree.Node] = []
    var levels: [Level] = []
    /// The folders that came by under their own names: each lies in the root.
    var seen: Set<Identity> = []
    var root: Identity?
    var openFolders = 0
    /// The first level that may be open without a followed link leading out of it.
    var firstOpen = 0

    let entries = FolderEntries()
    let permissionReader = PermissionReader()

    init(_ walk: FolderWalk) { self.walk = walk }

    /// Starts with a folder below `root`, and reads its names.
    mutating func start(_ folder: FileDescriptor, in root: FileDescriptor) throws(Failure) {
        self.root = try identity(of: root.number)
        let identity = try identity(of: folder.number)
        // The levels close what they hold; `folder` stays the caller's.
        let descriptor = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        levels.append(Level(descriptor: descriptor, identity: identity, start: 0, next: 0, isLinked: false))
        openFolders = 1
        seen.insert(identity)
        do throws(Failure) {
            try readNames(of: descriptor, depth: 0)
        } catch {
            leave()
            throw error
        }
    }

    /// Goes through everything, and closes what was opened.
    mutating func run() {
        while let level = levels.last {
            guard level.next < pending.count else {
                leave()
                continue
            }
            levels[levels.count - 1].next += 1
            var node = pending[level.next]
            if node.contents == .listed { enter(&node, from: level) } else { nodes.append(node) }
        }
    }

    /// Takes a folder, or a link to one, into `nodes`, and makes it the current level if it can be read.
    private mutating func enter(_ node: inout FolderTree.Node, from level: Level) {
        let isLink = node.mode.kind == .link
        let place = nodes.count
        nodes.append(node)
        do throws(Failure) {
            guard levels.count < walk.maximumDepth else { throw Failure(code: ENAMETOOLONG) }
            guard level.descriptor >= 0 else { throw Failure(code: ESTALE) }
            let known = try withName(node.name) { (name) throws(Failure) in
                try status(in: level.descriptor, name, followingLink: isLink)
            }
            nodes[place].mode = isLink ? node.mode : known.mode
            if isLink, seen.contains(known.identity) {
                nodes[place].contents = .alreadySeen
            } else {
                // A folder counts as seen even if it cannot be opened; a link's end only once it proved to be inside.
                if !isLink { seen.insert(known.identity) }
                try open(node, from: level, at: place)
            }
        } catch {
            nodes[place].contents = .unreadable(error.code)
        }
    }

    private mutating func open(
        _ node: FolderTree.Node,
        from level: Level,
        at place: Int
    ) throws(Failure) {
        let isLink = node.mode.kind == .link
        if isLink, levels.count(where: \.isLinked) == Self.maximumLinks { throw Failure(code: ELOOP) }
        let descriptor = try withName(node.name) { (name) throws(Failure) in
            try openFolder(level.descriptor, name, followingLink: isLink)
        }
        do throws(Failure) {
            let opened = try identity(of: descriptor)
            if isLink, !isInRoot(descriptor, opened) {
                nodes[place].contents = .outside
                close(descriptor)
                return
            }
            seen.insert(opened)
            let start = pending.count
            try readNames(of: descriptor, depth: node.depth + 1)
            levels.append(
                Level(descriptor: descriptor, identity: opened, start: start, next: start, isLinked: isLink)
            )
            openFolders += 1
            closeFarFolders()
        } catch {
            close(descriptor)
            throw error
        }
    }
}
