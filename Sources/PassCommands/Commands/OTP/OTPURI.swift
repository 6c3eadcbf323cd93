internal import CommandGrammar
internal import OneTimePassword
internal import SecretMemory

/// `otp uri`: shows the key URI of an entry.
enum OTPURI: PassCommand {
    static let clip = Option("clip", "c", summary: "Put it on the clipboard instead of printing it.")
    static let qrcode = Option(
        "qrcode",
        "q",
        summary: "Show it as a QR code, for a telephone, instead of printing it."
    )

    static let command = Command(
        "uri",
        summary: "Show the key URI of an entry, which is the secret that codes are made from.",
        options: [.oneOf(clip, qrcode)],
        operands: [Operand("pass-name", completes: .entry)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.otpEntryName(arguments.operands[0])
        let presentation = try OTPPresentation(arguments, clip, qrcode, in: session)
        let uri = try session.otp(missing: "Passfile not found") {
            (passwords) throws(OneTimePasswords.Problem) in try passwords.uri(of: name)
        }
        try presentation.show(uri.text, named: "OTP key URI for \(name)", in: session)
    }
}
