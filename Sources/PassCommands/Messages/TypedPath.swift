internal import CommandGrammar
internal import Unix

/// A path as pass builds it: the store's folder, a slash, and what the user typed, doubled slashes and dots included.
struct TypedPath {
    /// The bytes.
    let bytes: [UInt8]

    init(_ root: Path, _ typed: some Collection<UInt8>) { bytes = root.bytes + [UInt8(ascii: "/")] + typed }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// This path without what stands behind its last slash, and without that slash.
    var folder: TypedPath {
        TypedPath(bytes: Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)]))
    }

    /// The same, and without slashes at its end: what dirname(1) gives.
    var folderName: TypedPath {
        let folder = folder.bytes
        let end = folder.lastIndex { $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
        return TypedPath(bytes: Array(folder[..<end]))
    }

    /// This path, a slash if there is none at its end, and a name.
    func appending(_ name: [UInt8]) -> TypedPath {
        let slash = UInt8(ascii: "/")
        return TypedPath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
    }

    /// This path with a suffix right behind it.
    func withSuffix(_ suffix: String) -> TypedPath { TypedPath(bytes: bytes + Array(suffix.utf8)) }

    /// The beginnings of this path that name its `count` innermost folders, as `mkdir -p -v` names what it makes.
    ///
    /// The last is all of the path, slashes at its end included.
    func innermostFolders(_ count: Int) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        var ends: [Int] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == slash || index + 1 == bytes.count {
            let end = byte == slash ? index : index + 1
            if end > start, Array(bytes[start..<end]) != [UInt8(ascii: ".")] { ends.append(end) }
            start = index + 1
        }
        guard !ends.isEmpty else { return [] }
        let onlySlashesFollow = bytes[ends[ends.count - 1]...].allSatisfy { $0 == slash }
        if onlySlashesFollow { ends[ends.count - 1] = bytes.count }
        return ends.suffix(count).map { Array(bytes[..<$0]) }
    }
}
