internal import Unix

extension History {
    /// One thing that `git status` says.
    struct Change {
        /// Its path below the repository's top folder, as bytes.
        let path: ArraySlice<UInt8>
        let isUntracked: Bool

        /// Whether it is `path`, or lies below it.
        func isAt(_ path: Path) -> Bool {
            path == "." || self.path == path.bytes[...]
                || self.path.starts(with: path.bytes + [UInt8(ascii: "/")])
        }
    }

    /// What `git status` says about `paths`; nothing when git sees no difference, `nil` when it cannot tell.
    func changes(in paths: [Path]) throws(Errno) -> [Change]? {
        let words = ["status", "--porcelain", "-z", "--no-renames", "--"].map { Array($0.utf8) }
        // It takes paths as arguments only, and there is a limit to those.
        let most = 64 * 1024
        var changes: [Change] = []
        var batch: [[UInt8]] = []
        var size = 0
        for (index, path) in paths.enumerated() {
            batch.append(relative(path).bytes)
            size += path.bytes.count + 1
            guard size > most || index + 1 == paths.count else { continue }
            let outcome = try run(words + batch, input: [])
            guard outcome.status == 0 else { return nil }
            changes += History.changes(inStatus: outcome.output)
            batch = []
            size = 0
        }
        return changes
    }

    /// Reads what `git status --porcelain -z --no-renames` writes: two letters, a blank, a path and a NUL for each.
    ///
    /// What has no path is no change.
    static func changes(inStatus output: [UInt8]) -> [Change] {
        output.split(separator: 0).filter { $0.count > 3 }.map { record in
            Change(path: record.dropFirst(3), isUntracked: record.starts(with: "??".utf8))
        }
    }

    /// Whether another git is at work on the index, or was and left its lock.
    func isIndexLocked() throws(Errno) -> Bool {
        let lock = "index.lock"
        // Where nobody can look nothing is known to be locked, and git's own words are what the user gets.
        if let folder = try? ConfinedFolder(folder.appending(".git")) {
            return (try? folder.locate(Path(lock)).status()) != nil
        }
        // `.git` is a file here, in a worktree or a submodule; git knows what it means.
        let words = ["rev-parse", "--path-format=absolute", "--git-path", lock].map { Array($0.utf8) }
        let path = Path(Array(try run(words, input: []).output.prefix { $0 != UInt8(ascii: "\n") }))
        guard let folder = try? ConfinedFolder(path.parent) else { return false }
        return (try? folder.locate(Path(lock)).status()) != nil
    }
}
