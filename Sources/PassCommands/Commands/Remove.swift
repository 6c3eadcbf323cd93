internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `pass rm`: removes an entry or a folder.
enum Remove: PassCommand {
    static let changesStore = true

    static let recursive = Option("recursive", "r", summary: "Remove a folder and everything in it.")
    static let force = Option("force", "f", summary: "Remove without asking.")

    static let command = Command(
        "rm",
        aliases: ["remove", "delete"],
        summary: "Remove an existing password or folder.",
        synopsis: "[--recursive,-r] [--force,-f] pass-name",
        options: [.any(recursive), .any(force), .any(DryRun.option)],
        operands: [Operand("pass-name", completes: .entryOrFolder)]
    )

    static func run(_ arguments: Arguments, in session: Session) throws(Failure) {
        let name = try session.entryName(arguments.operands[0])
        guard !name.isRoot else { throw Failure(.refusedName(name.bytes, .empty), in: session) }
        let presence = try session.asFailure { () throws(StoreError) in
            try session.store.presenceOfItself(name)
        }
        let takesFolder = !presence.isEntry || name.hasTrailingSlash
        guard takesFolder ? presence.isFolder : true else {
            throw Failure(.noSuchEntry(name), in: session)
        }
        if arguments.contains(DryRun.option) {
            let removals = try session.asFailure { () throws(StoreError) in
                try session.store.previewRemoval(of: name, isFolder: takesFolder)
            }
            return try DryRun.print(removals, in: session)
        }
        if !arguments.contains(force) {
            try session.confirm("Are you sure you would like to delete \(name)?")
        }
        let typed = session.typedPath(name.bytesWithoutTrailingSlash)
        let shown = takesFolder ? typed.withSuffix("/") : session.typedPath(name.bytes).withSuffix(".gpg")
        if takesFolder, !arguments.contains(recursive) {
            throw Failure("rm: cannot remove \(session.quoted(shown.bytes)): Is a directory")
        }
        let message = ("Remove \(name) from store." as Text).messageBytes
        let done = try session.asFailure { () throws(StoreError) in
            takesFolder
                ? try session.store.removeFolder(name, message: message)
                : try session.store.remove(name, message: message)
        }
        // A link to a folder goes by its own name, without the slash.
        let isLink = takesFolder && done.removals.last?.isFolder == false
        let top = takesFolder ? name.folderPath : name.filePath
        try report(done, of: name, at: top, as: shown, itself: isLink ? typed : shown, in: session)
    }

    /// Says what is removed, and what is not.
    ///
    /// As rm(1) names them, `shownTop` lay at `top`, and everything else below `shown`.
    private static func report(
        _ done: Store.RemovalReceipt,
        of name: EntryName,
        at top: Path,
        as shown: TypedPath,
        itself shownTop: TypedPath,
        in session: Session
    ) throws(Failure) {
        let quoted = { (path: Path) in
            let below = path.moved(from: top, to: Path([]))
            return session.quoted(path == top ? shownTop.bytes : shown.appending(below.bytes).bytes)
        }
        let saved: Text = done.problems.isEmpty ? "\(name) is removed" : "\(name) is removed in part"
        session.output.saved = saved
        for removal in done.removals {
            let kind: Text = removal.isFolder ? "directory " : ""
            try session.output.line("removed \(kind)\(quoted(removal.path))")
        }
        for problem in done.problems {
            session.output.error("rm: cannot remove \(quoted(problem.path)): \(problem.reason)")
        }
        try session.report(done.receipt, saved: saved)
        guard done.problems.isEmpty else { throw .silent }
    }
}
