internal import CommandGrammar
internal import OneTimePassword
internal import PasswordStore

extension Failure {
    /// pass-otp's sentence for what is wrong with a key URI, without the URI: that is a secret.
    init(_ error: OTPError) {
        switch error {
        case .notAKeyURI: self.init("Cannot parse OTP key URI.")
        case .missing(let piece): self.init("Invalid key URI (missing \(piece.rawValue)).")
        case .invalid(let piece): self.init("Invalid key URI (unusable \(piece.rawValue)).")
        case .contradictory(let piece): self.init("Invalid key URI (more than one \(piece.rawValue)).")
        case .counterExhausted: self.init("Invalid key URI (the counter is at its end).")
        case .library(let code):
            self.init("Error: libgcrypt makes no one-time passwords here (error \(code)).")
        }
    }
}

extension Session {
    /// The name of an entry with a key URI; pass-otp cuts a slash at its end.
    func otpEntryName(_ word: Word) throws(Failure) -> EntryName {
        try entryName(EntryName.withoutTrailingSlash(word))
    }

    /// Works with the store's one-time passwords, and words what goes wrong as pass-otp does.
    ///
    /// `missing` is said where the entry does not exist, and `broken` after what is wrong with its key URI.
    func otp<Result>(
        missing: Text? = nil,
        broken: Text? = nil,
        _ body: (OneTimePasswords) throws(OneTimePasswords.Problem) -> Result
    ) throws(Failure) -> Result {
        do throws(OneTimePasswords.Problem) {
            return try body(OneTimePasswords(store))
        } catch {
            switch error {
            case .store(.noSuchEntry(let name)): throw Failure(missing ?? "\(name): passfile not found.")
            case .store(let error): throw Failure(error, in: self)
            case .noKeyURI(let name): throw Failure("\(name): OTP secret not found.")
            case .keyURI(let error):
                var failure = Failure(error)
                if let broken { failure.lines.append(broken) }
                throw failure
            }
        }
    }
}
