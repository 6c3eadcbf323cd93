internal import SecretMemory
internal import Unix

/// What became of a change that ought to be in the history.
public enum CommitOutcome: Sendable, Hashable {
    /// There was nothing to record.
    case unchanged
    /// A commit was made: git's summary of it, and what git and its hooks wrote as errors.
    case committed(summary: [UInt8], errors: [UInt8])
    /// git refused, or could not be started. The files are as they should be, but not in the history.
    case failed(status: Int32, output: [UInt8])
}

extension CommitOutcome {
    fileprivate static func failed(_ outcome: Subprocess.Outcome) -> CommitOutcome {
        .failed(status: outcome.status, output: outcome.output + outcome.errorOutput)
    }
}

/// The git repository that the files of one folder belong to.
///
/// All work is done by the `git` program with the user's own configuration, hooks and signing key. Nothing is ever
/// pulled or pushed. Source: `git_add_file` and `git_commit` in pass 1.7.4.
struct History: Sendable {
    /// The repository's top folder.
    let folder: Path
    /// The same, below the store's root.
    let prefix: Path
    /// The program; `nil` when there is none, and then nothing can be recorded.
    private let git: Path?
    private let environment: Environment

    /// How long a commit waits for another git to give its lock back, in seconds.
    ///
    /// A lock that is left over is never removed: only its owner knows.
    static let lockPatience = 5.0

    /// What git writes to disk before it ends: what a commit consists of, and that it is the newest.
    private static let fsync = ["-c", "core.fsync=committed,loose-object,reference"].map { Array($0.utf8) }

    /// Finds the innermost repository around `inner`, not above the store's root; `nil` when there is none.
    ///
    /// - Throws: ``Errno`` when it cannot be told whether there is one.
    init?(around inner: Path, of root: ConfinedFolder, settings: Settings) throws(Errno) {
        var here = inner.components.map(Array.init)
        while true {
            let path = Path(components: here)
            let kind = try History.kind(of: path.appending(".git"), in: root)
            if kind == .folder || kind == .file {
                folder = path.isEmpty ? root.path : root.path.appending(path)
                prefix = path
                break
            }
            if here.popLast() == nil { return nil }
        }
        git = settings.environment.findProgram(Array("git".utf8))
        var environment = settings.environment
        // Names are names: without this git takes `*` and `:(exclude)x` in them for patterns. It refuses to run when
        // one of the others is set too.
        environment["GIT_LITERAL_PATHSPECS"] = Array("1".utf8)
        for name in ["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"] {
            environment[name] = nil
        }
        let others = environment[History.recordersVariable] ?? []
        environment[History.recordersVariable] = others + Array(" \(Process.id)".utf8)
        self.environment = environment
    }

    /// Tells hooks which processes wait for them with the store's lock held, so that a command of a hook can change the
    /// store.
    private static let recordersVariable = "PASSCHAIN_RECORDING"

    /// The processes that wait for a git which this process may be a hook of, the eldest first.
    static func recorders(_ environment: Environment) -> [Int32] {
        environment.words(recordersVariable).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    private static func kind(of path: Path, in root: ConfinedFolder) throws(Errno) -> FileMode.Kind? {
        do throws(Errno) {
            return try root.locate(path).status()?.kind
        } catch {
            // A folder that has gone, and a link that leads out, have no repository of this store.
            if error.isNoSuchFile || error.leavesFolder { return nil }
            throw error
        }
    }

    /// Commits exactly `paths`, which lie below the store's root, whatever else is staged or changed.
    ///
    /// - Parameters:
    ///   - paths: files and folders that were made, changed or removed.
    ///   - adding: those among them that git may not know yet.
    ///   - removing: those among them that are no more.
    ///   - message: the commit's text.
    ///   - patience: how long to wait for another git's lock, in seconds.
    /// - Returns: what became of it; a failure changes nothing but the index.
    func commit(
        _ paths: [Path],
        adding: [Path],
        removing: [Path] = [],
        message: [UInt8],
        patience: Double = History.lockPatience
    ) -> CommitOutcome {
        guard git != nil else { return .failed(status: 127, output: Array("git is not in PATH\n".utf8)) }
        do throws(Errno) {
            // A file whose own commit failed is known to the index alone, where a commit of its removal would leave it.
            if !removing.isEmpty { _ = try patiently(patience) { () throws(Errno) in try forget(removing) } }
            return try tryCommit(paths, adding: adding, message: message, patience)
        } catch {
            return .failed(status: 127, output: Array("\(error)\n".utf8))
        }
    }

    private func tryCommit(
        _ paths: [Path],
        adding: [Path],
        message: [UInt8],
        _ patience: Double,
        sparingIndex: Bool = true
    ) throws(Errno) -> CommitOutcome {
        guard !paths.isEmpty else { return .unchanged }
        if !adding.isEmpty {
            let added = try patiently(patience) { () throws(Errno) in try add(adding) }
            guard added.status == 0 else { return .failed(added) }
        }
        var spared = false
        let outcome = try patiently(patience) { () throws(Errno) in
            let configuration = GitConfiguration(of: folder, git: git, environment)
            // Asked for each attempt: what another git staged meanwhile, or has begun, is its own.
            spared = sparingIndex ? try maySpareSecondIndex(for: paths, configuration) : false
            return try runCommit(of: paths, message, configuration, sparingIndex: spared)
        }
        if outcome.status == 0 {
            return .committed(summary: outcome.output, errors: outcome.errorOutput)
        }
        // It also fails when there is nothing to commit, for a file that was there before but never added, and for one
        // that has gone and never was.
        guard let changes = try changes(in: paths) else { return .failed(outcome) }
        if changes.isEmpty, spared {
            // A commit of everything staged passes over files that are assumed to be unchanged.
            return try tryCommit(paths, adding: [], message: message, patience, sparingIndex: false)
        }
        if changes.isEmpty { return .unchanged }
        let changed = paths.filter { path in changes.contains { $0.isAt(relative(path)) } }
        if adding.isEmpty, changes.contains(where: \.isUntracked) {
            return try tryCommit(paths, adding: paths, message: message, patience, sparingIndex: sparingIndex)
        }
        if !changed.isEmpty, changed.count < paths.count {
            return try tryCommit(changed, adding: [], message: message, patience, sparingIndex: sparingIndex)
        }
        return .failed(outcome)
    }

    private func forget(_ paths: [Path]) throws(Errno) -> Subprocess.Outcome {
        let words = [
            "rm", "-r", "--cached", "--quiet", "--ignore-unmatch", "--pathspec-from-file=-",
            "--pathspec-file-nul",
        ]
        return try run(words.map { Array($0.utf8) }, input: pathspecs(paths))
    }

    private func add(_ paths: [Path]) throws(Errno) -> Subprocess.Outcome {
        let words = ["add", "--pathspec-from-file=-", "--pathspec-file-nul"].map { Array($0.utf8) }
        return try run(words, input: pathspecs(paths))
    }

    private func runCommit(
        of paths: [Path],
        _ message: [UInt8],
        _ configuration: GitConfiguration,
        sparingIndex: Bool
    ) throws(Errno) -> Subprocess.Outcome {
        var words = ["commit"]
        if try signsCommits(configuration) { words.append("-S") }
        words += [
            sparingIndex ? "--include" : "--only", "--pathspec-from-file=-", "--pathspec-file-nul", "-m",
        ]
        let arguments = words.map { Array($0.utf8) } + [History.printable(message)]
        return try run(sparingMaintenance(configuration) + arguments, input: pathspecs(paths))
    }

    /// Runs git again when it failed because another git is at work, or because of an interrupt that was not for it.
    private func patiently(
        _ patience: Double,
        _ body: () throws(Errno) -> Subprocess.Outcome
    ) throws(Errno) -> Subprocess.Outcome {
        var outcome = try body()
        var patience = patience
        var mayTryAgain = true
        // 128: git's status for a lock, among others. Above it: ended by a signal, such as Ctrl+C for all of us.
        while outcome.status >= 128, patience > 0 {
            let pause = 0.02
            let isLocked = outcome.status == 128 ? try isIndexLocked() : false
            if isLocked, !Interruption.isPending {
                Interruption.sleep(seconds: pause)
                patience -= pause
                mayTryAgain = true
                if patience > 0, try isIndexLocked() { continue }
            }
            guard mayTryAgain else { return outcome }
            mayTryAgain = false
            outcome = try body()
        }
        return outcome
    }

    /// Whether the user wants each commit of a password store signed (`pass.signcommits`).
    private func signsCommits(_ configuration: GitConfiguration) throws(Errno) -> Bool {
        guard configuration.mayMention("signcommits") else { return false }
        let words = ["config", "--bool", "--get", "pass.signcommits"].map { Array($0.utf8) }
        return try run(words, input: []).output.starts(with: "true".utf8)
    }

    /// Runs git in the repository with its output collected.
    func run(_ arguments: [[UInt8]], input: [UInt8]) throws(Errno) -> Subprocess.Outcome {
        guard let git else { throw Errno.noSuchFile("git") }
        var child = Subprocess(git, History.fsync + arguments, environment: environment, folder: folder)
        child.input = input.isEmpty ? .nothing : .bytes(input)
        return try child.run()
    }

    private func pathspecs(_ paths: [Path]) -> [UInt8] {
        Array(paths.map { relative($0).bytes + [0] }.joined())
    }

    /// A path below the root as one below the repository's top folder.
    func relative(_ path: Path) -> Path {
        let components = path.components.dropFirst(prefix.components.count)
        return components.isEmpty ? "." : Path(components: components)
    }

    /// A commit message of one line: a name's control characters cannot add lines, and trailers, of their own.
    private static func printable(_ message: [UInt8]) -> [UInt8] {
        message.flatMap { byte in
            byte < 0x20 || byte == 0x7F ? Array("\\x".utf8) + byte.hexadecimal : [byte]
        }
    }
}
