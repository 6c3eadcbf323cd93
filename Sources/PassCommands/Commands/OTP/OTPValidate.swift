internal import CommandGrammar
internal import OneTimePassword
internal import SecretMemory
internal import Unix

/// `otp validate`: says whether there is something wrong with a key URI.
enum OTPValidate: PassCommand {
    static let command = Command(
        "validate",
        summary:
            "Say whether there is something wrong with a key URI; without one it is read from the input.",
        operands: [Operand("uri", completes: .nothing, occurs: .optional)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        // pass-otp takes the URI as an argument, where everyone can see it: the input is the better place.
        let text =
            if let word = arguments.operand(0) {
                SecretBytes(copying: word.span)
            } else {
                try session.ask("Enter otpauth:// URI: ", .hidden, of: "the URI")?.line ?? .empty
            }
        _ = try OTPInput.keyURI { () throws(OTPError) in try OTPAuthURI(text) }
    }
}
