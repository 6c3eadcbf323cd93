internal import Unix

extension History {
    /// What git does with the files of a store, whatever attributes were pulled.
    ///
    /// An entry is bytes: git would take one without a zero byte, as one small entry in six is, for text, and merge it
    /// line by line, or change its line ends. `.gpg-id` is merged as text, and neither hidden from comparisons nor
    /// changed. Everything that changes bytes, or has a program change them, is named; a macro has no effect then.
    /// Source: `gitattributes(5)`.
    static let attributes = [
        "*.[gG][pP][gG] merge=binary diff=gpg", ".gpg-id !merge !diff", ".gpg-id.sig merge=binary !diff",
        ".gitattributes", ".gitmodules",
    ].map {
        $0
            + " -text !crlf !eol -ident -filter !working-tree-encoding -whitespace -export-subst -export-ignore"
    }

    private static let heading = "# passchain: files of a password store are bytes, which nothing may change."

    /// Makes sure that nothing but the user's own `info/attributes` says what git does with the files of a store.
    ///
    /// That file goes before each `.gitattributes`, and cannot be pulled. All work trees of a repository share it. It is
    /// read for each commit, as a clone has none.
    ///
    /// - Returns: why it is refused, for the user; `nil` when all is well.
    func pinAttributes(in gitFolder: GitFolder) throws(Errno) -> [UInt8]? {
        let info = gitFolder.common.appending("info")
        let path = info.appending("attributes")
        let newline = UInt8(ascii: "\n")
        var present: [UInt8] = []
        do throws(Errno) {
            present = try readFile(path, limit: 1024 * 1024)
        } catch {
            guard error.isNoSuchFile else { throw error }
        }
        let lines = present.split(separator: newline)
        let missing = History.attributes.filter { !lines.contains(Array($0.utf8)[...]) }
        // Where there is no repository after all, git says so.
        guard !missing.isEmpty, (try? ConfinedFolder(gitFolder.common)) != nil else { return nil }
        _ = try makeFolders(at: info)
        let place = try ConfinedFolder(info).locate("attributes", followingLast: false)
        if let kind = try place.status()?.kind, kind != .file {
            return Array("\(path) is not a regular file: put one in its place\n".utf8)
        }
        let separator = present.isEmpty || present.last == newline ? [] : [newline]
        let text = ([History.heading] + missing).map { $0 + "\n" }.joined()
        try AtomicFile.prepare(
            present + separator + Array(text.utf8),
            for: place,
            temporaryName: Store.temporaryName(0)
        ).commit()
        return nil
    }
}
