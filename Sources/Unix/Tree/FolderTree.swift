internal import SecretMemory

/// What lies below a folder, at the time it was read.
///
/// It is flat: a folder's nodes follow it, one level deeper, in order. So it costs no call per level to go through
/// or to give back, however deep it is.
public struct FolderTree: Sendable {
    /// A file, folder or link.
    public struct Node: Sendable {
        // There may be very many, which are sorted: they are kept small.
        private let level: UInt32
        private let namePlace: Place
        private let targetPlace: Place?

        /// A part of ``FolderTree/text``.
        private struct Place {
            let start: UInt32
            let end: UInt32

            init(_ range: Range<Int>) {
                start = UInt32(range.lowerBound)
                end = UInt32(range.upperBound)
            }

            var range: Range<Int> { Int(start)..<Int(end) }
        }

        /// How many folders of the tree it lies in; 0 for what is directly in the folder that was read.
        public var depth: Int { Int(level) }
        /// Its name in ``FolderTree/text``.
        package var name: Range<Int> { namePlace.range }
        /// Where the link leads to, in ``FolderTree/text``; `nil` when it is no link.
        package var target: Range<Int>? { targetPlace?.range }
        /// Its own type and permission bits, as in `st_mode`.
        ///
        /// The permissions of a file are 0 when they were not asked for (``FolderWalk/readsPermissions``).
        public internal(set) var mode: FileMode
        /// The type and permission bits of what the link leads to; `nil` when it is no link, or leads nowhere.
        public let targetMode: FileMode?
        /// What became of its contents.
        public internal(set) var contents: Contents
        /// Its number for the ``PermissionReader``, while those of the walk's files are read.
        var permissions: UInt32?

        init(
            depth: Int,
            name: Range<Int>,
            target: Range<Int>?,
            mode: FileMode,
            targetMode: FileMode?,
            contents: Contents
        ) {
            level = UInt32(depth)
            namePlace = Place(name)
            targetPlace = target.map { Place($0) }
            self.mode = mode
            self.targetMode = targetMode
            self.contents = contents
        }
    }

    /// What became of the contents of a node.
    public enum Contents: Hashable, Sendable {
        /// It has none: it is neither a folder nor a link to one.
        case none
        /// They follow, one level deeper. There may be none.
        case listed
        /// A link to a folder that came before, or to one that was not to be followed.
        case alreadySeen, notFollowed
        /// A link to a folder outside of the one that was read; never followed.
        case outside
        /// A folder that could not be read; the number is as in `errno(3)`.
        ///
        /// `ENAMETOOLONG` and `ELOOP` also stand for what lies too deep to be named by any path.
        case unreadable(Int32)
    }

    /// Files, folders and links; each folder's follow it.
    public let nodes: [Node]

    /// Names and link targets, one after the other.
    package let text: [UInt8]

    /// The node's name.
    public func name(of node: Node) -> ArraySlice<UInt8> { text[node.name] }

    /// Where a link leads to, as it stands in the link; `nil` when `node` is no link.
    public func target(of node: Node) -> ArraySlice<UInt8>? { node.target.map { text[$0] } }

    /// The same tree with fewer nodes: those that have a `true` in `isKept`.
    ///
    /// Who keeps a node keeps the folders it lies in.
    public func keeping(_ isKept: [Bool]) -> FolderTree {
        FolderTree(nodes: zip(nodes, isKept).filter(\.1).map(\.0), text: text)
    }

    /// The paths, from the folder that was read, of the regular files whose names end in `suffix`.
    ///
    /// With `ignoringCase` each letter of `suffix`, which is given in lower case, stands for its upper case too.
    /// `withLinks` says whether links to regular files count.
    public func files(endingIn suffix: String, ignoringCase: Bool, withLinks: Bool) -> [Path] {
        let suffix = Array(suffix.utf8)
        return paths { node, name in
            guard (withLinks ? node.targetMode ?? node.mode : node.mode).kind == .file else { return false }
            return name.hasSuffix(suffix, ignoringCase: ignoringCase)
        }
    }

    /// The paths of the nodes that could not be read, and why.
    public var unreadableFolders: [(path: Path, code: Int32)] {
        var codes: [Int32] = []
        let paths = paths { node, _ in
            guard case .unreadable(let code) = node.contents else { return false }
            codes.append(code)
            return true
        }
        return Array(zip(paths, codes)).map { (path: $0, code: $1) }
    }

    /// The paths, from the folder that was read, of the nodes that `isWanted` chooses.
    public func paths(where isWanted: (Node, ArraySlice<UInt8>) -> Bool) -> [Path] {
        var paths: [Path] = []
        var here: [UInt8] = []
        // The length of `here` for each depth.
        var lengths = [0]
        for node in nodes {
            lengths.removeSubrange((node.depth + 1)...)
            here.removeSubrange(lengths[node.depth]...)
            here += text[node.name]
            if isWanted(node, text[node.name]) { paths.append(Path(here)) }
            here.append(UInt8(ascii: "/"))
            lengths.append(here.count)
        }
        return paths
    }
}
