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
    static let json = Option(
        "json",
        isTypedInFull: true,
        summary: "Print an entry with its lines and fields, or the tree of a folder, in JSON."
    )
    static let flat = Option(
        "flat",
        isTypedInFull: true,
        summary: "Print the full names of all entries in a folder, one a line."
    )
    static let field = Option(
        "field",
        value: .required("name"),
        isTypedInFull: true,
        summary: "Take the value of the line \"name: value\" only, or with the name password the first line."
    )
    static let null = Option(
        "null",
        "z",
        isTypedInFull: true,
        summary: "With --flat, end each name with a NUL instead of a line end."
    )

    static let command = Command(
        "show",
        aliases: ["ls", "list"],
        summary: "Show an existing password, or list a folder.",
        synopsis:
            "[--clip[=line-number],-c[line-number]] [--qrcode[=line-number],-q[line-number]] [pass-name]",
        discussion: [
            "Under the name passchain a second word names a field, as --field does; pass ignores it. Under that name, too, "
                + "--clip and --qrcode refuse a first line that is a key URI, unless its number is given.",
            "In JSON an entry is an object with its name, password, lines and fields. A folder is an object with its "
                + "name and its children, in the order of ls. What is not UTF-8 shows as U+FFFD; its bytes then "
                + "follow in hexadecimal, as name_hex or contents_hex.",
        ],
        options: [.oneOf(qrcode, clip, json, flat), .any(field), .any(null)],
        operands: [Operand("pass-name", completes: .entryOrFolder, occurs: .optionalIgnoringMore)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(arguments.operand(0) ?? [])
        let wish = try Wish(arguments, session)
        let presence = try session.asFailure { () throws(StoreError) in try session.store.presence(of: name) }
        if presence.isEntry, !name.hasTrailingSlash {
            try show(name, wish, session)
        } else if presence.isFolder, wish.canList {
            try list(name, wish, session)
        } else if name.bytes.isEmpty {
            throw Failure("Error: password store is empty. Try \"\(session.fixedName) init\".")
        } else {
            throw Failure(.noSuchEntry(name), in: session)
        }
    }

    private static func show(_ name: EntryName, _ wish: Wish, _ session: Session) throws(Failure) {
        // A wrong number, and a missing tool, are told before anybody is asked for a passphrase.
        let number = try lineNumber(wish.line)
        let clipboard = wish.form == .clipboard ? try Clipboard.find(in: session) : nil
        if wish.form == .qrCode { try QRCode.checkProgram(in: session) }
        switch wish.form {
        case .json: try EntryJSON.print(try read(name, session), of: name, in: session)
        case .flat(let end): try session.output.writeNames([name.folderPath.bytes], end: end)
        case .plain:
            let contents = try read(name, session)
            guard let field = wish.field else {
                return try session.output.show(contents.bytes, of: name.bytes)
            }
            try session.output.show(try value(of: field, in: contents, of: name).terminated, of: name.bytes)
        case .clipboard, .qrCode:
            let line = try line(wish, number, of: try read(name, session), name, session)
            if let clipboard {
                try clipboard.copy(line, of: name.bytes, in: session)
            } else {
                try QRCode.show(line, of: name.bytes, in: session)
            }
        }
    }

    /// The line, or the field's value, for the clipboard or a QR code.
    private static func line(
        _ wish: Wish,
        _ number: (text: Word, value: Int),
        of contents: EntryContents,
        _ name: EntryName,
        _ session: Session
    ) throws(Failure) -> SecretBytes {
        if let field = wish.field, !isPassword(field) { return try value(of: field, in: contents, of: name) }
        let line = wish.field == nil ? contents.line(number.value) : contents.password
        guard let line, !line.isEmpty else {
            throw Failure("There is no password to put on the clipboard at line \(number.text).")
        }
        // The line that comes without a number should be a password. The seed of all codes is asked for by its number.
        // Clients of pass expect the URI, and make codes of it.
        if !session.isInPlaceOfPass, wish.line == nil, OTPAuthLine(firstIn: line) != nil {
            throw Failure(
                "Error: \(name) begins with the key of a one-time password. Use \"\(session.program) otp\" for a code, "
                    + "or \"\(session.program) otp uri\" for the key."
            )
        }
        return line
    }

    private static func value(
        of field: Word,
        in contents: EntryContents,
        of name: EntryName
    ) throws(Failure) -> SecretBytes {
        let value = isPassword(field) ? contents.password : contents.value(ofField: field)
        guard let value else { throw Failure("Error: \(name) has no field \(field).") }
        return value
    }

    /// Whether a field's name stands for the first line.
    private static func isPassword(_ field: Word) -> Bool {
        String(decoding: field, as: UTF8.self).lowercased() == "password"
    }

    /// The contents; a gpg that cannot be used has the status that it has when it cannot decrypt.
    private static func read(_ name: EntryName, _ session: Session) throws(Failure) -> EntryContents {
        do throws(StoreError) {
            return try session.store.read(name)
        } catch {
            var failure = Failure(error, in: session)
            switch error {
            case .gnuPG, .noGPG: failure.status = ExitStatus.decryptionFailed
            default: break
            }
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

    private static func list(_ name: EntryName, _ wish: Wish, _ session: Session) throws(Failure) {
        switch wish.form {
        case .json: return try ListingJSON.print(name, in: session)
        case .flat(let end): return try Listing.printNames(below: name, end: end, in: session)
        case .plain, .clipboard, .qrCode: break
        }
        let title: Text = name.bytes.isEmpty ? "Password Store" : "\(name.bytesWithoutTrailingSlash)"
        try session.output.line(title)
        try Listing.print(name, in: session)
    }
}

/// What the words ask for: which part of an entry, and in which form.
private struct Wish {
    enum Form: Equatable {
        case plain, clipboard, qrCode, json
        case flat(end: UInt8)
    }

    let form: Form
    /// The number of a line, as typed with `--clip` or `--qrcode`.
    let line: Word?
    /// The name of a field.
    let field: Word?

    init(_ arguments: Arguments, _ session: Session) throws(Failure) {
        if arguments.contains(Show.null), !arguments.contains(Show.flat) {
            // In its place it is as wrong as it is to pass.
            throw Wish.refusal(
                session.isInPlaceOfPass
                    ? .unknownLetter(UInt8(ascii: "z")) : .optionWithoutOther(Show.null, needed: Show.flat),
                session
            )
        }
        if arguments.contains(Show.json) {
            form = .json
        } else if arguments.contains(Show.flat) {
            form = .flat(end: arguments.contains(Show.null) ? 0 : UInt8(ascii: "\n"))
        } else if arguments.contains(Show.clip) {
            form = .clipboard
        } else {
            form = arguments.contains(Show.qrcode) ? .qrCode : .plain
        }
        line = arguments.value(form == .clipboard ? Show.clip : Show.qrcode)
        // pass ignores further words.
        let word = session.isInPlaceOfPass ? nil : arguments.operand(1)
        field = arguments.value(Show.field) ?? word
        guard field != nil else { return }
        if word != nil, arguments.contains(Show.field) {
            throw Wish.refusal(.brokenRule("a second word and '--field' both name a field"), session)
        }
        if let other = Wish.wholeForms.first(where: arguments.contains) {
            throw Wish.refusal(.exclusiveOptions([other, Show.field]), session)
        }
        guard line == nil else {
            throw Wish.refusal(.brokenRule("a line number and a field exclude each other"), session)
        }
        guard arguments.operand(0) != nil else {
            throw Wish.refusal(.brokenRule("option '--field' requires a pass-name"), session)
        }
    }

    /// The options that ask for more than one line.
    private static let wholeForms = [Show.json, Show.flat]

    private static func refusal(_ fault: UsageError.Fault, _ session: Session) -> Failure {
        session.usage(of: Show.command, UsageError(faults: [fault]))
    }

    /// Whether a folder can answer it.
    var canList: Bool { field == nil }
}
