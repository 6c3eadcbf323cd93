internal import CommandGrammar
internal import PasswordStore
internal import SecretMemory
internal import Unix

/// What ``Prelude`` asks this program for, by words that are no commands for people.
///
/// The table of these words stands with the prelude.
enum HostCalls {
    /// Answers a call; `false` when the words are none.
    static func run(_ words: [Word], in session: Session) throws(Failure) -> Bool {
        guard words.count > 1 else { return false }
        let operand = words[1]
        switch String(decoding: words[0], as: UTF8.self) {
        case "__as": try run(Array(words.dropFirst(2)), as: operand, session)
        case "__clip":
            let clipboard = try Clipboard.find(in: session)
            try clipboard.copy(try readSecret(), of: operand, in: session)
        case "__qrcode": try QRCode.show(try readSecret(), of: operand, in: session)
        case "__verify": try session.verifySignature(of: Path(operand))
        case "__reencrypt": try reencrypt(Path(operand), session)
        default: return false
        }
        return true
    }

    /// Runs a built-in command for an extension: its usage lines name the extension.
    private static func run(_ words: [Word], as name: Word, _ session: Session) throws(Failure) {
        var session = session
        session.typed = name
        session.isInPlaceOfPass = true
        let word = words.first ?? []
        if word == Array("__generate".utf8) {
            session.passwordReceiver = FileDescriptor.ofExtension
            return try Dispatch.run(Generate.self, Array(words.dropFirst()), session)
        }
        guard let command = CommandTable.command(called: word) else {
            throw Failure("Error: \(word) is not a command.")
        }
        try Dispatch.run(command, Array(words.dropFirst()), session)
    }

    private static func readSecret() throws(Failure) -> SecretBytes {
        try Failure.wording { () throws(Errno) in
            try FileDescriptor.standardInput.readSecret(limit: Store.largestEntry)
        }
    }

    /// Encrypts anew what lies at and below `path`, which extensions write as the store's folder and more.
    private static func reencrypt(_ path: Path, _ session: Session) throws(Failure) {
        let root = session.settings.root.bytes
        let rest = path.bytes.dropFirst(root.count)
        guard path.bytes.starts(with: root),
            rest.isEmpty || rest.first == UInt8(ascii: "/") || root.last == UInt8(ascii: "/")
        else {
            throw Failure("Error: \(path) is not in the password store.")
        }
        let name = try session.entryName(Array(rest))
        let done = try session.asFailure { () throws(StoreError) in
            try session.store.reencrypt(name.folderPath)
        }
        for reencryption in done { try session.report(reencryption) }
    }
}

extension Session {
    /// Makes sure that a file, such as an extension, is signed, where signatures are required.
    func verifySignature(of file: Path) throws(Failure) {
        do throws(StoreError) {
            try store.verifySignature(ofFile: file)
        } catch {
            // The file need not lie in the store, below whose root other signatures are.
            guard case .signature(_, let fault) = error else { throw Failure(error, in: self) }
            throw Failure(Failure.sentence(for: fault, of: file))
        }
    }
}

extension FileDescriptor {
    /// Where the prelude wants the password that was generated for an extension.
    fileprivate static var ofExtension: FileDescriptor { FileDescriptor(owning: 9) }
}
