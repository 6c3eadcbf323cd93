internal import CommandGrammar
internal import OneTimePassword
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// `otp append`: puts a key URI, or a bare secret, into an entry that exists.
enum OTPAppend: PassCommand {
    static let changesStore = true

    static let force = Option("force", "f", summary: "Replace an existing key URI without asking.")

    static let command = Command(
        "append",
        summary: "Add a key URI, or a bare secret, to an entry, or replace the key URI that it has.",
        options: [.any(force)] + OTPInput.options,
        operands: [Operand("pass-name", completes: .entry)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let input = try OTPInput(arguments)
        let name = try session.otpEntryName(arguments.operands[0])
        let (contents, version) = try session.otp(missing: "Passfile not found") {
            (passwords) throws(OneTimePasswords.Problem) in try passwords.readVersioned(name)
        }
        if OTPAuthLine(firstIn: contents.bytes) != nil, !arguments.contains(force) {
            try session.confirm("An OTP secret already exists for \(name). Overwrite it?")
        }
        let uri = try input.read(for: "\(name)", in: session)
        let receipt = try session.otp { (passwords) throws(OneTimePasswords.Problem) in
            try passwords.append(uri, to: name, whichHolds: contents, version: version)
        }
        try session.report(receipt, saved: "\(name) is saved")
    }
}
