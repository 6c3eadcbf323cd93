internal import CommandGrammar
internal import SecretMemory
internal import Unix

/// `otp`: one-time passwords, with the command line, the messages and the entries of pass's extension pass-otp.
///
/// pass itself does not have it.
enum OTP: PassCommand {
    static let changesStore = true

    static let command = Command(
        "otp",
        summary: "Show a one-time password, or manage the keys of such passwords.",
        synopsis: "[code|insert|append|uri|validate] [--clip,-c] [--qrcode,-q] pass-name",
        discussion: [
            "code, which need not be written, shows the one-time password of the key URI (otpauth://) in an entry. "
                + "A counted one is written back with its next number, and committed, before it is shown.",
            "insert makes an entry of a key URI or, with --secret, of a bare secret; append puts it into an entry "
                + "that exists. uri shows the key URI, and validate says whether there is something wrong with one.",
        ],
        options: [.oneOf(OTPCode.clip, OTPCode.qrcode)],
        operands: [Operand("pass-name", completes: .entry, occurs: .anyNumber)],
        parsing: .verbatim
    )

    /// The words behind `otp`.
    ///
    /// Any other word is the name of an entry, as behind `code`.
    static let subcommands: [any PassCommand.Type] = [
        OTPCode.self, OTPInsert.self, OTPAppend.self, OTPURI.self, OTPValidate.self,
    ]

    private static let helpWords = ["help", "--help", "-h"].map { Array($0.utf8) }
    private static let versionWords = ["version", "--version"].map { Array($0.utf8) }

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let word = arguments.operands.first ?? []
        if helpWords.contains(word) { return try printHelp(session) }
        if versionWords.contains(word) { return try session.output.line("\(Version.number)") }
        var session = session
        guard let subcommand = subcommands.first(where: { $0.command.isCalled(word) }) else {
            return try Dispatch.run(OTPCode.self, arguments.operands, session)
        }
        session.typed += [UInt8(ascii: " ")] + word
        try Dispatch.run(subcommand, Array(arguments.operands.dropFirst()), session)
    }

    private static func printHelp(_ session: Session) throws(Failure) {
        for subcommand in subcommands {
            let name = session.typed + Array(" \(subcommand.command.name)".utf8)
            try session.output.line("\(subcommand.command.usage(program: session.program, as: name))")
            try session.output.line("    \(subcommand.command.summary)")
        }
    }
}
