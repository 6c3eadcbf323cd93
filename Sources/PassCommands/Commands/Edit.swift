internal import CommandGrammar
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// `pass edit`: changes an entry, or makes one, in the user's editor.
enum Edit: PassCommand {
    static let changesStore = true

    static let command = Command(
        "edit",
        summary: "Insert a new password or edit an existing one in the editor.",
        operands: [Operand("pass-name", completes: .entryOrFolder)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(EntryName.withoutTrailingSlash(arguments.operands[0]))
        let editor = try Editor(session)
        try session.preparingWrite(of: name) { () throws(Failure) in try edit(name, editor, session) }
    }

    private static func edit(_ name: EntryName, _ editor: Editor, _ session: Session) throws(Failure) {
        let exists = try session.asFailure { () throws(StoreError) in try session.store.contains(name) }
        let old = exists ? try read(name, session) : nil
        let file = try SecretFile(for: name, holding: old?.contents.bytes, in: session)
        let outcome = try editor.edit(file)
        if let signal = outcome.interruptedBy {
            file.remove()
            Interruption.end(by: signal)
        }
        let new: SecretBytes?
        do throws(Failure) {
            // Whether it is too much to be saved is found out where it is saved.
            new = try file.read(limit: max(Store.largestEntry, session.settings.sizeLimit))
        } catch {
            file.keep()
            throw Failure(
                error.lines + ["Error: \(name) is not saved. What you wrote is in \(file.path)."],
                status: 1
            )
        }
        let isUnchanged = new.flatMap { new in old.map { new.isEqual(to: $0.contents.bytes) } } ?? false
        guard outcome.status == 0 else {
            let problem: Text = "Error: the editor ended with status \(outcome.status); \(name) is not saved."
            guard new != nil, !isUnchanged else { throw Failure(problem) }
            file.keep()
            throw Failure("\(problem) What you wrote is in \(file.path).")
        }
        guard let new else { throw Failure("New password not saved.") }
        if isUnchanged { throw Failure("Password unchanged.") }
        let verb: Text = old == nil ? "Add" : "Edit"
        let message = ("\(verb) password for \(name) using \(editor.command)." as Text).messageBytes
        let existing: Existing = old.map { .expect($0.version) } ?? .refuse
        try save(new, as: name, file, message, existing, session)
    }

    /// Writes the new contents; when that cannot be done now, asks whether to try again, and loses nothing.
    private static func save(
        _ contents: SecretBytes,
        as name: EntryName,
        _ file: SecretFile,
        _ message: [UInt8],
        _ existing: Existing,
        _ session: Session
    ) throws(Failure) {
        while true {
            let outcome = Result { () throws(StoreError) in
                try session.store.write(contents, to: name, message: message, existing: existing)
            }
            switch outcome {
            case .success(let receipt): return try session.report(receipt, saved: "\(name) is saved")
            case .failure(let error):
                for line in Failure(error, in: session).lines { session.output.error(line) }
                guard error.isOfEncryption, FileDescriptor.standardInput.isTerminal,
                    try session.isConfirmed("GPG encryption failed. Would you like to try again?")
                else {
                    file.keep()
                    throw Failure("Error: \(name) is not saved. What you wrote is in \(file.path).")
                }
            }
        }
    }

    private static func read(
        _ name: EntryName,
        _ session: Session
    ) throws(Failure) -> (contents: EntryContents, version: FileStatus) {
        do throws(StoreError) {
            return try session.store.readVersioned(name)
        } catch {
            var failure = Failure(error, in: session)
            failure.status = ExitStatus.failure
            throw failure
        }
    }
}
