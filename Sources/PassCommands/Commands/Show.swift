internal import CommandGrammar
internal import OneTimePassword
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// `pass show`, `ls` and `list`: prints an entry, or lists a folder.
enum Show: PassCommand {
    static let clip = Option(
        "clip",
        "c",
        value: .optional("line-number"),
        summary: "Put a line, by default the first, on the clipboard instead."
    )
    static let qrcode = Option(
        "qrcode",
        "q",
        value: .optional("line-number"),
        summary: "Show a line, by default the first, as a QR code instead."
    )

    static let command = Command(
        "show",
        aliases: ["ls", "list"],
        summary: "Show an existing password, or list a folder.",
        synopsis:
            "[--clip[=line-number],-c[line-number]] [--qrcode[=line-number],-q[line-number]] [pass-name]",
        options: [.oneOf(qrcode, clip)],
        operands: [Operand("pass-name", completes: .entryOrFolder, occurs: .optionalIgnoringMore)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(arguments.operand(0) ?? [])
        let presence = try session.asFailure { () throws(StoreError) in try session.store.presence(of: name) }
        if presence.isEntry, !name.hasTrailingSlash {
            try show(name, arguments, session)
        } else if presence.isFolder {
            try list(name, session)
        } else if name.bytes.isEmpty {
            throw Failure("Error: password store is empty. Try \"pass init\".")
        } else {
            throw Failure("Error: \(name) is not in the password store.")
        }
    }

    private static func show(_ name: EntryName, _ arguments: Arguments, _ session: Session) throws(Failure) {
        guard arguments.contains(clip) || arguments.contains(qrcode) else {
            let contents = try read(name, session)
            return try session.output.write(contents.bytes)
        }
        let isClip = arguments.contains(clip)
        let number = try lineNumber(arguments.value(isClip ? clip : qrcode))
        // A missing tool is told before anybody is asked for a passphrase.
        let clipboard = isClip ? try Clipboard.find(in: session) : nil
        let contents = try read(name, session)
        guard let line = contents.line(number.value), !line.isEmpty else {
            throw Failure("There is no password to put on the clipboard at line \(number.text).")
        }
        // The line that comes without a number should be a password. The seed of all codes is asked for by its number.
        if arguments.value(isClip ? clip : qrcode) == nil, OTPAuthLine(firstIn: line) != nil {
            throw Failure(
                "Error: \(name) begins with the key of a one-time password. Use \"\(session.program) otp\" for a code, "
                    + "or \"\(session.program) otp uri\" for the key."
            )
        }
        if let clipboard {
            try clipboard.copy(line, of: name.bytes, in: session)
        } else {
            try QRCode.show(line, of: name.bytes, in: session)
        }
    }

    /// The contents; a gpg that cannot be used has the status that it has when it cannot decrypt.
    private static func read(_ name: EntryName, _ session: Session) throws(Failure) -> EntryContents {
        do throws(StoreError) {
            return try session.store.read(name)
        } catch {
            var failure = Failure(error, in: session)
            if case .gnuPG = error { failure.status = ExitStatus.decryptionFailed }
            throw failure
        }
    }

    /// The number of a line as typed, and as counted: line 0 is the first, as with `tail -n +0`.
    private static func lineNumber(_ word: Word?) throws(Failure) -> (text: Word, value: Int) {
        guard let word, !word.isEmpty else { return (Array("1".utf8), 1) }
        guard word.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw Failure("Clip location '\(word)' is not a number.")
        }
        // No entry has so many lines as a number that does not fit.
        return (word, max(1, Int(String(decoding: word, as: UTF8.self)) ?? .max))
    }

    private static func list(_ name: EntryName, _ session: Session) throws(Failure) {
        let title: Text = name.bytes.isEmpty ? "Password Store" : "\(name.bytesWithoutTrailingSlash)"
        try session.output.line(title)
        try Listing.print(name, in: session)
    }
}
