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

    static let keepGoing = Option(
        "keep-going",
        isTypedInFull: true,
        summary: "Leave entries that cannot be decrypted as they are, instead of changing nothing at all."
    )

    static let command = Command(
        "init",
        summary: "Name the GPG ids to encrypt for, and encrypt existing passwords anew where needed.",
        synopsis: "[--path=subfolder,-p subfolder] gpg-id...",
        options: [.any(path), .any(keepGoing), .any(DryRun.option)],
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
        if arguments.contains(DryRun.option) {
            return try preview(folder, arguments.operands == [[]] ? nil : arguments.operands, list, session)
        }
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
                ),
                keepingGoing: arguments.contains(keepGoing)
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

    private static func preview(
        _ folder: EntryName,
        _ ids: [Word]?,
        _ list: [UInt8],
        _ session: Session
    ) throws(Failure) {
        let preview: ReencryptionPreview
        do throws(StoreError) {
            preview = try session.store.previewInitialization(of: folder, recipients: ids)
        } catch {
            throw removalFailure(error, list) ?? failure(error, nothingDone: "It cannot be done", session)
        }
        try DryRun.print(preview, in: session)
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
            throw removalFailure(error, list)
                ?? failure(error, nothingDone: "\(list) is not removed", session)
        }
        try session.output.line("removed \(session.quoted(list))")
        try report(done, session)
    }

    /// Why a list cannot be removed, where it is due to the list itself.
    private static func removalFailure(_ error: StoreError, _ list: [UInt8]) -> Failure? {
        switch error {
        case .noSuchEntry: Failure("Error: \(list) does not exist and so cannot be removed.")
        case .notInitialized:
            Failure("Error: \(list) cannot be removed: entries below it would be without a GPG id.")
        default: nil
        }
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
            let line = session.sentenceForGnuPGHome(after: error) ?? Failure.line(for: problem)
            return Failure([line, assurance], status: ExitStatus.failure)
        case .decryption, .undecryptable:
            var failure = Failure(error, in: session)
            failure.lines.append(assurance)
            return failure
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
        try report(done.skipped, session)
    }

    /// Says which entries stayed as they were, and fails if there are any.
    private static func report(_ skipped: [Store.Skipped], _ session: Session) throws(Failure) {
        guard !skipped.isEmpty else { return }
        var lines: [Text] = []
        for case .decryption(let path, let problem) in skipped.map(\.error) {
            lines.append(Failure.line(for: (path, problem)))
        }
        let count = Text.count(skipped.count, "entry is", "entries are")
        throw Failure(
            lines + ["Error: \(count) left for the former GPG ids."],
            status: ExitStatus.decryptionFailed
        )
    }
}
