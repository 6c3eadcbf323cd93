internal import CommandGrammar
internal import SecretMemory
internal import Unix

/// `otp code`: shows the one-time password of an entry.
enum OTPCode: PassCommand {
    static let clip = Option("clip", "c", summary: "Put it on the clipboard instead of printing it.")
    static let quiet = Option("quiet", "q", summary: "Print nothing of what git says about a new counter.")
    // Newer versions of pass-otp have given -q, and with it --q, another meaning.
    static let qrcode = Option(
        "qrcode",
        isTypedInFull: true,
        summary: "Show it as a QR code instead of printing it."
    )

    static let command = Command(
        "code",
        aliases: ["show"],
        summary: "Show the one-time password of an entry.",
        options: [.oneOf(clip, qrcode), .any(quiet)],
        operands: [Operand("pass-name", completes: .entry)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.otpEntryName(arguments.operands[0])
        let presentation = try OTPPresentation(arguments, clip, qrcode, in: session)
        let (code, receipt) = try session.otp(
            missing: "\(name): passfile not found.",
            broken: "\(name): failed to generate OTP code."
        ) { (passwords) throws(OneTimePasswords.Problem) in
            try passwords.code(of: name, at: WallClock.seconds())
        }
        let outcome = Result { () throws(Failure) in
            guard let receipt else { return }
            try session.report(
                receipt,
                saved: "The counter of \(name) is saved",
                isQuiet: arguments.contains(quiet)
            )
        }
        // The counter has moved on, whatever git says, and so the user gets to see the code.
        try session.sayingWhatIsSaved { () throws(Failure) in
            try presentation.show(code, named: "OTP code for \(name)", in: session)
        }
        try outcome.get()
    }
}
