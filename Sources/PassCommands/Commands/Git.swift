internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass git`: runs git in the store, or makes the store a repository.
enum Git: PassCommand {
    static let changesStore = true

    static let command = Command(
        "git",
        summary: "Run a git command in the password store; with init, make it a git repository.",
        synopsis: "git-command-args...",
        operands: [Operand("git-command-args", completes: .gitSubcommand, occurs: .anyNumber)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        if arguments.operands.first == Array("init".utf8) {
            return try initialize(arguments.operands, session)
        }
        let git = try session.asFailure { () throws(StoreError) in try session.store.gitProgram() }
        let outcome = try Failure.wording { () throws(Errno) in
            // Without memory git has its own folder for temporary files, as with pass.
            let scratch = try? ScratchFolder(
                in: "/dev/shm",
                prefix: session.program + [UInt8(ascii: ".")],
                isInMemory: true,
                records: RecordFolder.forWriting(session.environment)
            )
            defer { scratch?.remove() }
            var environment = session.environment
            // What git decrypts for a comparison reaches no disk.
            if let scratch { environment["TMPDIR"] = scratch.path.bytes }
            let folder = session.settings.root
            return try Subprocess(git, arguments.operands, environment: environment, folder: folder)
                .runInteractively(in: scratch)
        }
        if let signal = outcome.interruptedBy { Interruption.end(by: signal) }
        if outcome.status != 0 { throw Failure([], status: outcome.status) }
    }

    private static func initialize(_ words: [Word], _ session: Session) throws(Failure) {
        let done = try session.asFailure { () throws(StoreError) in
            try session.store.initializeHistory(
                words,
                messages: (
                    contents: Array("Add current contents of password store.".utf8),
                    attributes: Array("Configure git repository for gpg file diff.".utf8)
                )
            )
        }
        try session.output.printOutput(done.output)
        session.output.errorOutput(done.errors)
        try session.report(done.receipt, saved: "The repository is made", uncommitted: "its contents are")
    }
}
