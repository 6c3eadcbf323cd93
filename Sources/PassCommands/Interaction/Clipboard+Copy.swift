internal import PasswordStore
internal import SecretMemory
internal import Unix

extension Clipboard {
    /// Puts a secret on the clipboard, and has what was there before put back after the time that the settings say.
    func copy(_ secret: SecretBytes, of name: [UInt8], in session: Session) throws(Failure) {
        // xsel would cut it, and then nothing would take the rest away.
        guard !secret.holdsNUL else { throw Failure(holdingNUL: name, "the clipboard") }
        let turn = try turn(in: session)
        do throws(Errno) {
            // A signal takes effect once a process waits to take the secret away again.
            try Interruption.held { () throws(Errno) in try copy(secret, turn, session.environment) }
        } catch {
            throw Failure("Error: Could not copy data to the clipboard")
        }
        try session.output.line("Copied \(name) to clipboard. Will clear in \(time.text) seconds.")
    }

    private func copy(
        _ secret: SecretBytes,
        _ turn: ClipboardTurn?,
        _ environment: Environment
    ) throws(Errno) {
        let (past, before) = try contentBefore(turn)
        let restorer = ClipboardRestorer.Request(
            contents: ClipboardContents(before: before, secret: secret),
            seconds: time.seconds,
            name: restorerName,
            place: turn?.folder ?? Path(recordName),
            listener: try turn?.listen()
        )
        if let turn {
            // It looks at the clipboard in a turn of its own, and so starts first: a kill in between leaves no secret.
            try restorer.start(environment)
            try put(secret, isSensitive: true)
            try turn.publish()
        } else {
            try put(secret, isSensitive: true)
            do throws(Errno) {
                try restorer.start(environment)
            } catch {
                // No process would take it away again.
                try put(before)
                throw error
            }
        }
        if case .waiting(let earlier) = past { earlier.end() }
    }

    // MARK: Others that copied

    /// What is known of earlier copies to this clipboard, and what it is to hold again in the end.
    private func contentBefore(
        _ turn: ClipboardTurn?
    ) throws(Errno) -> (past: ClipboardTurn.Past, before: SecretBytes) {
        // It takes as long as to look through all processes, and so goes on meanwhile.
        let reading = try startPaste()
        var past = turn.map { ClipboardTurn.past(in: $0.folder) } ?? .nobody
        var others: [OwnProcess]?
        var hasRestored = false
        if !past.isKnown {
            let found = OwnProcess.all(named: Clipboard.restorerPrefix)
            (past, hasRestored) = endWaiting(found, turn)
            others = found
        }
        var now = try Clipboard.content(from: reading)
        if hasRestored { now = try paste() }
        switch past {
        case .lost: return (past, .empty)
        case .waiting(let earlier) where now.isEqual(to: earlier.contents.secret):
            return (past, earlier.contents.before)
        default: break
        }
        guard !now.isEmpty else { return (past, now) }
        // What the user copied since then stays, but no secret that this clipboard got by another of its names: those of
        // an X display that a Wayland compositor serves are such.
        let elsewhere = contentsElsewhere(others ?? OwnProcess.all(named: Clipboard.restorerPrefix))
        return (past, elsewhere.first { now.isEqual(to: $0.secret) }?.before ?? now)
    }

    /// Has processes that wait to restore this clipboard, and cannot be asked, restore now.
    ///
    /// - Returns: what is known then of earlier copies, and whether the clipboard may hold something else now.
    private func endWaiting(
        _ processes: [OwnProcess],
        _ turn: ClipboardTurn?
    ) -> (past: ClipboardTurn.Past, hasRestored: Bool) {
        var (hasEnded, hasRestored) = (true, false)
        for process in processes {
            if process.words == [restorerName] {
                // pass's own, whose parent restores.
                process.terminateWithParent(seconds: Clipboard.patience)
                hasRestored = true
            } else if let place = ClipboardRestorer.place(in: process.words),
                place.lastComponent == recordName
            {
                // In this clipboard's folder it is at its end: it gives the turn back last.
                let isOver =
                    place == turn?.folder
                    ? process.hasEnded(within: Clipboard.patience)
                    : process.hangUp(seconds: Clipboard.patience)
                hasEnded = hasEnded && isOver
                hasRestored = true
            }
        }
        return (hasEnded ? .nobody : .lost, hasRestored)
    }

    /// What the processes know that wait to restore other clipboards.
    private func contentsElsewhere(_ processes: [OwnProcess]) -> [ClipboardContents] {
        processes.compactMap { process in
            guard let place = ClipboardRestorer.place(in: process.words), place.isAbsolute,
                place.lastComponent != recordName,
                case .waiting(let other) = ClipboardTurn.past(in: place)
            else { return nil }
            return other.contents
        }
    }

    /// How many seconds a process may take to restore.
    private static let patience = 2.0

    /// Waits for this process's turn; without a place for records there is none, and the copy is made without.
    private func turn(in session: Session) throws(Failure) -> ClipboardTurn? {
        guard let folder = RecordFolder.forWriting(session.environment)?.folder(Path(recordName)) else {
            session.output.warning(
                "Neither XDG_RUNTIME_DIR nor XDG_STATE_HOME has a private directory for records. "
                    + "If two commands copy at the same time, the clipboard may keep a secret."
            )
            return nil
        }
        do throws(FileLock.Failure) {
            return try ClipboardTurn(in: folder)
        } catch {
            throw Failure("Error: Another command uses the clipboard and does not end. Try again.")
        }
    }

    /// The name of the folder for this clipboard's records: all but letters, digits and dashes as `%` and two digits.
    private var recordName: [UInt8] {
        let name = identity.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                [byte]
            default: [UInt8(ascii: "%")] + byte.hexadecimal
            }
        }
        // The end of a long one tells more than its beginning.
        return Array("clipboard-".utf8) + name.suffix(200)
    }

    private static let restorerPrefix = Array("password store sleep on display ".utf8)

    /// By this name pass finds the process that waits, and its own.
    private var restorerName: [UInt8] { Clipboard.restorerPrefix + display }
}
