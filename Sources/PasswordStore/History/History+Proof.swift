internal import SecretMemory
internal import Unix

// What a commit holds is looked at, and not taken from git's status.
extension History {
    /// A file that `HEAD` does not hold as it is on disk.
    struct Difference {
        /// Its path below the repository's top folder.
        let path: Path
        let kind: Kind

        enum Kind {
            /// `HEAD` holds nothing there.
            case missing
            /// `HEAD` holds other bytes there.
            case other
            /// `HEAD` still holds what is gone.
            case stays
        }
    }

    /// Where `HEAD` and the disk differ in the paths of a request; `nil` when git cannot tell.
    ///
    /// After a commit without hooks the index, which is read without a git, holds what `HEAD` holds. Where the index
    /// shows a difference, or cannot be read, git is asked for `HEAD` itself.
    func differences(_ request: Request, isCommitted: Bool = false) throws(Errno) -> [Difference]? {
        let present = try present(request)
        let wanted = PathSet((present.files + present.left).map(relative))
        if isCommitted, !request.mayRunHooks, !request.configuration.mayMention("objectformat"),
            let index = try? readFile(request.gitFolder.path.appending("index")),
            let ids = GitIndex.ids(of: wanted, in: index),
            try differences(present, from: ids).isEmpty
        {
            return []
        }
        guard let ids = try idsInHead(of: request.paths) else { return nil }
        return try withoutOtherFiles(try differences(present, from: ids))
    }

    private func differences(
        _ present: Present,
        from ids: [Path: ObjectID]
    ) throws(Errno) -> [Difference] {
        var differences: [Difference] = []
        for file in present.files {
            let path = relative(file)
            if let id = ids[path] {
                if try !holds(file, id) { differences.append(.init(path: path, kind: .other)) }
            } else {
                differences.append(.init(path: path, kind: .missing))
            }
        }
        let left = PathSet(present.left.map(relative))
        for path in ids.keys where !present.left.isEmpty && left.covers(path.bytes[...]) {
            guard try status(of: prefix.appending(path)) == nil else { continue }
            differences.append(.init(path: path, kind: .stays))
        }
        return differences
    }

    /// Up to which size a file that is no part of a store is read, in bytes.
    private static let largestOtherFile = 1024 * 1024

    /// Whether a file has the content that git has under `id`; a large file that is no part of a store counts as another
    /// one.
    private func holds(_ file: Path, _ id: ObjectID) throws(Errno) -> Bool {
        let place = try root.locate(file, followingLast: false)
        guard let status = try place.status() else { return false }
        // Git takes for the content of a link where it leads.
        if status.kind == .link { return ObjectID(ofBlob: try place.linkTarget().bytes, like: id) == id }
        guard History.isOfStore(file) || status.size <= History.largestOtherFile else { return false }
        return ObjectID(ofBlob: try place.read(limit: Store.largestFile), like: id) == id
    }

    /// What a request is about, as it is on disk; all paths are below the store's root.
    private struct Present {
        /// Files that `HEAD` must hold.
        var files: [Path] = []
        /// Where something was removed: a path at which nothing is, or a folder in which something stays.
        ///
        /// What is there may be somebody else's, and only what is not there matters.
        var left: [Path] = []
    }

    private func present(_ request: Request) throws(Errno) -> Present {
        var present = Present()
        for path in request.paths {
            switch try status(of: path)?.kind {
            case nil: present.left.append(path)
            case .file?, .link?: present.files.append(path)
            case .folder? where request.added.contains(path): present.files += try files(below: path)
            case .folder?: present.left.append(path)
            default: continue
            }
        }
        return present
    }

    private func status(of path: Path) throws(Errno) -> FileStatus? {
        do throws(Errno) {
            return try root.locate(path, followingLast: false).status()
        } catch {
            guard error.isNoSuchFile else { throw error }
            return nil
        }
    }

    /// The files below a folder, but for those of other repositories, and our own that are not part of the store.
    private func files(below folder: Path) throws(Errno) -> [Path] {
        let git = Array(".git".utf8)
        let items = try root.contents(below: folder)
        let others = Set(items.filter { $0.path.lastComponent == git }.map(\.path.parent)).subtracting([
            prefix
        ])
        let isForeign = { (path: Path) in
            if others.isEmpty { return false }
            var here = path.parent
            while here.components.count > prefix.components.count {
                if others.contains(here) { return true }
                here = here.parent
            }
            return false
        }
        return items.filter { item in
            guard item.kind == .file || item.kind == .link else { return false }
            return !item.path.components.contains(git[...])
                && !item.path.lastComponent.starts(with: ".passchain-".utf8) && !isForeign(item.path)
        }.map(\.path)
    }

    /// The IDs of what `HEAD` holds at and below the paths, none for a branch without a commit; `nil` when git cannot
    /// tell.
    private func idsInHead(of paths: [Path]) throws(Errno) -> [Path: ObjectID]? {
        // What somebody put in the place of an object is not what a clone gets.
        let words = ["--no-replace-objects", "ls-tree", "-r", "-z", "HEAD", "--"]
        if let output = try run(words, on: paths) { return History.ids(inTree: output) }
        // 1: the branch has no commit. 128: there is no such repository, or it is broken.
        let head = try run(["rev-parse", "--quiet", "--verify", "HEAD"])
        return head.status == 1 ? [:] : nil
    }

    /// Reads what `git ls-tree -r -z` writes: the mode, a word, an ID, a tab, a path and a NUL for each file.
    static func ids(inTree output: [UInt8]) -> [Path: ObjectID] {
        var ids: [Path: ObjectID] = [:]
        for record in output.split(separator: 0) {
            guard let tab = record.firstIndex(of: UInt8(ascii: "\t")),
                let word = record[..<tab].split(separator: UInt8(ascii: " ")).last,
                let id = ObjectID(hexadecimal: word)
            else { continue }
            ids[Path(Array(record[(tab + 1)...]))] = id
        }
        return ids
    }

    /// Runs a command of git that takes paths as arguments only, to which there is a limit.
    ///
    /// - Returns: what it wrote; `nil` when it failed.
    func run(_ words: [String], on paths: [Path]) throws(Errno) -> [UInt8]? {
        let words = words.map { Array($0.utf8) }
        let most = 64 * 1024
        var output: [UInt8] = []
        var batch: [[UInt8]] = []
        var size = 0
        for (index, path) in paths.enumerated() {
            batch.append(relative(path).bytes)
            size += path.bytes.count + 1
            guard size > most || index + 1 == paths.count else { continue }
            let outcome = try run(words + batch)
            guard outcome.status == 0 else { return nil }
            output += outcome.output
            batch = []
            size = 0
        }
        return output
    }
}

// MARK: Why

extension History {
    /// What the index says of a file.
    private struct Marks {
        var isAssumedUnchanged: Bool
        var isSkipped: Bool
    }

    /// The files that the index knows among the differences, with their marks.
    private func marks(of differences: [Difference]) throws(Errno) -> [Path: Marks] {
        let paths = differences.map { prefix.appending($0.path) }
        let output = try run(["ls-files", "-v", "-z", "--"], on: paths) ?? []
        var marks: [Path: Marks] = [:]
        for record in output.split(separator: 0) where record.count > 2 {
            // A letter, in lower case for a file that is assumed to be unchanged, a blank, a path.
            let letter = record[record.startIndex]
            marks[Path(Array(record.dropFirst(2)))] = Marks(
                isAssumedUnchanged: letter.lowercased == letter,
                isSkipped: letter.lowercased == UInt8(ascii: "s")
            )
        }
        return marks
    }

    /// Leaves out files that are no part of a store where git does with them what it was told to: it ignores them, or
    /// stores them with other line ends, by a filter or the like.
    private func withoutOtherFiles(_ differences: [Difference]) throws(Errno) -> [Difference] {
        let others = differences.filter { $0.kind != .stays && !History.isOfStore($0.path) }
        guard !others.isEmpty else { return differences }
        let missing = others.filter { $0.kind == .missing }
        let ignored = missing.isEmpty ? [:] : try ignoreRules(for: missing)
        var fine = Set(ignored.keys)
        let stored = others.filter { $0.kind == .other }.map(\.path)
        let words = [
            "diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", "--no-relative", "HEAD", "--",
        ]
        if !stored.isEmpty, let output = try run(words, on: stored.map(prefix.appending)) {
            let changed = Set(output.split(separator: 0))
            fine.formUnion(stored.filter { !changed.contains($0.bytes[...]) })
        }
        return differences.filter { $0.kind == .stays || !fine.contains($0.path) }
    }

    private static func isOfStore(_ path: Path) -> Bool {
        let name = path.withoutSuffix(".sig").lastComponent
        return Store.isEntry(path) || name == RecipientList.fileName
    }

    /// The rules by which git ignores files, such as `.gitignore, line 3: *.gpg`.
    private func ignoreRules(for differences: [Difference]) throws(Errno) -> [Path: [UInt8]] {
        // It refuses to run with literal paths, and takes none for a pattern anyway.
        let input = Array(differences.map { Array("./".utf8) + $0.path.bytes + [0] }.joined())
        let outcome = try run(
            ["check-ignore", "-v", "-z", "--stdin"],
            input: input,
            with: [History.literalVariable: Array("0".utf8)]
        )
        let fields = outcome.output.split(separator: 0, omittingEmptySubsequences: false)
        var rules: [Path: [UInt8]] = [:]
        for start in stride(from: 0, to: fields.count - 3, by: 4)
        where fields[start + 2].first != UInt8(ascii: "!") {
            rules[Path(Array(fields[start + 3].dropFirst(2)))] =
                fields[start] + Array(", line ".utf8) + fields[start + 1] + Array(": ".utf8)
                + fields[start + 2]
        }
        return rules
    }

    /// A line for each of the first differences.
    ///
    /// - Parameters:
    ///   - differences: what is not in `HEAD`.
    ///   - isGitSilent: whether git itself gave no reason.
    /// - Returns: the lines.
    /// - Throws: ``Errno`` when git could not be started.
    func reasons(for differences: [Difference], isGitSilent: Bool) throws(Errno) -> [UInt8] {
        guard !differences.isEmpty else { return [] }
        let most = 3
        let shown = differences.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }.prefix(most)
        let rules = try ignoreRules(for: Array(shown))
        let marks = try marks(of: Array(shown))
        var lines: [UInt8] = []
        for difference in shown {
            let name = difference.path.bytes
            let said: [UInt8]? =
                if difference.kind != .stays, let rule = rules[difference.path], marks[difference.path] == nil
                {
                    name + Array(" is ignored by ".utf8) + rule
                } else if marks[difference.path]?.isSkipped == true {
                    name
                        + Array(
                            " is marked in git's index: git update-index --no-skip-worktree undoes it".utf8
                        )
                } else if isGitSilent {
                    Array("HEAD \(difference.kind == .stays ? "still holds" : "does not hold") ".utf8) + name
                        + Array("\(difference.kind == .other ? " as it is on disk" : ""): ".utf8)
                        + Array("a hook, a filter or a setting of git left it out".utf8)
                } else {
                    nil
                }
            if let said { lines += said + [UInt8(ascii: "\n")] }
        }
        if !lines.isEmpty, differences.count > most {
            lines += Array("and \(differences.count - most) more\n".utf8)
        }
        return lines
    }
}

extension History.Request {
    /// Changes a request that failed into one that may not.
    ///
    /// - Parameters:
    ///   - differences: what `HEAD` does not hold.
    ///   - spared: whether the commit was one of everything staged.
    ///   - history: the repository.
    /// - Returns: whether there is anything else to try.
    /// - Throws: ``Errno`` when git could not be started.
    mutating func change(
        for differences: [History.Difference],
        spared: Bool,
        in history: History
    ) throws(Errno) -> Bool {
        let known = try history.run(["ls-files", "-z", "--"], on: paths) ?? []
        let knownPaths = Set(known.split(separator: 0))
        let unknown = differences.filter { $0.kind != .stays && !knownPaths.contains($0.path.bytes[...]) }
        if adding.isEmpty, !unknown.isEmpty {
            adding = unknown.map { history.prefix.appending($0.path) }
            return true
        }
        let changed = paths.filter { path in
            let set = PathSet([history.relative(path)])
            return differences.contains { set.covers($0.path.bytes[...]) }
        }
        if changed.count < paths.count {
            paths = changed
            adding = []
            return true
        }
        // A commit of everything staged passes over files that are assumed to be unchanged.
        guard spared, try history.assumesUnchanged(differences) else { return false }
        sparesIndex = false
        return true
    }
}

extension History {
    fileprivate func assumesUnchanged(_ differences: [Difference]) throws(Errno) -> Bool {
        try marks(of: differences).values.contains(where: \.isAssumedUnchanged)
    }
}
