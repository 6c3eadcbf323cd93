internal import CommandGrammar
internal import GPGME
internal import PasswordStore
internal import Unix

/// `pass init`: names the recipients of the store or of one of its folders.
enum Init: PassCommand {
    static let changesStore = true

    static let path = Option(
        "path",
        "p",
        value: .required("subfolder"),
        completes: .folder,
        summary: "Use the GPG ids for this folder and what is below it only."
    )

    static let command = Command(
        "init",
        summary: "Name the GPG ids to encrypt for, and encrypt existing passwords anew where needed.",
        options: [.any(path)],
        operands: [Operand("gpg-id", completes: .keyID, occurs: .oneOrMore)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let typed = arguments.value(path) ?? []
        let folder = try session.entryName(typed)
        let list = TypedPath(session.settings.root, typed).withSuffix("/.gpg-id").bytes
        let kind = try session.asFailure { () throws(StoreError) in try session.store.kindOfFolder(folder) }
        if let kind, kind != .folder {
            throw Failure("Error: \(session.typedPath(typed).bytes) exists but is not a directory.")
        }
        let suffix: Text = typed.isEmpty ? "" : " (\(typed))"
        let ids: Text = "\(Array(arguments.operands.joined(separator: ", ".utf8)))"
        if arguments.operands == [[]] {
            return try deinitialize(folder, list, suffix, session)
        }
        let done: Store.Initialization
        do throws(StoreError) {
            done = try session.store.initialize(
                folder,
                recipients: arguments.operands,
                messages: (
                    list: ("Set GPG id to \(ids)\(suffix)." as Text).messageBytes,
                    entries: reencryptionMessage(ids, suffix)
                )
            )
        } catch {
            throw failure(
                error,
                nothingDone: "The password store is not initialized for \(ids)\(suffix)",
                session
            )
        }
        try session.reportFolders(done.foldersMade.count, of: session.typedPath(typed))
        try session.output.line("Password store initialized for \(ids)\(suffix)")
        try report(done, session)
    }

    private static func deinitialize(
        _ folder: EntryName,
        _ list: [UInt8],
        _ suffix: Text,
        _ session: Session
    ) throws(Failure) {
        let done: Store.Initialization
        do throws(StoreError) {
            done = try session.store.deinitialize(
                folder,
                messages: (
                    list: ("Deinitialize \(list)\(suffix)." as Text).messageBytes,
                    entries: reencryptionMessage("", suffix)
                )
            )
        } catch {
            if case .noSuchEntry = error {
                throw Failure("Error: \(list) does not exist and so cannot be removed.")
            }
            if case .notInitialized = error {
                throw Failure("Error: \(list) cannot be removed: entries below it would be without a GPG id.")
            }
            throw failure(error, nothingDone: "\(list) is not removed", session)
        }
        try session.output.line("removed \(session.quoted(list))")
        try report(done, session)
    }

    /// The failure, with the entry or the id that it is due to, and the assurance that nothing has changed.
    private static func failure(
        _ error: StoreError,
        nothingDone: Text,
        _ session: Session
    ) -> Failure {
        let assurance: Text = "Error: \(nothingDone), and nothing is changed."
        switch error {
        case .unusableRecipient(let problem):
            return Failure([Failure.line(for: problem), assurance], status: ExitStatus.failure)
        case .decryption(let path, let problem):
            let line: Text = "gpg: \(path.withoutSuffix(".gpg")): \(Failure.reason(problem))"
            return Failure([line, assurance], status: ExitStatus.decryptionFailed)
        default: return Failure(error, in: session)
        }
    }

    private static func reencryptionMessage(_ ids: Text, _ suffix: Text) -> [UInt8] {
        ("Reencrypt password store using new GPG id \(ids)\(suffix)." as Text).messageBytes
    }

    private static func report(_ done: Store.Initialization, _ session: Session) throws(Failure) {
        var failure: Failure?
        do throws(Failure) {
            try session.report(done.listReceipt, saved: "The list of recipients is saved")
        } catch {
            failure = error
        }
        for reencryption in done.reencryptions { try session.report(reencryption) }
        try session.report(done.entriesReceipt, saved: "The entries are encrypted anew")
        if let failure { throw failure }
    }
}

extension Session {
    /// Prints the line for an entry that was encrypted anew.
    func report(_ reencryption: Reencryption) throws(Failure) {
        try output.line(
            "\(reencryption.entry): reencrypting to \(reencryption.keys.joined(separator: " "))"
        )
    }
}
