public import GPGME
public import Unix

/// Everything that can go wrong with a store, as facts.
///
/// Words for users are found at the edges.
public enum StoreError: Error, Sendable, Hashable {
    /// No `.gpg-id` applies to the folder, or there is no store at all.
    case notInitialized(folder: Path)
    /// Nothing has this name.
    case noSuchEntry(EntryName)
    /// Something has this name already.
    case entryExists(EntryName)
    /// A name that cannot be an operand.
    case refusedName([UInt8], EntryName.Refusal)
    /// A `.gpg-id` that cannot be relied upon: its path below the root, and why.
    case recipientList(Path, RecipientList.Fault)
    /// A variable, which this names, was given as something that no variable can be.
    case unusableVariable(String)
    /// The signature of a `.gpg-id` does not hold: its path below the root, and why.
    case signature(Path, SignatureFault)
    /// GnuPG is missing, too old, or cannot be started.
    case gnuPG(GPGMEError)
    /// There is no gpg in any absolute folder of `PATH`.
    case noGPG
    /// An entry could not be decrypted: its path below the root.
    case decryption(Path, GPGMEError)
    /// Several entries could not be decrypted, each for a reason of its own.
    case undecryptable([UndecryptableEntry])
    /// An entry could not be encrypted: its path below the root.
    case encryption(Path, EncryptionFailure)
    /// What gpg encrypted for an entry is for other keys than those of its list: its path below the root.
    case otherRecipients(Path)
    /// gpg encrypted nothing for an entry, and no recipient is the reason: its path below the root.
    case noMessage(Path, GPGMEError.Code)
    /// An entry, whose path below the root it is, would hold more bytes than may be read again.
    case tooLarge(Path, limit: Int)
    /// A recipient cannot be encrypted to.
    case unusableRecipient(RecipientProblem)
    /// A `.gpg-id` could not be signed.
    case signing(GPGMEError)
    /// A system call failed.
    case file(Errno)
    /// Another process changes the store, and did not end in time.
    case locked(by: Int32?, command: String)
    /// An entry was changed by somebody else since it was read.
    case changedMeanwhile(EntryName)
    /// A change stopped half way; the next one finishes it. How many of its files are in their places, and why it
    /// stopped.
    case unfinished(done: Int, total: Int, Errno)
    /// A change that was interrupted stands in the way of others: where it is written down, below the root or
    /// absolute, and why this process does not finish it. Nothing was changed.
    case blocked(Path, Obstacle)
    /// The source of a move or copy is its target, or lies above it: paths below the root.
    case intoItself(Path, Path)
    /// A folder, whose path below the root it is, that only git can move: a submodule, a linked work tree, or for another
    /// file system any repository.
    case repository(Path)
    /// There is no git in any absolute folder of `PATH`.
    case noGit
    /// The store, or the folder, is in no git repository.
    case notInGit
    /// git ended with this status; what it wrote as errors.
    case git(status: Int32, output: [UInt8])

    /// Why a change that was interrupted is not finished by this process.
    public enum Obstacle: Hashable, Sendable {
        /// It is another user's: the number, and the name where the system knows one.
        case ofUser(UInt32, name: [UInt8]?)
        /// A later version of the tool began it.
        case ofNewerVersion
        /// What was written down is damaged.
        case damaged
    }

    /// Why a signature does not hold.
    public enum SignatureFault: Hashable, Sendable {
        /// There is no signature file, or it is no regular file.
        case missing
        /// It is not a valid, current signature by one of the wanted keys.
        case invalid
    }
}

/// An entry that could not be decrypted, and why.
public struct UndecryptableEntry: Sendable, Hashable {
    /// Its path below the root.
    public let path: Path
    /// Why.
    public let error: GPGMEError
}

extension UndecryptableEntry {
    /// The entry that `error` is due to; `nil` when it says something about others too.
    init?(_ error: StoreError) {
        guard error.concernsOneEntry, case .decryption(let path, let problem) = error else { return nil }
        self.init(path: path, error: problem)
    }
}

extension StoreError {
    /// Whether gpg did not encrypt an entry as it should.
    package var isOfEncryption: Bool {
        switch self {
        case .encryption, .otherRecipients, .noMessage: true
        default: false
        }
    }

    /// The error of one entry or several.
    init(_ entries: [UndecryptableEntry]) {
        self =
            if let only = entries.first, entries.count == 1 {
                .decryption(only.path, only.error)
            } else {
                .undecryptable(entries)
            }
    }

    /// A system call's error as one of a store; a link that leads out names what was asked for.
    init(_ error: Errno) {
        self = error.leavesFolder ? .refusedName(error.path.bytes, .leavesStore) : .file(error)
    }
}

/// Runs `body` with its system errors as errors of the store.
func asStoreError<Result: ~Copyable>(_ body: () throws(Errno) -> Result) throws(StoreError) -> Result {
    do throws(Errno) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
