internal import CommandGrammar
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// `pass insert`: reads a new password and stores it.
enum Insert: PassCommand {
    static let changesStore = true

    static let echo = Option("echo", "e", summary: "Show the password while it is typed.")
    static let multiline = Option("multiline", "m", summary: "Read everything up to the end of input.")
    static let force = Option("force", "f", summary: "Overwrite an existing entry without asking.")

    static let command = Command(
        "insert",
        aliases: ["add"],
        summary: "Insert a new password.",
        options: [.oneOf(echo, multiline), .any(force)],
        operands: [Operand("pass-name", completes: .entryOrFolder)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(EntryName.withoutTrailingSlash(arguments.operands[0]))
        let mayExist = arguments.contains(force) ? true : try session.confirmOverwriting(name)
        try session.preparingWrite(of: name) { () throws(Failure) in
            let contents = try read(name, arguments, session)
            let message = ("Add given password for \(name) to store." as Text).messageBytes
            let receipt = try session.asFailure { () throws(StoreError) in
                try session.store.write(
                    contents,
                    to: name,
                    message: message,
                    existing: mayExist ? .replace : .refuse
                )
            }
            try session.report(receipt, saved: "\(name) is saved")
        }
    }

    private static func read(
        _ name: EntryName,
        _ arguments: Arguments,
        _ session: Session
    ) throws(Failure) -> SecretBytes {
        if arguments.contains(multiline) {
            return try session.readText(
                "Enter contents of \(name) and press Ctrl+D when finished:\n",
                for: name
            )
        }
        if arguments.contains(echo) {
            // The end of input, and an empty line, store an empty password.
            let line =
                try session.ask("Enter password for \(name): ", .edited, of: "\(name)")?.line ?? .empty
            return line.trimmed.terminated
        }
        return try session.askTwice(for: "password", "passwords", of: "\(name)").terminated
    }
}
