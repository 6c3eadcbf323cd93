internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// What `mv` and `cp` have in common: finding out what becomes what, asking, and the words of the GNU tools.
struct Relocator {
    /// `mv` or `cp`, which prompts and errors begin with.
    let tool: String
    let arguments: Arguments
    let force: Option
    let session: Session

    /// Finds out what becomes what; `nil` when the user does not want something overwritten.
    func plan() throws(Failure) -> Relocation? {
        let old = try session.entryName(arguments.operands[0])
        let new = try session.entryName(arguments.operands[1])
        let source = try session.asFailure { () throws(StoreError) in try session.store.relocationSource(old)
        }
        // pass prints the source's path first, whether it exists or not, and scripts skip the line.
        try session.output.line("\(session.shown(source))")
        let relocation = try session.asFailure { () throws(StoreError) in
            try session.store.planRelocation(of: old, to: new)
        }
        guard relocation.replaces, !relocation.isFolder, !arguments.contains(force),
            FileDescriptor.standardInput.isTerminal
        else { return relocation }
        let mayOverwrite = try session.isAffirmed("\(tool): overwrite \(quoted(relocation.target))? ")
        return mayOverwrite ? relocation : nil
    }

    /// Moves or copies, with the system's refusals in the words of the GNU tools.
    func carryOut<Result>(
        _ relocation: Relocation,
        _ body: () throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        let (source, target) = (quoted(relocation.source), quoted(relocation.target))
        let verb: Text = tool == "mv" ? "move" : "copy"
        do throws(StoreError) {
            return try body()
        } catch {
            switch error {
            case .intoItself(let from, let to) where from == to:
                throw Failure("\(tool): \(source) and \(target) are the same file")
            case .intoItself:
                throw Failure("\(tool): cannot \(verb) \(source) to a subdirectory of itself, \(target)")
            case .file(let problem) where problem.operation == .rename:
                throw Failure("\(tool): cannot \(verb) \(source) to \(target): \(problem.reason)")
            default: throw Failure(error, in: session)
            }
        }
    }

    /// Prints what happened, in the order in which pass does.
    ///
    /// - Parameters:
    ///   - done: what happened.
    ///   - saved: what to say is done when the commit failed.
    ///   - line: makes the line for one pair.
    /// - Throws: ``Failure`` when the commit failed.
    func report(
        _ done: Store.RelocationReceipt,
        saved: Text,
        _ line: (Store.RelocationReceipt.Pair) -> Text
    ) throws(Failure) {
        try session.reportFolders(done.foldersMade.map(session.shown))
        for pair in done.pairs { try session.output.line(line(pair)) }
        for reencryption in done.reencryptions { try session.report(reencryption) }
        try session.report(done.receipt, saved: saved)
    }

    /// `'A' -> 'B'`.
    func quoted(_ pair: Store.RelocationReceipt.Pair) -> Text {
        "\(quoted(pair.source)) -> \(quoted(pair.target))"
    }

    private func quoted(_ path: Path) -> Text { session.quoted(session.shown(path)) }
}
