internal import GPGME
internal import PasswordStore
internal import Unix

/// Why a command ends early: what it says on standard error, and its exit status.
struct Failure: Error {
    /// The lines for standard error.
    var lines: [Text]
    /// The exit status.
    var status: Int32
    /// Whether the help text follows on standard output.
    var showsHelp = false
    /// Whether the lines say what is done in spite of it.
    var saysWhatIsSaved = false

    /// A failure of status 1.
    init(_ line: Text) {
        lines = [line]
        status = ExitStatus.failure
    }

    init(_ lines: [Text], status: Int32) {
        self.lines = lines
        self.status = status
    }

    /// Without a word: the user said no, or there was no input.
    static let silent = Failure([], status: ExitStatus.failure)

    /// A line of an entry would be cut at a NUL on its way.
    init(holdingNUL name: [UInt8], _ target: Text) {
        self.init("Error: \(name) holds a NUL byte, where \(target) would end. Use standard output.")
    }

    /// Standard output cannot be written.
    init(writing error: Errno) { self.init("Error: cannot write the output: \(error.reason).") }
}

extension Failure {
    /// Pass's sentence for what went wrong with the store, and the exit status.
    init(_ error: StoreError, in session: Session) {
        self.init(wording: error, in: session)
        if let cause = session.sentenceForGnuPGHome(after: error) { lines[0] = cause }
    }

    /// The only place that words it.
    private init(wording error: StoreError, in session: Session) {
        let root = session.settings.root
        switch error {
        case .notInitialized: self = .notInitialized(session)
        case .noSuchEntry(let name): self.init("Error: \(name) is not in the password store.")
        case .entryExists(let name): self.init("Error: An entry already exists for \(name).")
        case .refusedName(let name, let refusal):
            self.init(Failure.sentence(for: refusal, of: name, in: session))
        case .recipientList(let path, let fault):
            self.init("Error: \(root.appending(path)): \(Failure.phrase(for: fault))")
        case .unusableVariable(let name):
            self.init("Error: \(name) holds a NUL byte, which no variable can. Set it to something else.")
        case .signature(let path, let fault):
            self.init(Failure.sentence(for: fault, of: root.appending(path)))
        case .gnuPG(let error): self.init(Failure.sentence(for: error, in: session))
        case .noGPG: self.init("Error: There is no gpg in PATH. Install GnuPG.")
        case .decryption(let path, let error): self.init(decrypting: [(path, error)])
        case .undecryptable(let entries): self.init(decrypting: entries.map { ($0.path, $0.error) })
        case .encryption(_, let failure):
            let skipped = failure.recipients.map(Failure.line(for:))
            self.init(encrypting: skipped.isEmpty ? ["gpg: \(failure.error.description)"] : skipped)
        case .unusableRecipient(let problem): self.init(encrypting: [Failure.line(for: problem)])
        case .otherRecipients(let path):
            self.init(
                "Error: gpg encrypts \(path.withoutSuffix(".gpg")) for other keys than those of its GPG ids. It is not "
                    + "saved. Remove recipient, hidden-recipient and encrypt-to-default-key from gpg.conf and "
                    + "PASSWORD_STORE_GPG_OPTS."
            )
        case .noMessage(let path, let code):
            let reason: Text = code == .general ? "" : ": \(code.description)"
            self.init(
                "Error: gpg does not encrypt \(path.withoutSuffix(".gpg"))\(reason). Look for an option in "
                    + "gpg.conf or PASSWORD_STORE_GPG_OPTS that keeps gpg from it, such as no-literal, dry-run or "
                    + "symmetric."
            )
        case .tooLarge(let path, let limit):
            self.init(
                "Error: \(path.withoutSuffix(".gpg")) would hold more than \(limit) bytes, which is all that "
                    + "PASSCHAIN_SIZE_LIMIT allows. It is not saved."
            )
        case .signing(let error):
            self.init(["gpg: \(error.description)", "Could not sign .gpg_id."], status: ExitStatus.failure)
        case .file(let error) where error.path == root && error.code == Errno.notAFolderCode:
            self.init("Error: the password store \(root) is not a directory. Set PASSWORD_STORE_DIR to one.")
        case .file(let error): self.init("Error: \(Failure.sentence(for: error, in: root))")
        case .locked(let process, let command):
            let holder: Text = process.map { " by \(command) (process \($0))" } ?? ""
            self.init("Error: The password store is being changed\(holder). Try again when that is done.")
        case .changedMeanwhile(let name):
            self.init("Error: \(name) was changed by somebody else meanwhile. Look at it, and try again.")
        case .unfinished(let done, let total, let error): self.init(error, after: done, of: total, in: root)
        case .blocked(let path, let obstacle):
            let file = path.isAbsolute ? path : root.appending(path)
            self.init(Failure.sentence(for: obstacle, at: file, of: root))
        case .intoItself(let source, let target):
            self.init("Error: \(source) and \(target) are the same, or one lies in the other.")
        case .repository(let path):
            self.init(
                "Error: \(path) is a git repository of its own. Move it with git: \(session.program) git mv for a "
                    + "submodule, git worktree move, or git clone."
            )
        case .noGit: self.init("Error: There is no git in PATH. Install git.")
        case .notInGit:
            self.init(
                "Error: the password store is not a git repository. Try \"\(session.program) git init\"."
            )
        case .git(let status, let output):
            self.init([Text(output: output)], status: status)
        }
    }

    private static func notInitialized(_ session: Session) -> Failure {
        var failure = Failure(
            [
                "Error: You must run:", "    \(session.program) init your-gpg-id",
                "before you may use the password store.", "",
            ],
            status: ExitStatus.failure
        )
        failure.showsHelp = true
        return failure
    }

    /// A change of which some steps are made.
    private init(_ error: Errno, after done: Int, of total: Int, in root: Path) {
        let files = Text.count(total, "file is in its place", "files are in their places")
        self.init(
            [
                "Error: \(Failure.sentence(for: error, in: root))",
                "\(done) of \(files). The next command that changes the password store finishes the rest.",
            ],
            status: ExitStatus.failure
        )
    }

    /// What stands in the way of every change, and what to do about it.
    private static func sentence(for obstacle: StoreError.Obstacle, at file: Path, of root: Path) -> Text {
        switch obstacle {
        case .ofUser(let number, let name):
            let user: Text = name.map { "\($0)" } ?? "\(String(number))"
            return "Error: User \(user) left a change of \(root) unfinished. Let that user run a command "
                + "that changes the password store, or give that change up: remove \(file)."
        case .ofNewerVersion:
            return "Error: A newer version of passchain left a change of \(root) unfinished. Finish it with "
                + "that version, or give that change up: remove \(file)."
        case .damaged:
            return "Error: A change of \(root) is unfinished, and its record is damaged. Look at the "
                + "entries, then remove \(file)."
        }
    }

    /// Why nothing is encrypted, in gpg's sentences.
    private init(encrypting reasons: [Text]) {
        self.init(reasons + ["Password encryption aborted."], status: ExitStatus.failure)
    }

    private static func sentence(for error: GPGMEError, in session: Session) -> Text {
        // An option that gpg does not take is the usual cause, and its own words name it.
        let words = [Array("gpg".utf8)] + session.settings.gpgOptions + [Array("--version".utf8)]
        return "Error: \(error.description). Try \(Array(words.joined(separator: " ".utf8)))."
    }

    /// gpg's sentence for each entry, and its status.
    private init(decrypting entries: [(path: Path, error: GPGMEError)]) {
        self.init(entries.map(Failure.line(for:)), status: ExitStatus.decryptionFailed)
    }

    /// An entry that cannot be decrypted, and gpg's sentence.
    static func line(for entry: (path: Path, error: GPGMEError)) -> Text {
        "\(entry.path.withoutSuffix(".gpg")): gpg: \(reason(entry.error))"
    }

    /// What is wrong with the folder that `GNUPGHOME` names.
    static func sentence(for problem: GnuPGHomeProblem) -> Text {
        switch problem {
        case .unreachable(let path, let error): "Error: GNUPGHOME is \(path): \(error.reason)."
        case .unwritable(let path, let error):
            "Error: GNUPGHOME is \(path), where gpg-agent cannot make its sockets: \(error.reason)."
        case .unreadableKeyring(let path, let error):
            "Error: gpg cannot read its keyring \(path): \(error.reason)."
        case .damagedKeyring(let path):
            "Error: gpg's keyring \(path) is damaged, or lacks the keys whose secret parts are here. Restore it."
        case .tooLong(let path, let most):
            "Error: GNUPGHOME is \(path), which is too long for gpg-agent's sockets: \(most) bytes at most."
        }
    }

    /// Why the signature of a file does not hold.
    static func sentence(for fault: StoreError.SignatureFault, of file: Path) -> Text {
        switch fault {
        case .missing: "Signature for \(file) does not exist."
        case .invalid: "Signature for \(file) is invalid."
        }
    }

    private static func sentence(for refusal: EntryName.Refusal, of name: [UInt8], in session: Session)
        -> Text
    {
        switch refusal {
        case .sneaky: "Error: You've attempted to pass a sneaky path to \(session.fixedName). Go home."
        case .reserved(let word):
            "Error: \(word) belongs to the password store itself and cannot be part of a pass-name."
        case .empty: "Error: The pass-name is empty. Name an entry or a folder of the password store."
        case .endsInDot: "Error: \(name) ends in a dot. Name the folder itself."
        case .leavesStore:
            "Error: \(name) leads out of the password store through a link."
        case .leadsToNoEntry: "Error: \(name) is a link to a file that is no entry. Remove the link."
        case .holdsNUL: "Error: \(name) holds a NUL byte, which no pass-name can. Give another name."
        case .tooLong: "Error: \(name) is too long for a pass-name: 251 bytes between slashes, 4000 in all."
        }
    }

    private static func phrase(for fault: RecipientList.Fault) -> Text {
        switch fault {
        case .empty: "there is no GPG id in it. Run init with a GPG id."
        case .option(let line, let text):
            "bad recipient in line \(line): \(text) looks like an option. A GPG id does not start with a dash."
        case .controlCharacter(let line): "bad recipient in line \(line): it holds a control character."
        case .mergeConflict(let line): "merge conflict in line \(line). Resolve it with git."
        case .notAnID(_, let text): "\"\(text)\" cannot be a GPG id."
        case .notAFile: "it is not a regular file. Remove it, and run init."
        }
    }

    /// Runs `body` with the system's errors in one line each.
    static func wording<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw Failure("Error: \(sentence(for: error))")
        }
    }

    /// A system call's failure, in one line.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - root: what an empty path means.
    /// - Returns: the half sentence with its full stop.
    static func sentence(for error: Errno, in root: Path = Path(".")) -> Text {
        let path = error.path.isEmpty ? root : error.path
        return "cannot \(error.operation.rawValue) \(path): \(error.reason)."
    }
}
