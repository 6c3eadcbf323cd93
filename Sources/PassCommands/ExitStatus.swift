/// What the tool's exit status means.
///
/// Scripts rely on it, and the manual shows this table.
package enum ExitStatus {
    /// Everything was done: it is on disk and, in a git store, committed.
    static let success: Int32 = 0
    /// Not done, or only in part, for the reason given on standard error.
    static let failure: Int32 = 1
    /// An entry could not be decrypted; gpg's own status.
    static let decryptionFailed: Int32 = 2
    /// The change is on disk, but git did not commit it.
    static let notCommitted: Int32 = 3

    /// One row of the table in the manual.
    package static let table: [(status: String, meaning: String)] = [
        (
            "0",
            "Done: on disk and, in a git store, committed. Also grep and find without a match, "
                + "and grep where an entry is damaged or for other keys, which it names."
        ),
        (
            "1",
            "Not done, or only in part, for the reason on standard error; also a question that was not answered with y."
        ),
        (
            "2",
            "An entry could not be decrypted (edit and generate --in-place: 1), grep could not decrypt any more, "
                + "or show cannot use gpg. "
                + "This is gpg's own status."
        ),
        ("3", "Done and on disk, but git did not commit it; standard error says why."),
        ("N", "git: the status of git itself. An extension: what it exits with."),
        ("128+N", "Ended by signal N: 130 by an interrupt from the keyboard."),
    ]
}
