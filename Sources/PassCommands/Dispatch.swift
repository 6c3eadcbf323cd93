internal import CommandGrammar
internal import PasswordStore
package import Unix

/// The command line tool: from words to an exit status.
package enum Dispatch {
    /// Sets what holds for the whole process.
    ///
    /// Comes first, and once.
    ///
    /// - Returns: the environment that holds from now on. GPGME looks for gpg in the `PATH` of the process, and so that
    ///   loses the current folder; gpg asks for passphrases on the terminal that `GPG_TTY` names.
    package static func prepareProcess() -> Environment {
        Process.forgetRoot()
        Process.fillClosedDescriptors()
        Process.forbidCoreDumps()
        Process.ignoreFileSizeSignal()
        Process.ignorePipeSignal()
        Interruption.install()
        Store.useOpenPGPOnly()
        var environment = Environment.ofThisProcess()
        environment.removeRelativeFolders()
        if environment.nonEmpty("GPG_TTY") == nil {
            let descriptors = [FileDescriptor.standardInput, .standardOutput, .standardError]
            environment["GPG_TTY"] = descriptors.lazy.compactMap(Terminal.name).first?.bytes
        }
        for name in ["PATH", "GPG_TTY"] { Process.setVariable(name, environment[name]) }
        return environment
    }

    /// Runs the command that the words name.
    ///
    /// - Parameters:
    ///   - arguments: `argv`, the program's own name first.
    ///   - environment: the variables.
    ///   - currentFolder: what relative paths are relative to.
    /// - Returns: the exit status; the table in the manual says what it means.
    package static func run(_ arguments: [[UInt8]], _ environment: Environment, currentFolder: Path) -> Int32
    {
        let name = arguments.first ?? Session.ownName
        let settings = Settings(environment: environment, currentFolder: currentFolder)
        let output = Output()
        Process.setUmask(settings.umaskBits)
        for problem in settings.problems {
            output.warning("\(problem.name) \"\(problem.value)\" \(problem.meaning)")
        }
        let words = Array(arguments.dropFirst())
        var session = Session(
            program: Path(name).lastComponent,
            executable: Path(name),
            currentFolder: currentFolder,
            typed: words.first ?? [],
            settings: settings,
            store: Store(
                settings,
                statusLines: Output.printStatusLine(_:to:),
                progress: { [progress = output.progress] in progress.report($0, of: $1) }
            ),
            output: output,
            isInPlaceOfPass: Path(name).lastComponent != Session.ownName
        )
        do throws(Failure) {
            try run(words, &session)
            try output.flush()
            return ExitStatus.success
        } catch {
            return end(with: error, session)
        }
    }

    private static func run(_ words: [Word], _ session: inout Session) throws(Failure) {
        let first = words.first ?? []
        if first == ClipboardRestorer.word {
            return try ClipboardRestorer.run(Array(words.dropFirst()), in: session)
        }
        if try HostCalls.run(words, in: session) { return }
        let command = CommandTable.command(called: first)
        if let command, !CommandTable.isOurOwn(command) {
            return try run(command, Array(words.dropFirst()), session)
        }
        let extensions = ExtensionHost(session.settings)
        if let file = extensions.userExtension(first) {
            try session.verifySignature(of: file)
            try extensions.run(file, words, in: session)
        }
        // Where pass has a command by an extension of the system, ours takes that one's place.
        let file = extensions.systemExtension(first)
        if let command, file != nil || !isShadowed(command, by: first, session) {
            return try run(command, Array(words.dropFirst()), session)
        }
        if let file { try extensions.run(file, words, in: session) }
        // What is no command and no extension is, with all that follows it, something to show.
        session.typed = Array("show".utf8)
        try run(Show.self, words, session)
    }

    /// Whether an entry of a command's name is meant: in the place of pass, its commands are the only ones that win.
    ///
    /// Where that cannot be told the command says why.
    private static func isShadowed(
        _ command: any PassCommand.Type,
        by word: Word,
        _ session: Session
    ) -> Bool {
        guard CommandTable.isOurOwn(command), session.program == Array("pass".utf8),
            let name = try? EntryName(word)
        else { return false }
        return (try? session.store.contains(name)) ?? false
    }

    /// Reads the words that follow a command's name, and runs it, or shows help when they ask for that.
    ///
    /// `typed` are the words in front of a subcommand's own name.
    static func run(
        _ command: any PassCommand.Type,
        _ words: [Word],
        _ session: Session,
        behind typed: [String] = []
    ) throws(Failure) {
        // git has a help of its own. To pass it is an unknown option, or a word to look for.
        if command.command.parsing == .verbatim, words == [helpOption], command != Git.self,
            !session.isInPlaceOfPass
        {
            return try Help.print(command.command, behind: typed, in: session)
        }
        let arguments: Arguments
        do throws(UsageError) {
            let isPosixlyCorrect = session.environment["POSIXLY_CORRECT"] != nil
            arguments = try command.command.parse(
                words,
                posixlyCorrect: isPosixlyCorrect,
                asDropIn: session.isInPlaceOfPass
            )
        } catch {
            let asksForHelp = error.faults.contains(.unknownOption(Array("help".utf8)))
            if asksForHelp, !session.isInPlaceOfPass {
                return try Help.print(command.command, behind: typed, in: session)
            }
            throw session.usage(of: command.command, error)
        }
        if command.changesStore, !arguments.contains(DryRun.option) { try session.clearUp() }
        try command.run(arguments, in: session)
    }

    private static let helpOption = Array("--help".utf8)

    private static func end(with failure: Failure, _ session: Session) -> Int32 {
        for line in failure.lines { session.output.error(line) }
        // The status is that of the failure, whether or not what was printed before arrives.
        if failure.showsHelp { try? Help.print(in: session) }
        try? session.output.flush()
        return failure.status
    }
}
