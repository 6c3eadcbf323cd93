internal import SecretMemory
internal import Unix

/// The process that waits, and then puts back what was on the clipboard before.
///
/// It is this program again, started by a hidden word, in a session of its own. What it needs comes through its input,
/// so that no argument holds a secret. Its output is the socket at which it is asked; see ``ClipboardTurn``.
struct ClipboardRestorer {
    /// The hidden word.
    static let word = Array("__restore-clipboard".utf8)

    /// What is asked of the process.
    struct Request {
        /// What it restores, and in place of what.
        let contents: ClipboardContents
        /// How long it waits.
        let seconds: Double
        /// What it is called.
        let name: [UInt8]
        /// The clipboard's own folder; its mere name where there is none.
        let place: Path
        /// The socket at which it listens.
        let listener: FileDescriptor?

        /// Starts the process.
        ///
        /// - Throws: ``Errno`` when it could not be started.
        func start(_ environment: Environment) throws(Errno) {
            var child = Subprocess(
                Process.executable,
                [word, Array(String(seconds).utf8), place.bytes],
                environment: environment
            )
            child.name = name
            child.input = .secret(contents.message)
            if let listener { child.output = .descriptor(listener.number) }
            try child.startDetached(holdingEndSignals: true)
        }
    }

    /// The clipboard's own folder, or its mere name, as the words of a process of this kind tell; `nil` for others.
    static func place(in words: [[UInt8]]) -> Path? {
        words.count == 4 && words[1] == word ? Path(words[3]) : nil
    }

    /// Waits for the time, for `TERM` or for `HUP`, and restores, if the clipboard still holds the secret.
    static func run(_ arguments: [[UInt8]], in session: Session) throws(Failure) {
        let signals = try Failure.wording { () throws(Errno) in try FileDescriptor.endSignals() }
        let clipboard = try Clipboard.find(in: session)
        let seconds = arguments.first.flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
        let message = try Failure.wording { () throws(Errno) in try FileDescriptor.standardInput.readSecret()
        }
        guard arguments.count > 1, let contents = ClipboardContents(message) else { return }
        let restorer = ClipboardRestorer(contents: contents, signals: signals)
        let place = Path(arguments[1])
        switch restorer.wait(seconds: seconds, listeningIn: place.isAbsolute ? place : nil) {
        case .hasTurn(let turn):
            defer { turn.withdraw() }
            try restorer.restore(clipboard, session)
        case .isAlone: try restorer.restore(clipboard, session)
        case .isReplaced: break
        }
    }

    private let contents: ClipboardContents
    private let signals: FileDescriptor

    /// How a wait ended.
    private enum End {
        case hasTurn(ClipboardTurn)
        /// There is no folder for turns, or none any more.
        case isAlone
        /// Another process has taken over.
        case isReplaced
    }

    /// Waits, while others may take over what is to be restored.
    private func wait(seconds: Double, listeningIn folder: Path?) -> End {
        let listener = folder == nil ? nil : FileDescriptor.standardOutput
        let clock = Stopwatch()
        var connections: [FileDescriptor?] = []
        var due = seconds
        while true {
            let now = clock.elapsed.seconds
            let isDue = now >= due
            if isDue, let end = turn(in: folder) { return end }
            // One that was stopped in its turn may never go on; the secret goes without it.
            if now >= due + ClipboardTurn.patience { return .isAlone }
            let isReady = FileDescriptor.wait(
                for: [isDue ? nil : signals, listener] + connections,
                seconds: isDue ? 0.01 : due - now
            )
            if isReady[0] { due = now }
            let answers = Array(zip(connections, isReady.dropFirst(2)))
            for (connection, hasAnswered) in answers where hasAnswered {
                // One byte means that it is done; the end alone, that the other process asked only, or did not get that far.
                if let answer = try? connection?.readAll(limit: 1), !answer.isEmpty { return .isReplaced }
            }
            connections = answers.filter { !$0.1 }.map { $0.0 }
            if isReady[1], let listener, let next = LocalSocket.accept(listener) {
                // One that is gone meanwhile shows by the end of its connection.
                try? next.write(contents.message)
                next.endWriting()
                connections.append(next)
            }
        }
    }

    /// The turn, if it can be had at once; `nil` while another process has it, which may want to take over.
    private func turn(in folder: Path?) -> End? {
        guard let folder else { return .isAlone }
        do throws(FileLock.Failure) {
            return .hasTurn(try ClipboardTurn(in: folder, waiting: 0))
        } catch {
            // The folder may be gone, as after the end of the session.
            if case .held = error { return nil }
            return .isAlone
        }
    }

    private func restore(_ clipboard: Clipboard, _ session: Session) throws(Failure) {
        let now = try Failure.wording { () throws(Errno) in try clipboard.paste() }
        guard now.isEqual(to: contents.secret) else { return }
        ClipboardRestorer.clearHistory(session.environment)
        try Failure.wording { () throws(Errno) in try clipboard.put(contents.before) }
    }

    /// Has KDE's clipboard manager forget what it has seen, as pass does.
    private static func clearHistory(_ environment: Environment) {
        guard let qdbus = environment.findProgram(Array("qdbus".utf8)) else { return }
        let words = ["org.kde.klipper", "/klipper", "org.kde.klipper.klipper.clearClipboardHistory"]
        // A clipboard manager that is not there has nothing to forget.
        _ = try? Subprocess(qdbus, words.map { Array($0.utf8) }, environment: environment).run()
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
