import CommandGrammar

@testable import passchain_docs

extension Sample {
    /// Prose with everything that roff could take for its own.
    static let manPage = ManPage(
        program: "passchain",
        commands: all,
        prose: ManPageText(
            date: "January 31, 2026",
            tagline: "keeps passwords in GnuPG files",
            description: [
                "The tool keeps passwords. Each is a file! Is it encrypted? It is, see `gpg --list-keys`.",
                ".Sh is no request here, and 'quotes at the beginning are not either. A \\backslash stays (`.gpg-id`), as "
                    + "do `No`, `Fl`, `a \"b\" c` and `-`. Trailing (`x`).",
                String(repeating: "verylongword ", count: 30),
            ],
            environment: [
                .init("PASSWORD_STORE_DIR", default: "`~/.password-store`", "The store."),
                .init("PASSWORD_STORE_CHARACTER_SET", default: "`[:punct:][:alnum:]`", "A set of `tr`."),
                .init("EDITOR", default: "editor, or vi", "The editor."),
            ],
            files: [.init("~/.password-store", "The store."), .init(".gpg-id", "The ids.")],
            exitStatus: [.init("0", "All went well."), .init("1", "Something failed.")],
            examples: [
                .init("Make a store.", "passchain init 0xABCDEF"),
                .init("Quote.", "passchain insert 'a \"b\" c' # ~ ^ ` \\", ".leading dot"),
            ],
            compatibility: ["It does as `pass` does."],
            seeAlso: ["git(1)", "gpg(1)"]
        )
    )
}
