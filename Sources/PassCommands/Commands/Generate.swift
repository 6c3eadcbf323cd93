internal import CommandGrammar
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// `pass generate`: makes a new password.
enum Generate: PassCommand {
    static let changesStore = true

    static let noSymbols = Option("no-symbols", "n", summary: "Use letters and digits only.")
    static let clip = Option(
        "clip",
        "c",
        summary: "Put the password on the clipboard instead of printing it."
    )
    static let qrcode = Option(
        "qrcode",
        "q",
        summary: "Show the password as a QR code instead of printing it."
    )
    static let inPlace = Option(
        "in-place",
        "i",
        summary: "Replace only the first line of an existing entry."
    )
    static let force = Option("force", "f", summary: "Overwrite an existing entry without asking.")

    static let command = Command(
        "generate",
        summary: "Generate a new password of pass-length characters.",
        synopsis: "[--no-symbols,-n] [--clip,-c] [--qrcode,-q] [--in-place,-i | --force,-f] "
            + "pass-name [pass-length]",
        options: [.any(noSymbols), .oneOf(clip, qrcode), .oneOf(inPlace, force)],
        operands: [
            Operand("pass-name", completes: .entryOrFolder),
            Operand("pass-length", completes: .nothing, occurs: .optional),
        ]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(arguments.operands[0])
        let length = try length(arguments, session)
        let isInPlace = arguments.contains(inPlace)
        let characters = try characters(arguments, session)
        let clipboard = arguments.contains(clip) ? try Clipboard.find(in: session) : nil
        if arguments.contains(qrcode) { try QRCode.checkProgram(in: session) }
        try session.preparingWrite(of: name, thatIsThere: isInPlace) { () throws(Failure) in
            let mayExist =
                isInPlace || arguments.contains(force) ? true : try session.confirmOverwriting(name)
            let password = try generate(length, characters)
            let message = ("\(isInPlace ? "Replace" : "Add") generated password for \(name)." as Text)
                .messageBytes
            let receipt =
                isInPlace
                ? try replaceFirstLine(of: name, with: password, message, session)
                : try session.asFailure { () throws(StoreError) in
                    try session.store.write(
                        password.terminated,
                        to: name,
                        message: message,
                        existing: mayExist ? .replace : .refuse
                    )
                }
            let outcome = Result { () throws(Failure) in
                try session.report(receipt, saved: "\(name) is saved")
            }
            // The password is saved, whatever git says, and so the user gets to see it.
            try session.sayingWhatIsSaved { () throws(Failure) in
                try present(password, name, clipboard, arguments, session)
            }
            try outcome.get()
        }
    }

    private static func length(_ arguments: Arguments, _ session: Session) throws(Failure) -> Int {
        let typed = arguments.operand(1) ?? []
        let word = typed.isEmpty ? session.settings.generatedLength : typed
        do throws(PasswordGenerator.Failure) {
            return try PasswordGenerator.length(word)
        } catch {
            throw Failure(error, length: word)
        }
    }

    private static func generate(_ length: Int, _ characters: CharacterSet) throws(Failure) -> SecretBytes {
        do throws(PasswordGenerator.Failure) {
            return try PasswordGenerator.generate(length: length, from: characters)
        } catch {
            throw Failure(error, length: [])
        }
    }

    private static func characters(
        _ arguments: Arguments,
        _ session: Session
    ) throws(Failure) -> CharacterSet {
        let settings = session.settings
        let text = arguments.contains(noSymbols) ? settings.characterSetNoSymbols : settings.characterSet
        do throws(CharacterSet.Failure) {
            return try CharacterSet(trSet: text)
        } catch {
            throw Failure("Error: \"\(text)\" is not a set of characters that tr(1) understands.")
        }
    }

    private static func replaceFirstLine(
        of name: EntryName,
        with password: SecretBytes,
        _ message: [UInt8],
        _ session: Session
    ) throws(Failure) -> Receipt {
        do throws(StoreError) {
            return try session.store.update(name, message: message) { contents in
                contents.replacingFirstLine(with: password)
            }
        } catch {
            var failure = Failure(error, in: session)
            failure.lines.append("Could not reencrypt new password.")
            failure.status = ExitStatus.failure
            throw failure
        }
    }

    private static func present(
        _ password: SecretBytes,
        _ name: EntryName,
        _ clipboard: Clipboard?,
        _ arguments: Arguments,
        _ session: Session
    ) throws(Failure) {
        if let receiver = session.passwordReceiver {
            try Failure.wording { () throws(Errno) in try receiver.write(password.terminated) }
        } else if let clipboard {
            try clipboard.copy(password, of: name.bytes, in: session)
        } else if arguments.contains(qrcode) {
            try QRCode.show(password, of: name.bytes, in: session)
        } else {
            try session.output.print(
                "\u{1B}[1mThe generated password for \u{1B}[4m\(name)\u{1B}[24m is:\u{1B}[0m\n\u{1B}[1m\u{1B}[93m"
            )
            try session.output.write(password)
            try session.output.print("\u{1B}[0m\n")
        }
    }
}

extension Failure {
    fileprivate init(_ failure: PasswordGenerator.Failure, length: Word) {
        switch failure {
        case .lengthIsNoNumber: self.init("Error: pass-length \"\(length)\" must be a number.")
        case .lengthIsZero: self.init("Error: pass-length must be greater than zero.")
        case .lengthIsTooLarge:
            self.init("Error: pass-length must not be greater than \(PasswordGenerator.maximumLength).")
        case .charactersBreakLine:
            self.init("Error: a password cannot hold line ends; take them out of the character set.")
        case .noRandomness: self.init("Error: the system gives no random numbers.")
        }
    }
}
