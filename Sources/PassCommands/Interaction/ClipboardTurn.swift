internal import SecretMemory
internal import Unix

/// The right to change one clipboard: one process at a time has it.
///
/// What was on the clipboard before the first secret is known to the process that waits to restore it. That process
/// listens at a socket in the clipboard's own folder, so that the next copy can take it over, and the kernel knows when it
/// has gone.
struct ClipboardTurn {
    /// The clipboard's own folder.
    let folder: Path
    private let lock: FileLock

    /// The name of the socket, and its name until all is done.
    private static let (name, newName) = ("restorer", "restorer.new")

    /// How long a turn may take, in seconds.
    static let patience = 10.0
    /// How long the answer of a process that waits may take, in seconds.
    private static let answerPatience = 2.0

    /// Waits for the turn at a clipboard.
    init(in folder: Path, waiting seconds: Double = patience) throws(FileLock.Failure) {
        self.folder = folder
        lock = try FileLock(
            onFolder: folder,
            orFile: { folder.appending("lock") },
            waiting: seconds
        )
    }

    /// What the process knew that waited to restore.
    struct Earlier {
        /// The former content, and the secret that took its place.
        let contents: ClipboardContents
        fileprivate let connection: FileDescriptor

        /// Has the process end and restore nothing.
        ///
        /// Unless it is told so, it goes on waiting.
        func end() { try? connection.write([1]) }
    }

    /// What is known of earlier copies.
    enum Past {
        /// Nobody waits to restore.
        case nobody
        /// Somebody waits, and has told what to restore.
        case waiting(Earlier)
        /// Somebody waited, and was killed or does not answer: what is on the clipboard may be a secret.
        case lost

        /// Whether there is something to know.
        var isKnown: Bool {
            if case .nobody = self { false } else { true }
        }
    }

    /// Asks the process that waits to restore and listens in `folder`, if there is one.
    static func past(in folder: Path) -> Past {
        do throws(Errno) {
            let connection = try LocalSocket.connect(in: folder, to: name)
            let message = try connection.readSecret(patience: answerPatience)
            guard let contents = ClipboardContents(message) else { return .lost }
            return .waiting(Earlier(contents: contents, connection: connection))
        } catch {
            return error.isNoSuchFile ? .nobody : .lost
        }
    }

    /// Makes the socket for the next process that waits; the present one keeps its name until ``publish()``.
    func listen() throws(Errno) -> FileDescriptor {
        LocalSocket.remove(ClipboardTurn.newName, in: folder)
        return try LocalSocket.listen(in: folder, as: ClipboardTurn.newName)
    }

    /// Gives the new socket the name at which it is asked.
    func publish() throws(Errno) {
        try LocalSocket.rename(in: folder, ClipboardTurn.newName, to: ClipboardTurn.name)
    }

    /// Removes the name, as nobody waits any more.
    func withdraw() { LocalSocket.remove(ClipboardTurn.name, in: folder) }
}

/// What was on a clipboard, and the secret that took its place.
struct ClipboardContents {
    let before: SecretBytes
    let secret: SecretBytes

    init(before: SecretBytes, secret: SecretBytes) {
        self.before = before
        self.secret = secret
    }

    /// Reads what ``message`` wrote; `nil` when it is incomplete.
    init?(_ message: SecretBytes) {
        guard message.count >= 16 else { return nil }
        let (first, second) = message.withBytes { bytes in
            ((0..<8).reduce(0) { $0 << 8 | Int(bytes[$1]) }, (8..<16).reduce(0) { $0 << 8 | Int(bytes[$1]) })
        }
        let length = message.count - 16
        guard (0...length).contains(first), second == length - first else { return nil }
        before = message.slice(16..<16 + first)
        secret = message.slice(16 + first..<message.count)
    }

    /// Both lengths, and both contents.
    var message: SecretBytes {
        var message = SecretBuffer(capacity: before.count + secret.count + 16)
        for count in [before.count, secret.count] {
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        }
        message.append(before)
        message.append(secret)
        return message.finish()
    }
}
