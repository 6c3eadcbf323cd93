internal import CommandGrammar
internal import GPGME
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// What a command works with: the store, the user, and how it was called.
struct Session {
    /// The last part of `argv[0]`, which messages begin with.
    let program: Word
    /// The path that the tool was started as, for extensions.
    let executable: Path
    /// The folder that it was started in.
    let currentFolder: Path
    /// The command's name or alias as typed; `show` when none was.
    var typed: Word
    /// The variables.
    let settings: Settings
    /// The store.
    let store: Store
    /// Where text goes.
    let output: Output
    /// Whether words that mean something to pass keep that meaning, where our own would give them another.
    ///
    /// So it is under every name but our own, and for extensions.
    var isInPlaceOfPass: Bool
    /// Where a generated password goes, and a line end, instead of being announced; `nil` but for extensions.
    var passwordReceiver: FileDescriptor?

    /// The tool's own name.
    static let ownName = Array("passchain".utf8)

    /// What the tool is called where pass says `pass` under whatever name it was started: its own name under that only.
    var fixedName: Word { program == Session.ownName ? program : Array("pass".utf8) }

    /// Runs `body` with the store's errors in pass's words.
    func asFailure<Result>(_ body: () throws(StoreError) -> Result) throws(Failure) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw Failure(error, in: self)
        }
    }

    /// What is said of words that a command cannot take: getopt's sentences, and the command's usage line.
    func usage(of command: Command, _ error: UsageError? = nil) -> Failure {
        let words = error?.messages(program: program, asDropIn: isInPlaceOfPass) ?? []
        let usage = command.usage(program: program, as: typed, asDropIn: isInPlaceOfPass)
        return Failure((words + [usage]).map { "\($0)" }, status: ExitStatus.failure)
    }

    /// The name of an entry or folder, checked.
    func entryName(_ word: Word) throws(Failure) -> EntryName {
        try asFailure { () throws(StoreError) in try EntryName(word) }
    }

    /// What to say in place of gpg's own words, when the folder that `GNUPGHOME` names is the cause.
    func sentenceForGnuPGHome(after error: StoreError) -> Text? {
        settings.gnuPGHomeProblem(after: error).map(Failure.sentence)
    }

    /// The user's environment as children get it.
    var environment: Environment { settings.environment }

    /// Prints what the history recorded, and fails if it could not.
    ///
    /// - Parameters:
    ///   - receipt: what the history recorded.
    ///   - what: what is done: `x is saved`.
    ///   - subject: what is not committed then, where it is not the same: `its contents are`.
    ///   - isQuiet: whether git's summary of a commit is left out. Its errors never are.
    /// - Throws: ``Failure`` when a commit failed.
    func report(_ receipt: Receipt, saved what: Text, uncommitted subject: Text? = nil, isQuiet: Bool = false)
        throws(Failure)
    {
        output.saved = what
        for commit in receipt.commits {
            switch commit {
            case .unchanged: continue
            case .committed(let summary, let errors, let standIn):
                if !isQuiet { try output.printOutput(summary) }
                output.errorOutput(errors)
                if let standIn {
                    output.warningOnce(
                        "git knows no name and address of yours: committed as \(standIn). Set them with "
                            + "git config --global user.name and user.email."
                    )
                }
            case .failed(_, let git): output.errorOutput(git)
            }
        }
        guard receipt.failedCommit != nil else { return }
        throw Failure(
            [
                "Error: \(what), but \(subject.map { $0 + " " } ?? "")not committed to git. Mend what git reports, then commit it."
            ],
            status: ExitStatus.notCommitted
        )
    }

    /// Runs `body`, whose failure leaves what ``report(_:saved:)`` told of as it is, and says so.
    func sayingWhatIsSaved(_ body: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            try body()
        } catch {
            throw output.withWhatIsSaved(error)
        }
    }

    /// Prints the line for an entry that was encrypted anew.
    func report(_ reencryption: Reencryption) throws(Failure) {
        try output.line(
            "\(reencryption.entry): reencrypting to \(reencryption.keys.joined(separator: " "))"
        )
    }

    /// A path as pass builds it from what the user typed.
    func typedPath(_ typed: some Collection<UInt8>) -> TypedPath { TypedPath(settings.root, typed) }

    /// Runs `body` once it is sure that an entry could be written, with the folders for it made and reported.
    ///
    /// Folders that nothing came into go away again when `body` fails, or a signal ends it.
    ///
    /// - Parameters:
    ///   - name: the entry.
    ///   - isThere: whether only an entry that is there is written, for which no folder is made.
    ///   - body: writes it.
    /// - Throws: ``Failure``, that of `body` among them.
    func preparingWrite(
        of name: EntryName,
        thatIsThere isThere: Bool = false,
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        if isThere {
            try asFailure { () throws(StoreError) in try store.checkWrite(of: name) }
            return try body()
        }
        let (made, removals) = try asFailure { () throws(StoreError) in
            try Interruption.held { () throws(StoreError) in
                let made = try store.prepareWrite(of: name)
                return (made, made.map { RemovalOnSignal($0, .emptyFolder) })
            }
        }
        defer { withExtendedLifetime(removals) {} }
        do throws(Failure) {
            try reportFolders(made.count, of: typedPath(name.bytes).folderName)
            try body()
        } catch {
            store.removeFolders(made)
            throw error
        }
    }

    /// Prints a line for each of the innermost folders of `path` that were made, as `mkdir -p -v` does.
    func reportFolders(_ count: Int, of path: TypedPath) throws(Failure) {
        for folder in path.innermostFolders(count) {
            try output.line("mkdir: created directory \(quoted(folder))")
        }
    }

    /// A path in quotes, as the GNU tools write it.
    func quoted(_ path: [UInt8]) -> Text { Text(foreign: shellQuoting.quoted(path)) }

    private var shellQuoting: ShellQuoting { ShellQuoting(locale: locale) }

    /// The user's locale.
    var locale: TextLocale { TextLocale(environment: environment) }
}
