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
        let status = try session.asFailure { () throws(StoreError) in
            try session.store.runGit(arguments.operands, temporaryFolderPrefix: session.program)
        }
        if status != 0 { throw Failure([], status: status) }
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
        try session.report(done.receipt, saved: "The repository is made")
    }
}
