internal import CommandGrammar
internal import PasswordStore
internal import Unix

/// `--dry-run`: says what a command would do, and does nothing.
enum DryRun {
    static let option = Option(
        "dry-run",
        isTypedInFull: true,
        summary: "Change nothing, but say what would be encrypted anew, for which keys, or be removed."
    )

    /// Prints what would be encrypted anew, one entry a line, and how many that are.
    static func print(_ preview: ReencryptionPreview, in session: Session) throws(Failure) {
        for reencryption in preview.reencryptions {
            let keys = reencryption.keys.joined(separator: " ")
            try session.output.line("\(reencryption.entry): would be reencrypted to \(keys)")
        }
        let total = Text.count(preview.total, "entry", "entries")
        try session.output.line(
            "\(preview.reencryptions.count) of \(total) would be encrypted anew. Nothing is changed."
        )
    }

    /// Prints what would be removed, and how many entries that are.
    static func print(_ removals: [Store.Removal], in session: Session) throws(Failure) {
        for removal in removals {
            let kind: Text = removal.isFolder ? "directory " : ""
            try session.output.line(
                "\(kind)\(session.quoted(session.settings.root.appending(removal.path).bytes)) would be removed"
            )
        }
        let files = Text.count(removals.count { !$0.isFolder }, "file", "files")
        try session.output.line("\(files) would be removed. Nothing is changed.")
    }
}
