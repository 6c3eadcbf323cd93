internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass mv`: renames or moves an entry or a folder.
enum Move: PassCommand {
    static let changesStore = true

    static let force = Option("force", "f", summary: "Overwrite an existing entry without asking.")

    static let command = Command(
        "mv",
        aliases: ["rename"],
        summary: "Rename or move old-path to new-path, and encrypt anew what has other recipients there.",
        synopsis: "[--force,-f] old-path new-path",
        options: [.any(force), .any(DryRun.option)],
        operands: [
            Operand("old-path", completes: .entryOrFolder), Operand("new-path", completes: .entryOrFolder),
        ]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let relocator = Relocator(tool: "mv", arguments: arguments, force: force, session: session)
        let relocation = try relocator.plan()
        if arguments.contains(DryRun.option) { return try relocator.preview(relocation) }
        // A folder is never moved over another one's files; see mv(1).
        if !relocation.isFolder, try !relocator.askToOverwrite(by: relocation).isEmpty { return }
        let old = arguments.operands[0]
        let done = try relocator.carryOut(relocation) { () throws(StoreError) in
            try session.store.move(
                relocation,
                messages: (
                    rename: ("Rename \(old) to \(arguments.operands[1])." as Text).messageBytes,
                    removal: ("Remove \(old)." as Text).messageBytes
                )
            )
        }
        try relocator.report(done, of: relocation, saved: "\(old) is moved") { "renamed \($0)" }
    }
}
