internal import CommandGrammar
internal import OneTimePassword
internal import PasswordStore
internal import SecretMemory

/// `otp insert`: makes an entry of a key URI or of a bare secret.
enum OTPInsert: PassCommand {
    static let changesStore = true

    static let force = Option("force", "f", summary: "Overwrite an existing entry without asking.")

    static let path = Option(
        "path",
        "p",
        value: .required("path-name"),
        completes: .folder,
        summary: "Without a pass-name: the folder of the entry that the URI names."
    )

    static let command = Command(
        "insert",
        aliases: ["add"],
        summary: "Make an entry of a key URI, or of a bare secret; without a name the URI names it.",
        options: [.any(force)] + OTPInput.options + [.any(path)],
        operands: [Operand("pass-name", completes: .entryOrFolder, occurs: .optional)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let input = try OTPInput(arguments)
        var name: EntryName?
        if let word = arguments.operand(0) { name = try session.otpEntryName(word) }
        let uri = try input.read(for: name.map { "\($0)" } ?? "this token", in: session)
        let entry: EntryName
        if let name {
            entry = name
        } else {
            let given = arguments.value(path) ?? []
            let folder = given.isEmpty ? nil : EntryName.withoutTrailingSlash(given)
            let parts = [folder, uri.issuer, uri.account].compactMap(\.self)
            entry = try session.entryName(Array(parts.joined(separator: "/".utf8)))
            try session.confirm("Insert into \(entry)?")
        }
        try insert(uri, as: entry, overwriting: arguments.contains(force), session)
    }

    private static func insert(
        _ uri: OTPAuthURI,
        as name: EntryName,
        overwriting: Bool,
        _ session: Session
    ) throws(Failure) {
        let mayExist = overwriting ? true : try session.confirmOverwriting(name)
        try session.preparingWrite(of: name) { () throws(Failure) in
            let receipt = try session.otp { (passwords) throws(OneTimePasswords.Problem) in
                try passwords.insert(uri, as: name, existing: mayExist ? .replace : .refuse)
            }
            try session.report(receipt, saved: "\(name) is saved")
        }
    }
}
