internal import CommandGrammar
internal import PassCommands
internal import PasswordStore

/// The files that are made of the commands' descriptions, and kept beside the sources.
enum Manual {
    /// A file: its path in the project, and its text.
    struct File: Sendable {
        /// The path from the project's top folder.
        let path: String
        /// The text.
        let text: String
    }

    /// The completions of three shells, and the manual page.
    static var files: [File] {
        let scripts = CompletionScripts(
            program: "passchain",
            dropIn: "pass",
            commands: CommandTable.descriptions,
            fallback: CommandTable.fallback
        )
        let page = ManPage(
            program: "passchain",
            commands: CommandTable.descriptions,
            prose: prose
        )
        return [
            File(path: "completions/passchain.bash", text: scripts.bash),
            File(path: "completions/_passchain", text: scripts.zsh),
            File(path: "completions/_pass", text: scripts.zshDropIn),
            File(path: "completions/passchain.fish", text: scripts.fish),
            File(path: "man/passchain.1", text: page.text),
        ]
    }

    private static var prose: ManPageText {
        ManPageText(
            date: "November 30, 2026",
            tagline: "a password store that is a drop-in for pass",
            description: description,
            environment: environment,
            files: paths,
            exitStatus: ExitStatus.table.map { ManPageText.Item($0.status, $0.meaning) },
            examples: examples,
            compatibility: compatibility,
            seeAlso: [
                "git(1)", "gpg(1)", "gpg-agent(1)", "gpg-preset-passphrase(1)", "grep(1)", "pass(1)",
                "qrencode(1)", "tr(1)", "tree(1)", "wl-copy(1)", "xclip(1)", "xsel(1)",
            ]
        )
    }

    private static let description = [
        "passchain keeps each password, with whatever lines are to go with it, in a file of its own that gpg encrypts. "
            + "Files lie in folders below `~/.password-store`; a file `.gpg-id` names the recipients for its folder "
            + "and all below it. The folder may be a git repository, in which every change is then committed.",
        "It reads and writes the stores of pass, takes the same commands and variables, and prints the same. "
            + "Started under the name `pass` it stands in its place, extensions included.",
        "A word that is no command is the name of an entry or folder to show. Names may hold any bytes but NUL. "
            + "Where a question is asked and standard input is no terminal, the answer is yes.",
        "An entry is replaced in one step: whatever happens, it holds its old or its new contents. What has to be "
            + "encrypted anew is so, and on disk, before the first entry is replaced.",
    ]

    private static var environment: [ManPageText.Variable] {
        Settings.variables.map { variable in
            ManPageText.Variable(
                variable.name,
                default: variable.standard.isEmpty ? nil : preset(variable.standard),
                variable.meaning
            )
        } + [
            ManPageText.Variable(
                "EDITOR",
                default: "`editor`, or `vi`",
                "The editor for edit, with its arguments."
            ),
            ManPageText.Variable("GNUPGHOME", default: "`~/.gnupg`", "GnuPG's own folder."),
            ManPageText.Variable(
                "GPG_TTY",
                default: "the terminal on standard input, output or error",
                "The terminal on which a passphrase is asked for."
            ),
            ManPageText.Variable("WAYLAND_DISPLAY", "The display whose clipboard wl-copy(1) serves."),
            ManPageText.Variable("DISPLAY", "The display whose clipboard xclip(1) or xsel(1) serves."),
            ManPageText.Variable(
                "TMPDIR",
                default: "`/tmp`",
                "Where edit goes when /dev/shm cannot be used. No other user but root may be able to replace what lies "
                    + "there."
            ),
            ManPageText.Variable(
                "XDG_RUNTIME_DIR",
                "Where records of decrypted texts in memory, and of copies to the clipboard, lie, in a folder passchain; see FILES."
            ),
            ManPageText.Variable(
                "XDG_STATE_HOME",
                default: "`~/.local/state`",
                "The same where XDG_RUNTIME_DIR is not set, or not the user's alone."
            ),
            ManPageText.Variable(
                "TREE_CHARSET",
                default: "that of the locale",
                "The characters that draw trees, as for tree(1)."
            ),
            ManPageText.Variable(
                "TREE_COLORS",
                default: "`LS_COLORS`",
                "The colours of listings, as for tree(1). Without TERM there are none."
            ),
            ManPageText.Variable("GREP_COLORS", "The colours of matches, as for grep(1)."),
        ]
    }

    /// A value as a literal, and a few words as they are.
    private static func preset(_ standard: String) -> String {
        standard.contains(" ") ? standard : "`\(standard)`"
    }

    private static let paths = [
        ManPageText.Item("~/.password-store", "The store."),
        ManPageText.Item(
            ".gpg-id",
            "The recipients for a folder and what is below it: a GPG id a line. What follows a # is a comment."
        ),
        ManPageText.Item(
            ".gpg-id.sig",
            "A detached signature of the list. It counts where PASSWORD_STORE_SIGNING_KEY is set."
        ),
        ManPageText.Item(".extensions", "The user's own extensions."),
        ManPageText.Item("/usr/lib/password-store/extensions", "The extensions of the system."),
        ManPageText.Item("/dev/shm", "Where an entry lies decrypted while it is edited."),
        ManPageText.Item(
            "$XDG_RUNTIME_DIR/passchain",
            "Records of what lies there: path, device, inode, and the processes that use it. When a command was killed, the "
                + "next one that changes a store removes what such a record names, once its editor has ended. Nothing else is "
                + "removed, whatever it is called or holds."
        ),
        ManPageText.Item(
            "$XDG_RUNTIME_DIR/passchain/clipboard-*",
            "A folder for each clipboard, with the socket of the process that waits to restore it, and does so at once on "
                + "TERM or HUP. It holds no secret."
        ),
        ManPageText.Item(
            ".gitattributes",
            "What git init writes as pass does: entries are decrypted for git diff and git log -p."
        ),
        ManPageText.Item(
            ".git/info/attributes",
            "What each change sees to, for this repository alone: git changes no byte of an entry or of a list of GPG "
                + "ids, whatever a .gitattributes says, and leaves an entry that both sides of a merge changed as it "
                + "is here."
        ),
        ManPageText.Item(
            ".git/passchain-pending",
            "What is about to be done, until it is. When a command was killed, the next one that changes the store reads "
                + "here what to finish or to take back. It ends in .new until it is whole."
        ),
        ManPageText.Item(".passchain-pending", "The same in a store without a `.git` folder."),
        ManPageText.Item(
            ".git/passchain-lock",
            "What is locked where folders cannot be, as on NFS: elsewhere the lock lies on the store's own folder. It stays, "
                + "empty; to remove it under a running command would let a second one in."
        ),
        ManPageText.Item(".passchain-lock", "The same in a store without a `.git` folder."),
        ManPageText.Item(
            ".passchain-tmp.*",
            "A file that is being written, until it takes its name. The name is reserved. Of a command that was killed, the "
                + "next one removes those that passchain-pending names. After a power cut one may stay: ciphertext that "
                + "no listing shows; remove it by hand."
        ),
        ManPageText.Item(
            "~/.cache/passchain",
            "Where programs that keep keychain items in the store remember what their fields say, encrypted to the user; "
                + "`$XDG_CACHE_HOME/passchain` where that is set. It holds no secret and can be removed. passchain itself "
                + "does not use it."
        ),
    ]

    private static let examples = [
        ManPageText.Example(
            "Start a store in git:",
            "$ passchain init alice@example.org",
            "$ passchain git init"
        ),
        ManPageText.Example(
            "Insert a password, and show it:",
            "$ passchain insert Email/home",
            "$ passchain Email/home"
        ),
        ManPageText.Example(
            "Generate one of 20 characters, and put it on the clipboard:",
            "$ passchain generate -c Web/example.org 20"
        ),
        ManPageText.Example(
            "Replace the password of an entry and keep its other lines:",
            "$ passchain generate -i Web/example.org"
        ),
        ManPageText.Example(
            "Let Bob read one folder:",
            "$ passchain init -p Team alice@example.org bob@example.org"
        ),
        ManPageText.Example(
            "Have passphrases asked for in the terminal, by pinentry-curses:",
            "$ echo pinentry-program /usr/bin/pinentry-curses >> ~/.gnupg/gpg-agent.conf",
            "$ gpgconf --reload gpg-agent"
        ),
        ManPageText.Example(
            "Take the passphrase from a file, where nobody can type one:",
            "$ export PASSWORD_STORE_GPG_OPTS='--pinentry-mode loopback --passphrase-file /run/passphrase'"
        ),
        ManPageText.Example(
            "Have shells, or a menu of your own, complete names without starting gpg:",
            "$ passchain complete entries Web/"
        ),
        ManPageText.Example("Find what holds a user's name:", "$ passchain grep -i 'login: alice'"),
    ]

    private static let compatibility = [
        "passchain behaves as pass 1.7.4, down to messages and commit texts, with these exceptions.",
        "Entries are replaced in one step, not written in place. One command at a time changes a store; another waits for "
            + "30 seconds. What `rm -r` removed before it failed is committed.",
        "A failing commit, a failing git command, rm of a folder without -r, rm that fails half way and an editor that fails "
            + "have a status that is not 0. The text of an editor that fails is kept, and where is said.",
        "Commits hold the changed files alone. Names are never taken for patterns. Git keeps each byte of an entry, and does "
            + "not merge it line by line. What `HEAD` does not hold afterwards, because git ignores it or a hook took it out, "
            + "has status 3.",
        "Where git knows no name and address of the user, commits are by USER <USER@HOST>, with a warning. mv refuses "
            + "submodules and linked work trees; cp copies no .git.",
        "init refuses ids that cannot be encrypted to, and changes nothing when one entry cannot be encrypted anew; "
            + "the list and its signature are one commit. Entries are encrypted anew only where the subkeys that gpg uses "
            + "differ.",
        "Every line of a `.gpg-id` counts, or the list is refused. A signature of it by a revoked key does not count. Mail "
            + "addresses among GPG ids are looked up in the keyring alone, and as a whole. A text that fits several keys is "
            + "refused, even if only one of them can be used.",
        "Options in gpg.conf and `PASSWORD_STORE_GPG_OPTS` that add a recipient or keep gpg from encrypting are refused; "
            + "those that change contents have no effect.",
        "Messages that are signed only, not encrypted, encrypted with a passphrase, or without integrity protection are not "
            + "shown.",
        "Links that lead out of the store are not followed. `.git`, `.gpg-id` and the like, the empty name, and the "
            + "store as a whole are no operands of commands that change something.",
        "find looks at names without `.gpg`. grep visits entries in the order of their names and refuses -r.",
        "A wrong value of some variables is named, with what holds instead or that nothing is done. Help and this page have "
            + "words of their own.",
    ]
}
