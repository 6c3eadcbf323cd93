internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass grep`: searches the contents of every entry with grep(1).
enum Grep: PassCommand {
    static let command = Command(
        "grep",
        summary: "Search for passwords whose contents match, with the options of grep(1).",
        synopsis: "[GREPOPTIONS] search-string",
        operands: [Operand("search-string", completes: .nothing, occurs: .oneOrMore)],
        parsing: .verbatim
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        guard let grep = session.environment.findProgram(Array("grep".utf8)) else {
            throw Failure("Error: There is no grep in PATH.")
        }
        let words = GrepWords(arguments.operands)
        if let option = words.recursiveOption {
            throw Failure(
                "Error: grep \(option) would search files instead of the password store. Leave it out."
            )
        }
        let search = GrepSearch(grep, words, environment: session.environment)
        var failure: Failure?
        var isComplete = true
        try session.asFailure { () throws(StoreError) in
            try session.store.readAll {
                search.matches(in: &$0)
            } _: { matches in
                do throws(Failure) {
                    for match in matches { try print(match, session, isComplete: &isComplete) }
                    return !session.output.hasNoReader
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
        // Why not, each such entry has told.
        if !isComplete { throw Failure.silent }
    }

    private static func print(
        _ match: GrepSearch.Match,
        _ session: Session,
        isComplete: inout Bool
    ) throws(Failure) {
        let name = match.path.withoutSuffix(".gpg")
        switch match.outcome {
        case .success(let outcome):
            session.output.errorOutput(outcome.errorOutput)
            guard outcome.status == 0 else { return }
            let folder = name.parent.isEmpty ? Path([]) : Path(name.parent.bytes + [UInt8(ascii: "/")])
            try session.output.line("\u{1B}[94m\(folder)\u{1B}[1m\(name.lastComponent)\u{1B}[0m:")
            // The shell that pass is written in drops line ends at the end, and adds one.
            try session.output.show(
                outcome.secretOutput.withoutLineEnds.terminated,
                of: name.bytes,
                keeping: [.lines, .colours]
            )
        case .failure(let error):
            // One entry that cannot be read hides no other. What concerns them all ends the search.
            let failure = Failure(error, in: session)
            guard !error.concernsEveryEntry else { throw failure }
            for line in failure.lines {
                if case .decryption = error {
                    session.output.error(line)
                } else {
                    session.output.error("\(name): \(line)")
                }
            }
            if case .file = error { isComplete = false }
        }
    }
}
