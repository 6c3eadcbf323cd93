internal import CommandGrammar
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
    /// Where a generated password goes, and a line end, instead of being announced; `nil` but for extensions.
    var passwordReceiver: FileDescriptor?

    /// Runs `body` with the store's errors in pass's words.
    func asFailure<Result>(_ body: () throws(StoreError) -> Result) throws(Failure) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw Failure(error, in: self)
        }
    }

    /// The name of an entry or folder, checked.
    func entryName(_ word: Word) throws(Failure) -> EntryName {
        try asFailure { () throws(StoreError) in try EntryName(word) }
    }

    /// The path of something in the store, as pass writes it: the store's folder as given, a slash, and the rest.
    func shown(_ path: Path) -> Path { Path(settings.root.bytes + [UInt8(ascii: "/")] + path.bytes) }

    /// The user's environment as children get it.
    var environment: Environment { settings.environment }

    /// Prints what the history recorded, and fails if it could not.
    func report(_ receipt: Receipt, saved what: Text) throws(Failure) {
        for commit in receipt.commits {
            switch commit {
            case .unchanged: continue
            case .committed(let summary, let errors):
                try output.printOutput(summary)
                output.errorOutput(errors)
            case .failed(_, let git): output.errorOutput(git)
            }
        }
        guard receipt.failedCommit != nil else { return }
        throw Failure(
            ["Error: \(what), but not committed to git. Mend what git reports, then commit it."],
            status: ExitStatus.notCommitted
        )
    }

    /// Prints a line for each folder that was made, as `mkdir -v` does.
    func reportFolders(_ paths: [Path]) throws(Failure) {
        for path in paths {
            try output.line("mkdir: created directory \(quoted(path))")
        }
    }

    /// A path in quotes, as the GNU tools write it.
    func quoted(_ path: Path) -> Text { Text(foreign: shellQuoting.quoted(path.bytes)) }

    private var shellQuoting: ShellQuoting { ShellQuoting(locale: locale) }

    /// The user's locale.
    var locale: TextLocale { TextLocale(environment: environment) }
}
