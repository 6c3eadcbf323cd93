internal import Unix

/// Paths, and everything that lies below them.
struct PathSet: Sendable {
    /// Their bytes: what is compared with them may be no path at all.
    private let paths: Set<[UInt8]>
    /// The only path; most changes are about one.
    private let only: [UInt8]?
    private let coversAll: Bool

    /// Makes a set; `.` stands for all paths.
    init(_ paths: some Collection<Path>) {
        self.paths = Set(paths.map(\.bytes))
        only = paths.count == 1 ? paths.first?.bytes : nil
        coversAll = self.paths.contains([UInt8(ascii: ".")])
    }

    /// Whether `name` is one of the paths, or lies below one.
    func covers(_ name: ArraySlice<UInt8>) -> Bool {
        if coversAll { return true }
        let slash = UInt8(ascii: "/")
        if let only {
            guard name.count >= only.count, name.starts(with: only) else { return false }
            return name.count == only.count || name[name.startIndex + only.count] == slash
        }
        if paths.contains(Array(name)) { return true }
        return name.indices.contains { name[$0] == slash && paths.contains(Array(name[..<$0])) }
    }
}

/// What git's index says of files, read without a git.
///
/// Source: `gitformat-index(5)`, versions 2 and 3 with SHA-1.
enum GitIndex {
    private static let idLength = 20

    /// The IDs of the files that `wanted` covers.
    ///
    /// - Returns: `nil` when only git can tell: another version, a split or sparse index, a conflict, or a file that is
    ///   marked (skip-worktree, intent to add).
    static func ids(of wanted: PathSet, in bytes: [UInt8]) -> [Path: ObjectID]? {
        guard bytes.count >= 12, bytes.starts(with: "DIRC".utf8), [2, 3].contains(bytes.word(at: 4)) else {
            return nil
        }
        var ids: [Path: ObjectID] = [:]
        var offset = 12
        for _ in 0..<bytes.word(at: 8) {
            guard let entry = Entry(bytes, at: offset) else { return nil }
            offset = entry.end
            // A folder of a sparse index stands for files that are not listed.
            guard !entry.isFolder else { return nil }
            guard wanted.covers(bytes[entry.name]) else { continue }
            guard !entry.isSpecial, let path = Path(checking: Array(bytes[entry.name])) else { return nil }
            ids[path] = ObjectID(bytes[entry.id])
        }
        return hasKnownExtensions(bytes, from: offset) ? ids : nil
    }

    /// Whether what follows the entries may be passed over, as git does where a name begins with a capital letter.
    private static func hasKnownExtensions(_ bytes: [UInt8], from start: Int) -> Bool {
        var offset = start
        while offset + 8 <= bytes.count - idLength {
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[offset]) else { return false }
            offset += 8 + Int(bytes.word(at: offset + 4))
        }
        return offset == bytes.count - idLength
    }

    private struct Entry {
        let id: Range<Int>
        let name: Range<Int>
        let end: Int
        let isFolder: Bool
        /// Whether it is one side of a conflict, or has flags beyond the first ones.
        let isSpecial: Bool

        init?(_ bytes: [UInt8], at start: Int) {
            // Ten words of facts, the ID, two bytes of flags.
            let flagsAt = start + 40 + idLength
            guard flagsAt + 4 <= bytes.count else { return nil }
            id = (start + 40)..<flagsAt
            isFolder = bytes.word(at: start + 24) == 0o040000
            let flags = UInt32(bytes[flagsAt]) << 8 | UInt32(bytes[flagsAt + 1])
            let isExtended = flags & 0x4000 != 0
            isSpecial = isExtended || flags & 0x3000 != 0
            let nameStart = flagsAt + (isExtended ? 4 : 2)
            var nameEnd = nameStart + Int(flags & 0xFFF)
            if flags & 0xFFF == 0xFFF {
                guard let nul = bytes[nameStart...].firstIndex(of: 0) else { return nil }
                nameEnd = nul
            }
            // One to eight NULs make its length a multiple of eight.
            end = start + ((nameEnd - start) / 8 + 1) * 8
            guard nameStart <= nameEnd, end <= bytes.count else { return nil }
            name = nameStart..<nameEnd
        }
    }
}
