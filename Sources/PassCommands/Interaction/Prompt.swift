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
