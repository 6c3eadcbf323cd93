internal import CommandGrammar
internal import SecretMemory
internal import Unix

/// `otp`: one-time passwords, with the command line, the messages and the entries of pass's extension pass-otp.
///
/// pass itself does not have it.
enum OTP: PassCommand {
    static let command = Command(
        "otp",
        summary: "Show a one-time password, or manage the keys of such passwords.",
        discussion: [
            "A key URI (otpauth://) is a line of an entry. A counted password is written back with its next number, and "
                + "committed, before it is shown."
        ],
        subcommands: subcommands.map { $0.command },
        parsing: .verbatim
    )

    /// What may follow; any other word is the name of an entry, as behind `code`.
    private static let subcommands: [any PassCommand.Type] = [
        OTPCode.self, OTPInsert.self, OTPAppend.self, OTPURI.self, OTPValidate.self,
    ]

    private static let helpWords = ["help", "--help", "-h"].map { Array($0.utf8) }
    private static let versionWords = ["version", "--version"].map { Array($0.utf8) }

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let word = arguments.operands.first ?? []
        if helpWords.contains(word) { return try Help.print(command, in: session) }
        if versionWords.contains(word) { return try session.output.line("\(Version.number)") }
        var session = session
        // pass does not have these words, so they mean what they mean to us.
        session.isInPlaceOfPass = false
        guard let subcommand = subcommands.first(where: { $0.command.isCalled(word) }) else {
            return try Dispatch.run(OTPCode.self, arguments.operands, session)
        }
        session.typed += [UInt8(ascii: " ")] + word
        try Dispatch.run(subcommand, Array(arguments.operands.dropFirst()), session, behind: ["otp"])
    }
}
