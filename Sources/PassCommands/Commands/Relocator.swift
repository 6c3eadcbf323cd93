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

    /// Finds out what becomes what.
    func plan() throws(Failure) -> Relocation {
        let old = try session.entryName(arguments.operands[0])
        let new = try session.entryName(arguments.operands[1])
        let path = try session.asFailure { () throws(StoreError) in try session.store.relocationSource(old) }
        // pass prints the source's path first, whether it exists or not, and scripts skip the line.
        try session.output.line("\(source(isFolder: path == old.folderPath).bytes)")
        return try session.asFailure { () throws(StoreError) in
            try session.store.planRelocation(of: old, to: new)
        }
    }

    /// Asks about each file that would be overwritten, on a terminal and without `--force`.
    ///
    /// - Returns: the files, below the root, that the user wants to keep.
    func askToOverwrite(by relocation: Relocation) throws(Failure) -> Set<Path> {
        guard !arguments.contains(force), FileDescriptor.standardInput.isTerminal else { return [] }
        let files = try session.asFailure { () throws(StoreError) in
            try session.store.overwrittenFiles(by: relocation)
        }
        var kept: Set<Path> = []
        let target = target(of: relocation)
        for file in files {
            let path = shown(file, below: relocation.target, as: target)
            if try !session.isAffirmed("\(tool): overwrite \(session.quoted(path))? ") { kept.insert(file) }
        }
        return kept
    }

    /// The source as pass builds its path.
    private func source(isFolder: Bool) -> TypedPath {
        let path = session.typedPath(EntryName.withoutTrailingSlash(arguments.operands[0]))
        return isFolder ? path : path.withSuffix(".gpg")
    }

    /// The target as pass builds its path, and as mv(1) and cp(1) go on from there.
    private func target(of relocation: Relocation) -> TypedPath {
        let path = session.typedPath(arguments.operands[1])
        if relocation.goesInside { return path.appending(relocation.source.lastComponent) }
        return relocation.isFolder ? path : path.withSuffix(".gpg")
    }

    /// Says what would become what, and what would be encrypted anew.
    func preview(_ relocation: Relocation) throws(Failure) {
        let preview = try carryOut(relocation) { () throws(StoreError) in
            try session.store.previewRelocation(relocation, moving: tool == "mv")
        }
        let from = session.quoted(source(isFolder: relocation.isFolder).bytes)
        try session.output.line("\(from) would become \(session.quoted(target(of: relocation).bytes))")
        try DryRun.print(preview, in: session)
    }

    /// Moves or copies, with the system's refusals in the words of the GNU tools.
    func carryOut<Result>(
        _ relocation: Relocation,
        _ body: () throws(StoreError) -> Result
    ) throws(Failure) -> Result {
        let source = session.quoted(source(isFolder: relocation.isFolder).bytes)
        let target = session.quoted(target(of: relocation).bytes)
        let verb: Text = tool == "mv" ? "move" : "copy"
        do throws(StoreError) {
            return try body()
        } catch {
            switch error {
            case .intoItself(let from, let to) where from == to:
                throw Failure("\(tool): \(source) and \(target) are the same file")
            case .intoItself:
                throw Failure("\(tool): cannot \(verb) \(source) to a subdirectory of itself, \(target)")
            case .file(let problem) where problem.isDanglingLink:
                throw Failure("\(tool): not writing through dangling symlink \(target)")
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
    ///   - relocation: what was to happen.
    ///   - saved: what to say is done when the commit failed.
    ///   - line: makes the line for one pair of quoted paths, `'A' -> 'B'`.
    /// - Throws: ``Failure`` when the commit failed.
    func report(
        _ done: Store.RelocationReceipt,
        of relocation: Relocation,
        saved: Text,
        _ line: (Text) -> Text
    ) throws(Failure) {
        session.output.saved = saved
        try session.reportFolders(
            done.foldersMade.count,
            of: session.typedPath(arguments.operands[1]).folder
        )
        let (source, target) = (source(isFolder: relocation.isFolder), target(of: relocation))
        // As mv(1) tells what it does by copying.
        let line = done.removals.isEmpty ? line : { "copied \($0)" }
        for pair in done.pairs {
            let from = shown(pair.source, below: relocation.source, as: source)
            let to = shown(pair.target, below: relocation.target, as: target)
            let isMade = pair.isFolder && !done.removals.isEmpty
            try session.output.line(
                isMade
                    ? "created directory \(session.quoted(to))"
                    : line("\(session.quoted(from)) -> \(session.quoted(to))")
            )
        }
        for removal in done.removals {
            let path = shown(removal.path, below: relocation.source, as: source)
            let kind: Text = removal.isFolder ? "directory " : ""
            try session.output.line("removed \(kind)\(session.quoted(path))")
        }
        for reencryption in done.reencryptions { try session.report(reencryption) }
        try session.report(done.receipt, saved: saved)
        guard done.sourceStays else { return }
        let reason: Text = done.sourceIsInUse ? "Directory not empty" : "a file system is mounted there"
        throw Failure("\(tool): cannot remove \(session.quoted(source.bytes)): \(reason)")
    }

    /// A path that is `top`, or lies below it, where `top` shows as `typed`.
    private func shown(_ path: Path, below top: Path, as typed: TypedPath) -> [UInt8] {
        path == top ? typed.bytes : typed.appending(path.moved(from: top, to: Path([])).bytes).bytes
    }
}
