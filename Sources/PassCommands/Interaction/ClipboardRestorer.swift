internal import SecretMemory
internal import Unix

/// The process that waits, and then puts back what was on the clipboard before.
///
/// It is this program again, started by a hidden word, in a session of its own. What it needs comes through its input,
/// so that no argument holds a secret.
enum ClipboardRestorer {
    /// The hidden word.
    static let word = Array("__restore-clipboard".utf8)

    /// Starts the process.
    static func start(
        before: SecretBytes,
        secret: SecretBytes,
        seconds: Double,
        name: [UInt8],
        _ environment: Environment
    ) throws(Errno) {
        var child = Subprocess(
            Process.executable,
            [word, Array(String(seconds).utf8)],
            environment: environment
        )
        child.name = name
        var message = SecretBuffer(capacity: before.count + secret.count + 8)
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: before.count >> shift))
        }
        message.append(before)
        message.append(secret)
        child.input = .secret(message.finish())
        try child.startDetached()
    }

    /// Waits for the time, or for `TERM`, and restores, if the clipboard still holds the secret.
    static func run(_ arguments: [[UInt8]], in session: Session) throws(Failure) {
        let clipboard = try Clipboard.find(in: session)
        let seconds = arguments.first.flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
        let message = try Failure.wording { () throws(Errno) in try FileDescriptor.standardInput.readSecret()
        }
        guard let (before, secret) = parse(message) else { return }
        Interruption.sleepUntilTerminated(seconds: seconds)
        let now = try Failure.wording { () throws(Errno) in try clipboard.paste() }
        guard now.isEqual(to: secret) else { return }
        clearHistory(session.environment)
        try Failure.wording { () throws(Errno) in try clipboard.put(before) }
    }

    /// Takes apart what ``start(before:secret:seconds:name:_:)`` put together.
    private static func parse(_ message: SecretBytes) -> (before: SecretBytes, secret: SecretBytes)? {
        guard message.count >= 8 else { return nil }
        let count = message.withBytes { bytes in
            (0..<8).reduce(0) { $0 << 8 | Int(bytes[$1]) }
        }
        guard (0...message.count - 8).contains(count) else { return nil }
        return (message.slice(8..<8 + count), message.slice(8 + count..<message.count))
    }

    /// Has KDE's clipboard manager forget what it has seen, as pass does.
    private static func clearHistory(_ environment: Environment) {
        guard let qdbus = environment.findProgram(Array("qdbus".utf8)) else { return }
        let words = ["org.kde.klipper", "/klipper", "org.kde.klipper.klipper.clearClipboardHistory"]
        // A clipboard manager that is not there has nothing to forget.
        _ = try? Subprocess(qdbus, words.map { Array($0.utf8) }, environment: environment).run()
    }
}
