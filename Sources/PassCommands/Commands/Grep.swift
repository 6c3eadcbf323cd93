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
        if let option = GrepWords(arguments.operands).recursiveOption {
            throw Failure(
                "Error: grep \(option) would search files instead of the password store. Leave it out."
            )
        }
        let colour = Array("--color=always".utf8)
        var child = Subprocess(grep, [colour] + arguments.operands, environment: session.environment)
        child.name = Array("grep".utf8)
        var failure: Failure?
        try session.asFailure { () throws(StoreError) in
            try session.store.readAll { [child] path, contents in
                Match(path: path, outcome: contents.flatMap { matches(in: $0, child) })
            } _: { match in
                do throws(Failure) {
                    try print(match, session)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
    }

    /// What grep found in one entry.
    private struct Match: Sendable {
        let path: Path
        let outcome: Result<Subprocess.Outcome, StoreError>
    }

    private static func matches(
        in contents: EntryContents,
        _ child: Subprocess
    ) -> Result<Subprocess.Outcome, StoreError> {
        var child = child
        child.input = .secret(contents.bytes)
        child.output = .secret
        do throws(Errno) {
            return .success(try child.run())
        } catch {
            return .failure(.file(error))
        }
    }

    private static func print(_ match: Match, _ session: Session) throws(Failure) {
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
                keepingColours: true
            )
        case .failure(let error):
            // One entry that cannot be read hides no other.
            for line in Failure(error, in: session).lines { session.output.error("\(name): \(line)") }
        }
    }
}
