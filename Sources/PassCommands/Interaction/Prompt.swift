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
        return try readLine("\(question) [y/N] ", echoing: true)?.line.trimmed.isYes ?? false
    }

    /// Asks a question as the GNU tools do; an answer that begins with `y` or `Y` is yes.
    func isAffirmed(_ question: Text) throws(Failure) -> Bool {
        try readLine(question, echoing: true)?.line.beginsWithYes ?? false
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
        let first = try askHidden("Enter \(what) for \(name): ")
        let second = try askHidden("Retype \(what) for \(name): ")
        guard first.isEqual(to: second) else { throw Failure("Error: the entered \(plural) do not match.") }
        return first
    }

    /// A line that is not shown; one without a line end is one that was not finished.
    private func askHidden(_ prompt: Text) throws(Failure) -> SecretBytes {
        guard let answer = try ask(prompt, echoing: false), answer.isTerminated else { throw .silent }
        try output.line("")
        return answer.line.trimmed
    }

    /// Asks for a line after `prompt`, which shows on a terminal only.
    ///
    /// - Returns: the line, and whether it had a line end; `nil` at the end of input.
    func ask(_ prompt: Text, echoing: Bool) throws(Failure) -> (line: SecretBytes, isTerminated: Bool)? {
        let answer = try readLine(prompt, echoing: echoing)
        // On a terminal an end of input leaves the cursor behind the prompt.
        if answer == nil, echoing, FileDescriptor.standardInput.isTerminal { output.error("") }
        return answer
    }

    private func readLine(
        _ prompt: Text,
        echoing: Bool
    ) throws(Failure) -> (line: SecretBytes, isTerminated: Bool)? {
        try Failure.wording { () throws(Errno) in
            try Terminal.readLine(echoing: echoing) {
                if FileDescriptor.standardInput.isTerminal { output.prompt(prompt) }
            }
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
