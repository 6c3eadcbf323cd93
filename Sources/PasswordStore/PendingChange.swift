internal import SecretMemory
internal import Unix

/// A change that has been begun, written down so that whoever comes next can finish it or take it back.
///
/// Its new files are first made beside the old ones, as ``temporaries``. Only when all of them are complete do the
/// ``steps`` begin, each of which may be done again after a crash. What ``commits`` say comes last.
struct PendingChange: Sendable, Hashable {
    /// Which file it was, as far as one can tell a file that somebody replaced meanwhile.
    struct Version: Sendable, Hashable {
        let inode: UInt64
        let size: Int
        let modified: Int64

        init(inode: UInt64, size: Int, modified: Int64) {
            self.inode = inode
            self.size = size
            self.modified = modified
        }

        /// Of a folder only the inode counts: what is in it comes and goes.
        init(_ status: FileStatus) {
            inode = status.inode
            size = status.kind == .folder ? 0 : status.size
            modified = status.kind == .folder ? 0 : status.modified
        }
    }

    /// One thing to be done; all paths are real ones, below the root.
    enum Step: Sendable, Hashable {
        /// A complete new file takes the place of a file of this version; `nil` when there was none.
        case replace(with: Path, at: Path, Version?)
        /// A file or folder gets another name, over what is there if that is still of the second version.
        case rename(Path, to: Path, Version, over: Version?)
        /// A file, or a folder that is empty by then, goes.
        case remove(Path, Version)
    }

    /// Something that history is to record.
    struct Commit: Sendable, Hashable {
        var paths: [Path]
        /// Those among them that git may not know yet.
        var added: [Path]
        let message: [UInt8]

        /// A NUL in the text, which would end it here and in git's argument, becomes `\x00`.
        init(paths: [Path], added: [Path], message: [UInt8]) {
            self.paths = paths
            self.added = added
            self.message = message.holdsNUL ? History.printable(message) : message
        }
    }

    /// What was asked for.
    let kind: Recovery.Change
    /// Whether it takes back the steps of a transaction that could not make them all.
    var isUndo = false
    /// Files that lie beside others until a step needs them.
    var temporaries: [Path] = []
    /// Folders that were made for it, outermost first.
    var folders: [Path] = []
    /// What is to be done; empty until everything is prepared.
    var steps: [Step] = []
    /// What is to be recorded.
    var commits: [Commit] = []
    /// What earlier changes could not get recorded.
    var leftover: [Commit] = []
}

extension PendingChange {
    private static let header = Array("passchain pending change 1".utf8)
    /// Stands in the place of the kind, which is always a transaction.
    private static let undo = Array("undo".utf8)
    private static let end = Array("end".utf8)

    /// The text that is kept on disk: fields that a NUL ends each, as no path holds one.
    var text: [UInt8] {
        var text = FieldWriter()
        text.add(PendingChange.header)
        text.add(isUndo ? PendingChange.undo : Array(kind.rawValue.utf8))
        text.add(temporaries)
        text.add(folders)
        text.add(steps.count)
        for step in steps { step.write(to: &text) }
        text.add(commits)
        text.add(leftover)
        text.add(PendingChange.end)
        return text.bytes
    }

    /// Reads what ``text`` wrote; `nil` for anything else, such as what a crash of the machine left of it.
    init?(_ text: [UInt8]) {
        var fields = FieldReader(text)
        guard fields.next() == PendingChange.header, let word = fields.next(),
            let kind = word == PendingChange.undo
                ? .transaction : Recovery.Change(rawValue: String(decoding: word, as: UTF8.self)),
            let temporaries = fields.paths(), let folders = fields.paths(), let stepCount = fields.number()
        else { return nil }
        self.init(kind: kind, isUndo: word == PendingChange.undo, temporaries: temporaries, folders: folders)
        for _ in 0..<stepCount {
            guard let step = Step(&fields) else { return nil }
            steps.append(step)
        }
        guard let commits = fields.commits(), let leftover = fields.commits() else { return nil }
        self.commits = commits
        self.leftover = leftover
        guard fields.next() == PendingChange.end, fields.isAtEnd, isHarmless else { return nil }
    }

    /// What is wrong with a text that is no change.
    enum Damage {
        /// A version of the tool that came later wrote it, and only that can tell what it says.
        case ofNewerVersion
        /// A power cut left it as it is: its end is missing, or it holds NULs where the disk had not written yet.
        ///
        /// A change is on disk before its steps begin, and so none of this one's had.
        case torn
        /// Something else, and so steps may have begun.
        case any
    }

    /// Finds out what is wrong with a text that ``init(_:)`` did not take.
    static func damage(of text: [UInt8]) -> Damage {
        var fields = FieldReader(text)
        guard let first = fields.next() else { return header.starts(with: text) ? .torn : .any }
        guard first == header else {
            let name = header.dropLast()
            let version = Int(String(decoding: first.dropFirst(name.count), as: UTF8.self)) ?? 0
            return first.starts(with: name) && version > 1 ? .ofNewerVersion : first.isEmpty ? .torn : .any
        }
        guard let word = fields.next(), !word.isEmpty else { return .torn }
        guard word == undo || Recovery.Change(rawValue: String(decoding: word, as: UTF8.self)) != nil else {
            return .any
        }
        // The temporaries and the folders; then comes the number of steps.
        for _ in 0..<2 {
            guard let field = fields.next(), !field.isEmpty else { return .torn }
            guard let count = Int(String(decoding: field, as: UTF8.self)), count >= 0 else { return .any }
            for _ in 0..<count {
                guard let path = fields.next(), !path.isEmpty else { return .torn }
            }
        }
        guard let steps = fields.next(), !steps.isEmpty else { return .torn }
        return steps == [UInt8(ascii: "0")] ? .torn : .any
    }

    /// Whether all of it stays among the store's own files.
    private var isHarmless: Bool {
        let touched = steps.flatMap { step in
            switch step {
            case .replace(let source, let target, _): [source, target]
            case .rename(let source, let target, _, _): [source, target]
            case .remove(let path, _): [path]
            }
        }
        let committed = (commits + leftover).flatMap { $0.paths + $0.added }
        return (temporaries + folders + touched).allSatisfy { !$0.isEmpty && $0.staysInStore }
            && committed.allSatisfy(\.staysInStore)
            && temporaries.allSatisfy { Store.isTemporary($0.lastComponent) }
    }
}

extension Path {
    /// Whether no component leads out of the store, or to what is git's own; an empty path is the store itself.
    fileprivate var staysInStore: Bool {
        components.allSatisfy { component in
            let word = String(decoding: component, as: UTF8.self).lowercased()
            return word != ".." && word != "." && word != ".git"
        }
    }
}

extension PendingChange.Step {
    fileprivate func write(to text: inout FieldWriter) {
        switch self {
        case .replace(let source, let target, let version):
            text.add("replace")
            text.add([source, target])
            text.add(version)
        case .rename(let source, let target, let version, let other):
            text.add("rename")
            text.add([source, target])
            text.add(version)
            text.add(other)
        case .remove(let path, let version):
            text.add("remove")
            text.add([path])
            text.add(version)
        }
    }

    fileprivate init?(_ fields: inout FieldReader) {
        guard let word = fields.next(), let paths = fields.paths(), let version = fields.version() else {
            return nil
        }
        switch (String(decoding: word, as: UTF8.self), paths.count, version) {
        case ("replace", 2, _): self = .replace(with: paths[0], at: paths[1], version)
        case ("rename", 2, let version?):
            guard let other = fields.version() else { return nil }
            self = .rename(paths[0], to: paths[1], version, over: other)
        case ("remove", 1, let version?): self = .remove(paths[0], version)
        default: return nil
        }
    }
}

/// Puts fields one after the other.
private struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ field: [UInt8]) {
        bytes += field
        bytes.append(0)
    }

    mutating func add(_ word: String) { add(Array(word.utf8)) }
    mutating func add(_ number: Int) { add(String(number)) }

    mutating func add(_ paths: [Path]) {
        add(paths.count)
        for path in paths { add(path.bytes) }
    }

    mutating func add(_ commits: [PendingChange.Commit]) {
        add(commits.count)
        for commit in commits {
            add(commit.paths)
            add(commit.added)
            add(commit.message)
        }
    }

    mutating func add(_ version: PendingChange.Version?) {
        add(version.map { "\($0.inode) \($0.size) \($0.modified)" } ?? "none")
    }
}

/// Takes fields apart again.
private struct FieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() -> [UInt8]? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return Array(rest[..<end])
    }

    /// A count of things that each take a byte at least.
    mutating func number() -> Int? {
        guard let field = next(), let number = Int(String(decoding: field, as: UTF8.self)),
            (0...rest.count).contains(number)
        else { return nil }
        return number
    }

    mutating func paths() -> [Path]? {
        guard let count = number() else { return nil }
        var paths: [Path] = []
        for _ in 0..<count {
            guard let path = next() else { return nil }
            paths.append(Path(path))
        }
        return paths
    }

    mutating func commits() -> [PendingChange.Commit]? {
        guard let count = number() else { return nil }
        var commits: [PendingChange.Commit] = []
        for _ in 0..<count {
            guard let paths = paths(), let added = self.paths(), let message = next() else { return nil }
            commits.append(PendingChange.Commit(paths: paths, added: added, message: message))
        }
        return commits
    }

    /// A version, or that there is none; `nil` for neither.
    mutating func version() -> PendingChange.Version?? {
        guard let field = next() else { return nil }
        let words = String(decoding: field, as: UTF8.self).split(separator: " ")
        if words == ["none"] { return .some(nil) }
        guard words.count == 3, let inode = UInt64(words[0]), let size = Int(words[1]),
            let modified = Int64(words[2])
        else { return nil }
        return PendingChange.Version(inode: inode, size: size, modified: modified)
    }
}
