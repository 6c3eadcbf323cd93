public import Unix

extension Store {
    /// What ``initializeHistory(_:messages:)`` did.
    public struct HistoryInitialization: Sendable {
        /// What `git init` wrote.
        public let output: [UInt8]
        /// What it wrote as errors.
        public let errors: [UInt8]
        /// The two commits.
        public let receipt: Receipt
    }

    /// The git that works on the repository which the store's folder is in.
    ///
    /// What git checks out or merges then, in submodules too, is subject to no attributes that were pulled; see
    /// ``History/pinAttributes(in:)``.
    ///
    /// - Throws: ``StoreError/notInGit`` when there is no such repository, or no git.
    public func gitProgram() throws(StoreError) -> Path {
        guard let root = try openRootIfPresent(),
            let history = try asStoreError({ () throws(Errno) in
                try History(around: Path([]), of: root, settings: settings)
            }),
            let git = settings.environment.findProgram(Array("git".utf8))
        else { throw .notInGit }
        let gitFolder = GitFolder(of: history.folder)
        // Where that cannot be done git must run all the more, to set it right.
        for gitFolder in [gitFolder] + gitFolder.modules { _ = try? history.pinAttributes(in: gitFolder) }
        return git
    }

    /// Makes the store a git repository, commits what is there, and has git show entries decrypted in comparisons.
    ///
    /// - Parameters:
    ///   - arguments: `init` and what follows it.
    ///   - messages: the texts of the two commits.
    /// - Returns: what git said.
    /// - Throws: ``StoreError/git(status:output:)`` when git refuses, ``StoreError/notInitialized(folder:)``.
    public func initializeHistory(
        _ arguments: [[UInt8]],
        messages: (contents: [UInt8], attributes: [UInt8])
    ) throws(StoreError) -> HistoryInitialization {
        try locked { (root) throws(StoreError) in
            guard let git = settings.environment.findProgram(Array("git".utf8)) else { throw .noGit }
            let attributes: Path = ".gitattributes"
            try checkIsOwnFile(attributes, in: root)
            let newFiles = NewFiles()
            defer { newFiles?.giveToOwner(ofFolder: ".git", in: root) }
            let start = Subprocess(git, arguments, environment: settings.environment, folder: settings.root)
            let outcome = try asStoreError { () throws(Errno) in try start.run() }
            guard outcome.status == 0 else {
                throw .git(status: 1, output: outcome.output + outcome.errorOutput)
            }
            var receipt = try record([Path([])], adding: [Path([])], message: messages.contents, in: root)
            try add("*.gpg diff=gpg", to: attributes, in: root)
            receipt.commits += try record(
                [attributes],
                adding: [attributes],
                message: messages.attributes,
                in: root
            ).commits
            try configureDiff(in: root)
            return HistoryInitialization(
                output: outcome.output,
                errors: outcome.errorOutput,
                receipt: receipt
            )
        }
    }

    /// Refuses what is no regular file: a link that was pulled could lead to an entry.
    private func checkIsOwnFile(_ path: Path, in root: ConfinedFolder) throws(StoreError) {
        let kind = try kind(of: path, in: root, followingLast: false)
        guard kind == nil || kind == .file else { throw .file(Errno.notAFile(path)) }
    }

    /// Makes sure that a file of attributes has `line`; other lines stay.
    private func add(_ line: String, to path: Path, in root: ConfinedFolder) throws(StoreError) {
        try checkIsOwnFile(path, in: root)
        try asStoreError { () throws(Errno) in
            let place = try root.locate(path, followingLast: false)
            let line = Array(line.utf8)
            let present = try place.status()?.kind == .file ? try place.read() : []
            let newline = UInt8(ascii: "\n")
            guard !present.split(separator: newline).contains(line[...]) else { return }
            let separator = present.isEmpty || present.last == newline ? [] : [newline]
            let file = try AtomicFile.prepare(
                present + separator + line + [newline],
                for: place,
                temporaryName: Store.temporaryName(0)
            )
            try file.commit()
        }
    }

    private func configureDiff(in root: ConfinedFolder) throws(StoreError) {
        let history = try asStoreError { () throws(Errno) in
            try History(around: Path([]), of: root, settings: settings)
        }
        guard let history else { return }
        let program = GnuPG.program(settings.environment)
        var options = settings.gpgOptions
        options += ["--quiet", "--yes", "--compress-algo=none", "--no-encrypt-to"].map { Array($0.utf8) }
        if program == Array("gpg2".utf8) || settings.environment.nonEmpty("GPG_AGENT_INFO") != nil {
            options += ["--batch", "--use-agent"].map { Array($0.utf8) }
        }
        let textconv = Array(([program, Array("-d".utf8)] + options).joined(separator: " ".utf8))
        for (key, value) in [("diff.gpg.binary", Array("true".utf8)), ("diff.gpg.textconv", textconv)] {
            let words = ["config", "--local", key].map { Array($0.utf8) } + [value]
            let outcome = try asStoreError { () throws(Errno) in try history.run(words, input: []) }
            guard outcome.status == 0 else {
                throw .git(status: 1, output: outcome.output + outcome.errorOutput)
            }
        }
    }
}
