internal import PasswordStore
internal import Unix

/// The trees that `ls` and `find` print.
///
/// No gpg is started for them.
enum Listing {
    /// Prints the tree of a folder.
    static func print(_ name: EntryName, in session: Session) throws(Failure) {
        let drawing = drawing(session)
        let tree = try session.asFailure { () throws(StoreError) in
            try session.store.startTree(of: name, drawing.walk)
        }
        try session.output.write(drawing.draw(tree))
    }

    /// Prints the tree of what any of `terms` matches in the whole store.
    static func printMatches(of terms: [[UInt8]], in session: Session) throws(Failure) {
        let drawing = drawing(session)
        let root = try session.entryName([])
        let presence = try session.asFailure { () throws(StoreError) in try session.store.presence(of: root) }
        guard presence.isFolder else { return }
        let tree = try session.asFailure { () throws(StoreError) in
            try session.store.tree(of: root, drawing.walk, filter: NamePattern(terms: terms).search)
        }
        try session.output.write(drawing.draw(tree))
    }

    /// Prints the full names of the entries below a folder, sorted by their bytes; for menus.
    ///
    /// A link to an entry counts under its own name. What is hidden is left out, as in a tree.
    static func printNames(below name: EntryName, end: UInt8, in session: Session) throws(Failure) {
        var walk = FolderWalk()
        walk.followsLinks = true
        let tree = try session.asFailure { [walk] () throws(StoreError) in
            try session.store.tree(of: name, walk)
        }
        let names = tree.files(endingIn: ".gpg", ignoringCase: false, withLinks: true)
            .map { name.folderPath.appending($0).withoutSuffix(".gpg").bytes }
        try session.output.writeNames(names.sorted { $0.lexicographicallyPrecedes($1) }, end: end)
    }

    private static func drawing(_ session: Session) -> TreeText {
        TreeText(
            environment: session.environment,
            locale: session.locale,
            isForTerminal: session.output.isTerminal
        )
    }
}
