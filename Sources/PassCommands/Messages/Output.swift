internal import SecretMemory
internal import Unix

/// What the user reads: results on standard output, everything else on standard error.
///
/// Standard output is collected and written in large pieces; ``flush()`` comes before anything that writes by itself.
final class Output {
    private var waiting: [UInt8] = []
    /// Whether standard output is a terminal.
    let isTerminal = FileDescriptor.standardOutput.isTerminal
    /// Why something could not be written.
    private var lost: Errno?
    /// Whether who read the output has gone: he has had enough, which is no failure, and gets nothing more.
    private(set) var hasNoReader = false
    private let isErrorTerminal = FileDescriptor.standardError.isTerminal
    /// The warnings that are given once only.
    private var warned: Set<[UInt8]> = []
    private static let largestWait = 64 * 1024

    /// What is done, and stays done when it cannot be told: `x is saved`.
    var saved: Text?

    /// The line about long work, which gives way to everything else.
    let progress = Progress()

    /// Writes a line to standard output.
    func line(_ text: Text) throws(Failure) { try print(text + "\n") }

    /// Writes to standard output.
    func print(_ text: Text) throws(Failure) { try write(text.bytes(forTerminal: isTerminal)) }

    /// Writes what a program wrote to standard output, made harmless on a terminal.
    func printOutput(_ bytes: [UInt8]) throws(Failure) {
        try write(isTerminal ? TerminalText.harmless(bytes, keeping: .lines) : bytes)
    }

    /// Writes bytes to standard output exactly as they are.
    func write(_ bytes: [UInt8]) throws(Failure) {
        waiting += bytes
        if waiting.count > Output.largestWait { try flush() }
    }

    /// Writes names, each with `end` behind it: in a pipe as they are, on a terminal made harmless.
    func writeNames(_ names: some Sequence<[UInt8]>, end: UInt8) throws(Failure) {
        for name in names { try write((isTerminal ? TerminalText.harmless(name) : name) + [end]) }
    }

    /// Writes a secret to standard output exactly as it is, without a copy.
    func write(_ secret: SecretBytes) throws(Failure) {
        try flush()
        try handOn { () throws(Errno) in try FileDescriptor.standardOutput.write(secret) }
    }

    /// Writes a line to standard error.
    ///
    /// That this may fail, here and in what follows, is nobody's concern: there is nowhere left to say so.
    func error(_ text: Text) {
        try? flush()
        try? FileDescriptor.standardError.write((text + "\n").bytes(forTerminal: isErrorTerminal))
    }

    /// Writes a line to standard error about something that does not stop the command, and so leaves its status alone.
    func warning(_ text: Text) { error("Warning: \(text)") }

    /// Writes a warning, unless this command has given it before.
    func warningOnce(_ text: Text) {
        if warned.insert(text.messageBytes).inserted { warning(text) }
    }

    /// Writes to standard error without a line end, as for a question.
    ///
    /// - Returns: what a terminal shows of it.
    func prompt(_ text: Text) -> [UInt8] {
        try? flush()
        let bytes = text.bytes(forTerminal: isErrorTerminal)
        try? FileDescriptor.standardError.write(bytes)
        return isErrorTerminal ? bytes : []
    }

    /// Writes what a program wrote as errors.
    func errorOutput(_ bytes: [UInt8]) {
        try? flush()
        try? FileDescriptor.standardError.write(
            isErrorTerminal ? TerminalText.harmless(bytes, keeping: .lines) : bytes
        )
    }

    /// Writes one of GnuPG's status lines to a descriptor that the user opened, as gpg itself does.
    static func printStatusLine(_ line: [UInt8], to descriptor: Int32) {
        let text = Array("[GNUPG:] ".utf8) + line + [UInt8(ascii: "\n")]
        try? FileDescriptor.inherited(descriptor).write(text)
    }

    /// The failure, and what is done in spite of it.
    func withWhatIsSaved(_ failure: Failure) -> Failure {
        guard let saved, !failure.saysWhatIsSaved, !failure.lines.isEmpty else { return failure }
        var failure = failure
        failure.lines.append("\(saved) all the same.")
        failure.saysWhatIsSaved = true
        return failure
    }

    /// Hands everything on.
    ///
    /// - Throws: ``Failure``, also when something could not be written before and nobody was told.
    func flush() throws(Failure) {
        progress.clear()
        if let lost { throw withWhatIsSaved(Failure(writing: lost)) }
        guard !waiting.isEmpty else { return }
        let bytes = waiting
        waiting = []
        try handOn { () throws(Errno) in try FileDescriptor.standardOutput.write(bytes) }
    }

    private func handOn(_ write: () throws(Errno) -> Void) throws(Failure) {
        guard !hasNoReader else { return }
        do throws(Errno) {
            try write()
        } catch {
            guard !error.isBrokenPipe else { return hasNoReader = true }
            lost = error
            throw withWhatIsSaved(Failure(writing: error))
        }
    }
}
