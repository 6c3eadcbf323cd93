internal import PasswordStore
internal import SecretMemory
internal import Unix

extension Session {
    /// Asks a question that only `y` or `Y` answers with yes; anything else ends the command without a word.
    ///
    /// Without a terminal to ask on the answer is yes, as scripts that call pass expect.
    func confirm(_ question: Text) throws(Failure) {
        guard try isConfirmed(question) else { throw .silent }
    }

    /// Whether the user answers a question with `y` or `Y`; yes without a terminal to ask on.
    func isConfirmed(_ question: Text) throws(Failure) -> Bool {
        guard FileDescriptor.standardInput.isTerminal else { return true }
        let answer = try Failure.wording { () throws(Errno) in try readAnswer("\(question) [y/N] ") }
        return answer?.line.trimmed.isYes ?? false
    }

    /// Asks a question as the GNU tools do; an answer that begins with `y` or `Y` is yes.
    func isAffirmed(_ question: Text) throws(Failure) -> Bool {
        let answer = try Failure.wording { () throws(Errno) in try readAnswer(question) }
        return answer?.line.beginsWithYes ?? false
    }

    /// Asks whether an entry may be overwritten, if it exists.
    ///
    /// - Returns: whether it exists.
    func confirmOverwriting(_ name: EntryName) throws(Failure) -> Bool {
        guard try asFailure({ () throws(StoreError) in try store.contains(name) }) else { return false }
        try confirm("An entry already exists for \(name). Overwrite it?")
        return true
    }

    /// Asks twice for a line that is not shown, as in "Enter password for x", and "the passwords do not match".
    ///
    /// - Returns: the line without blanks at its ends.
    func askTwice(for what: Text, _ plural: Text, of name: Text) throws(Failure) -> SecretBytes {
        var typing = Terminal.Typing()
        let first = try askHidden("Enter \(what) for \(name): ", of: name, &typing)
        let second = try askHidden("Retype \(what) for \(name): ", of: name, &typing)
        guard first.isEqual(to: second) else { throw Failure("Error: the entered \(plural) do not match.") }
        return first
    }

    /// A line that is not shown; one without a line end is one that was not finished.
    private func askHidden(
        _ prompt: Text,
        of name: Text,
        _ typing: inout Terminal.Typing
    ) throws(Failure) -> SecretBytes {
        guard let answer = try ask(prompt, .hidden, of: name, &typing), answer.isTerminated else {
            throw .silent
        }
        try output.line("")
        return answer.line.trimmed
    }

    /// Asks for a line after `prompt`, which shows on a terminal only.
    ///
    /// - Parameters:
    ///   - prompt: the question.
    ///   - style: how the line is typed.
    ///   - name: what it is for, named when it is longer than an entry may be.
    ///   - typing: keeps the terminal's mode for the next line.
    /// - Returns: the line, and whether it had a line end; `nil` at the end of input.
    /// - Throws: ``Failure``.
    func ask(
        _ prompt: Text,
        _ style: Terminal.Style,
        of name: Text,
        _ typing: inout Terminal.Typing
    ) throws(Failure) -> (line: SecretBytes, isTerminated: Bool)? {
        let file = Path(name.messageBytes).withSuffix(".gpg")
        let limit = settings.sizeLimit
        let answer = try wording(.tooLarge(file, limit: limit)) { () throws(Errno) in
            try readLine(prompt, style, limit: limit, &typing)
        }
        // On a terminal an end of input leaves the cursor behind the prompt.
        if answer == nil, style != .hidden, FileDescriptor.standardInput.isTerminal { output.error("") }
        return answer
    }

    /// Asks for a single line.
    func ask(
        _ prompt: Text,
        _ style: Terminal.Style,
        of name: Text
    ) throws(Failure) -> (line: SecretBytes, isTerminated: Bool)? {
        var typing = Terminal.Typing()
        return try ask(prompt, style, of: name, &typing)
    }

    /// Reads everything up to the end of input, after `prompt`.
    ///
    /// - Throws: ``Failure``; for more than an entry may hold it names the entry.
    func readText(_ prompt: Text, for name: EntryName) throws(Failure) -> SecretBytes {
        try output.line(prompt)
        let limit = settings.sizeLimit
        return try wording(.tooLarge(name.filePath, limit: limit)) { () throws(Errno) in
            try Terminal.readText(limit: limit) { try? output.flush() }
        }
    }

    private func readLine(
        _ prompt: Text,
        _ style: Terminal.Style,
        limit: Int = .max,
        _ typing: inout Terminal.Typing
    ) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        try Terminal.readLine(style, limit: limit, in: &typing) {
            FileDescriptor.standardInput.isTerminal ? output.prompt(prompt) : []
        }
    }

    private func readAnswer(_ question: Text) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        var typing = Terminal.Typing()
        return try readLine(question, .plain, &typing)
    }

    /// Runs `body`, which reads what the user gives; `tooLarge` is said when that is more than an entry may hold.
    private func wording<Result>(
        _ tooLarge: StoreError,
        _ body: () throws(Errno) -> Result
    ) throws(Failure) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            // Nobody waits for the rest of it.
            throw error.isTooLarge
                ? Failure(tooLarge, in: self) : Failure("Error: \(Failure.sentence(for: error))")
        }
    }
}

extension SecretBytes {
    fileprivate var isYes: Bool {
        withBytes { $0.count == 1 && ($0[0] == UInt8(ascii: "y") || $0[0] == UInt8(ascii: "Y")) }
    }

    fileprivate var beginsWithYes: Bool {
        withBytes { $0.count > 0 && ($0[0] == UInt8(ascii: "y") || $0[0] == UInt8(ascii: "Y")) }
    }
}
