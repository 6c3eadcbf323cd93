internal import SecretMemory
internal import Unix

/// What became of a change that ought to be in the history.
public enum CommitOutcome: Sendable, Hashable {
    /// There was nothing to record.
    case unchanged
    /// A commit was made: git's summary of it, and what git and its hooks wrote as errors.
    ///
    /// `standIn` is the name and address that the commit got because git knows none of the user; else `nil`.
    case committed(summary: [UInt8], errors: [UInt8], standIn: [UInt8]? = nil)
    /// git refused, left something out, or could not be started. The files are as they should be, but not in the
    /// history.
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
    /// The store's folder.
    let root: ConfinedFolder
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
    /// `.git` may be a link out of the store: nothing that is pulled can be one, as git writes no such name.
    ///
    /// - Throws: ``Errno`` when it cannot be told whether there is one.
    init?(around inner: Path, of root: ConfinedFolder, settings: Settings) throws(Errno) {
        var here = inner.components.map(Array.init)
        while true {
            let path = Path(components: here)
            let kind = try History.kind(of: path.appending(".git"), in: root)
            if kind == .folder || kind == .file || kind == .link {
                folder = path.isEmpty ? root.path : root.path.appending(path)
                prefix = path
                break
            }
            if here.popLast() == nil { return nil }
        }
        self.root = root
        git = settings.environment.findProgram(Array("git".utf8))
        var environment = settings.environment
        // Names are names: without this git takes `*` and `:(exclude)x` in them for patterns. It refuses to run when
        // one of the others is set too.
        environment[History.literalVariable] = Array("1".utf8)
        for name in ["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"] {
            environment[name] = nil
        }
        let others = environment[History.recordersVariable] ?? []
        environment[History.recordersVariable] = others + Array(" \(Process.id)".utf8)
        self.environment = environment
    }

    static let literalVariable = "GIT_LITERAL_PATHSPECS"

    /// Tells hooks which processes wait for them with the store's lock held, so that a command of a hook can change the
    /// store.
    private static let recordersVariable = "PASSCHAIN_RECORDING"

    /// The processes that wait for a git which this process may be a hook of, the eldest first.
    static func recorders(_ environment: Environment) -> [Int32] {
        environment.words(recordersVariable).compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    }

    private static func kind(of path: Path, in root: ConfinedFolder) throws(Errno) -> FileMode.Kind? {
        do throws(Errno) {
            return try root.locate(path, followingLast: false).status()?.kind
        } catch {
            // A folder that has gone, and a link that leads out, have no repository of this store.
            if error.isNoSuchFile || error.leavesFolder { return nil }
            throw error
        }
    }

    /// What is to be committed, and how.
    struct Request {
        /// Files and folders below the store's root that were made, changed or removed.
        var paths: [Path]
        /// Those among them that git is to be told of next.
        var adding: [Path]
        /// Those among them that git did not know, with everything in them.
        let added: Set<Path>
        /// The commit's text.
        let message: [UInt8]
        /// How long to wait for another git's lock, in seconds.
        let patience: Double
        /// Where git keeps the repository, and what it is told there.
        let gitFolder: GitFolder
        let configuration: GitConfiguration
        /// Whether a hook may run, which can do anything.
        let mayRunHooks: Bool
        /// Whether a commit of everything staged may take the place of one of some paths.
        var sparesIndex = true
        /// What git wrote as errors on the way.
        var notes: [UInt8] = []
        /// Who the commit is by, where git does not know.
        var standIn: StandIn?
    }

    /// Commits exactly `paths`, which lie below the store's root, whatever else is staged or changed.
    ///
    /// - Parameters:
    ///   - paths: files and folders that were made, changed or removed.
    ///   - adding: those among them that git may not know yet.
    ///   - removing: those among them that are no more.
    ///   - submodules: what is gone of them was a submodule; see ``submodules(at:)``.
    ///   - message: the commit's text.
    ///   - patience: how long to wait for another git's lock, in seconds.
    /// - Returns: what became of it; a failure changes nothing but the index.
    func commit(
        _ paths: [Path],
        adding: [Path],
        removing: [Path] = [],
        submodules: [Path] = [],
        message: [UInt8],
        patience: Double = History.lockPatience
    ) -> CommitOutcome {
        guard git != nil else { return .failed(status: 127, output: Array("git is not in PATH\n".utf8)) }
        let gitFolder = GitFolder(of: folder)
        let configuration = GitConfiguration(of: gitFolder.common, git: git, environment)
        var request = Request(
            paths: paths,
            adding: adding,
            added: Set(adding),
            message: message,
            patience: patience,
            gitFolder: gitFolder,
            configuration: configuration,
            mayRunHooks: History.mayRunHooks(gitFolder, configuration)
        )
        do throws(Errno) {
            if let refusal = try pinAttributes(in: gitFolder) { return .failed(status: 128, output: refusal) }
            // A file whose own commit failed is known to the index alone, where a commit of its removal would leave it.
            for (paths, options) in [(submodules, []), (removing, ["--cached"])] where !paths.isEmpty {
                let forgotten = try patiently(request) { () throws(Errno) in try forget(paths, options) }
                // What stays known of other paths, HEAD shows. Of a submodule it would be the list of them.
                if forgotten.status != 0, paths == submodules { return .failed(forgotten) }
                request.notes += forgotten.errorOutput
            }
            return try commit(&request)
        } catch {
            return .failed(status: 127, output: Array("\(error)\n".utf8))
        }
    }

    private func commit(_ request: inout Request) throws(Errno) -> CommitOutcome {
        guard !request.paths.isEmpty else { return .unchanged }
        if !request.adding.isEmpty {
            let added = try patiently(request) { () throws(Errno) in try add(request.adding) }
            guard added.status == 0 else { return try failure(request, added, isSilent: false) }
            request.notes += added.errorOutput
        }
        var spared = false
        let outcome = try patiently(request) { () throws(Errno) in
            // Asked for each attempt: what another git staged meanwhile, or has begun, is its own.
            spared = request.sparesIndex ? try maySpareSecondIndex(for: request) : false
            return try runCommit(request, sparingIndex: spared)
        }
        if outcome.status == 0 {
            guard let differences = try differences(request, isCommitted: true) else {
                let reason = Array("git cannot tell what HEAD holds\n".utf8)
                return .failed(
                    status: 1,
                    output: request.notes + outcome.output + outcome.errorOutput + reason
                )
            }
            guard differences.isEmpty else { return try failure(request, outcome, differences) }
            let errors = request.notes + outcome.errorOutput
            return .committed(summary: outcome.output, errors: errors, standIn: request.standIn?.text)
        }
        if outcome.status == 128, request.standIn == nil, let standIn = try standIn() {
            request.standIn = standIn
            request.adding = []
            return try commit(&request)
        }
        // It also fails when there is nothing to commit, for a file that was there before but never added, and for one
        // that has gone and never was.
        guard let differences = try differences(request) else { return try failure(request, outcome, []) }
        if differences.isEmpty { return .unchanged }
        if try request.change(for: differences, spared: spared, in: self) { return try commit(&request) }
        return try failure(request, outcome, differences)
    }

    /// The failure of a commit, with the reasons that git itself does not give.
    ///
    /// `isSilent` says whether git may have given none.
    private func failure(
        _ request: Request,
        _ outcome: Subprocess.Outcome,
        _ differences: [Difference]? = nil,
        isSilent: Bool = true
    ) throws(Errno) -> CommitOutcome {
        let found = if let differences { differences } else { try self.differences(request) ?? [] }
        // 1: git finds nothing to commit, or a hook refuses, which has said why.
        let isGitSilent = isSilent && (outcome.status == 0 || outcome.status == 1 && !request.mayRunHooks)
        let reasons = try reasons(for: found, isGitSilent: isGitSilent)
        return .failed(
            status: outcome.status,
            output: request.notes + outcome.output + outcome.errorOutput + reasons
        )
    }

    private func forget(_ paths: [Path], _ options: [String]) throws(Errno) -> Subprocess.Outcome {
        let words =
            ["rm", "-r", "--quiet", "--ignore-unmatch"] + options
            + ["--pathspec-from-file=-", "--pathspec-file-nul"]
        return try run(words, input: pathspecs(paths))
    }

    private func add(_ paths: [Path]) throws(Errno) -> Subprocess.Outcome {
        try run(["add", "--pathspec-from-file=-", "--pathspec-file-nul"], input: pathspecs(paths))
    }

    private func runCommit(_ request: Request, sparingIndex: Bool) throws(Errno) -> Subprocess.Outcome {
        var words = ["commit"]
        if try signsCommits(request.configuration) { words.append("-S") }
        words += [
            sparingIndex ? "--include" : "--only", "--pathspec-from-file=-", "--pathspec-file-nul", "-m",
        ]
        let arguments = words.map { Array($0.utf8) } + [History.printable(request.message)]
        var variables = request.standIn?.variables ?? [:]
        // The commands of a hook may give patterns.
        variables[History.literalVariable] = Array("0".utf8)
        return try run(
            sparingMaintenance(request) + arguments,
            input: pathspecs(request.paths, marked: Array(":(literal)".utf8)),
            with: variables
        )
    }

    /// Runs git again when it failed because another git is at work, or because of an interrupt that was not for it.
    private func patiently(
        _ request: Request,
        _ body: () throws(Errno) -> Subprocess.Outcome
    ) throws(Errno) -> Subprocess.Outcome {
        var outcome = try body()
        var patience = request.patience
        var mayTryAgain = true
        // 128: git's status for a lock, among others. Above it: ended by a signal, such as Ctrl+C for all of us.
        while outcome.status >= 128, patience > 0 {
            let pause = 0.02
            let isLocked = outcome.status == 128 ? request.gitFolder.has("index.lock") : false
            if isLocked, !Interruption.isPending {
                Interruption.sleep(seconds: pause)
                patience -= pause
                mayTryAgain = true
                if patience > 0, request.gitFolder.has("index.lock") { continue }
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
        return try run(["config", "--bool", "--get", "pass.signcommits"]).output.starts(with: "true".utf8)
    }

    /// Runs git in the repository with its output collected.
    ///
    /// - Parameters:
    ///   - arguments: its words.
    ///   - input: what it reads.
    ///   - variables: what it finds in its environment besides.
    /// - Returns: how it ended.
    /// - Throws: ``Errno`` when it could not be started.
    func run(
        _ arguments: [[UInt8]],
        input: [UInt8] = [],
        with variables: [String: [UInt8]] = [:]
    ) throws(Errno) -> Subprocess.Outcome {
        guard let git else { throw Errno.noSuchFile("git") }
        var environment = environment
        for (name, value) in variables { environment[name] = value }
        var child = Subprocess(git, History.fsync + arguments, environment: environment, folder: folder)
        child.input = input.isEmpty ? .nothing : .bytes(input)
        return try child.run()
    }

    /// Runs git in the repository with its output collected.
    func run(
        _ words: [String],
        input: [UInt8] = [],
        with variables: [String: [UInt8]] = [:]
    ) throws(Errno) -> Subprocess.Outcome {
        try run(words.map { Array($0.utf8) }, input: input, with: variables)
    }

    /// A variable that git and its children start with; `nil` when it is not set or empty.
    func variable(_ name: String) -> [UInt8]? { environment.nonEmpty(name) }

    private func pathspecs(_ paths: [Path], marked mark: [UInt8] = []) -> [UInt8] {
        Array(paths.map { mark + relative($0).bytes + [0] }.joined())
    }

    /// A path below the root as one below the repository's top folder.
    func relative(_ path: Path) -> Path {
        let components = path.components.dropFirst(prefix.components.count)
        return components.isEmpty ? "." : Path(components: components)
    }

    /// A commit message of one line: a name's control characters cannot add lines, and trailers, of their own.
    static func printable(_ message: [UInt8]) -> [UInt8] {
        message.flatMap { byte in
            byte < 0x20 || byte == 0x7F ? Array("\\x".utf8) + byte.hexadecimal : [byte]
        }
    }
}
