internal import CommandGrammar
internal import OneTimePassword
internal import SecretMemory
internal import Unix

/// A key URI from the user: as such, or as a bare secret with an issuer and an account.
struct OTPInput {
    static let echo = Option("echo", "e", summary: "Show what is typed.")
    static let secret = Option("secret", "s", summary: "Ask for a bare secret instead of a key URI.")
    static let issuer = Option(
        "issuer",
        "i",
        value: .required("issuer"),
        summary: "With --secret: whom the account is with."
    )
    static let account = Option(
        "account",
        "a",
        value: .required("account"),
        summary: "With --secret: whose account it is."
    )

    /// What `insert` and `append` have in common.
    static let options: [OptionGroup] = [.any(echo), .any(secret), .any(issuer), .any(account)]

    private let isEchoing: Bool
    private let isSecret: Bool
    private let issuer: Word?
    private let account: Word?

    init(_ arguments: Arguments) throws(Failure) {
        isEchoing = arguments.contains(OTPInput.echo)
        isSecret = arguments.contains(OTPInput.secret)
        issuer = arguments.value(OTPInput.issuer)
        account = arguments.value(OTPInput.account)
        guard !isSecret || [issuer, account].contains(where: { $0?.isEmpty == false }) else {
            throw Failure("Missing one of either '--issuer' or '--account'")
        }
    }

    /// Reads it: twice from a terminal that does not show it, else once.
    func read(for name: Text, in session: Session) throws(Failure) -> OTPAuthURI {
        let text = try ask(for: name, session)
        return try OTPInput.keyURI { () throws(OTPError) in
            isSecret
                ? try OTPAuthURI(secret: text, issuer: issuer, account: account)
                : try OTPAuthURI(text)
        }
    }

    private func ask(for name: Text, _ session: Session) throws(Failure) -> SecretBytes {
        let what: Text = isSecret ? "secret" : "otpauth:// URI"
        guard !isEchoing, FileDescriptor.standardInput.isTerminal else {
            return try session.ask("Enter \(what) for \(name): ", .edited, of: name)?.line ?? .empty
        }
        return try session.askTwice(for: what, isSecret ? "secrets" : "URIs", of: name)
    }

    /// A key URI that names an account, as pass-otp wants those that it stores.
    static func keyURI(_ body: () throws(OTPError) -> OTPAuthURI) throws(Failure) -> OTPAuthURI {
        do throws(OTPError) {
            let uri = try body()
            guard uri.account != nil else { throw OTPError.missing(.account) }
            return uri
        } catch {
            throw Failure(error)
        }
    }
}
