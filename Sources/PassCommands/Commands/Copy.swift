internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass cp`: copies an entry or a folder.
enum Copy: PassCommand {
    static let changesStore = true

    static let force = Option("force", "f", summary: "Overwrite an existing entry without asking.")

    static let command = Command(
        "cp",
        aliases: ["copy"],
        summary: "Copy old-path to new-path, and encrypt anew what has other recipients there.",
        synopsis: "[--force,-f] old-path new-path",
        options: [.any(force), .any(DryRun.option)],
        operands: [
            Operand("old-path", completes: .entryOrFolder), Operand("new-path", completes: .entryOrFolder),
        ]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let relocator = Relocator(tool: "cp", arguments: arguments, force: force, session: session)
        let relocation = try relocator.plan()
        if arguments.contains(DryRun.option) { return try relocator.preview(relocation) }
        let kept = try relocator.askToOverwrite(by: relocation)
        if !relocation.isFolder, !kept.isEmpty { return }
        let (old, new) = (arguments.operands[0], arguments.operands[1])
        let done = try relocator.carryOut(relocation) { () throws(StoreError) in
            try session.store.copy(
                relocation,
                keeping: kept,
                message: ("Copy \(old) to \(new)." as Text).messageBytes
            )
        }
        try relocator.report(done, of: relocation, saved: "\(old) is copied") { $0 }
    }
}
