internal import GPGME
internal import Glibc
internal import PasswordStore
internal import Unix

/// Why a store could not do something, as a caller learns it.
///
/// This is the only place where the two meet.
struct StoreFailure: Error, Sendable {
    /// The answer to the caller.
    let status: OSStatus
    /// Whether only one entry is concerned: then a query that does not name it leaves it out.
    let concernsOneEntry: Bool
    /// What happened, for `KEYCHAIN_LOG`; it names entries and causes, and never a secret.
    let cause: String

    private init(_ status: OSStatus, _ cause: String, concernsOneEntry: Bool = false) {
        self.status = status
        self.cause = cause
        self.concernsOneEntry = concernsOneEntry
    }

    /// A field of the entry at `path` does not parse.
    static func unparsable(_ path: Path) -> StoreFailure {
        StoreFailure(errSecDecode, "\(path): a keychain- field does not parse", concernsOneEntry: true)
    }

    /// The fields of the entry at `path` do not have the values that its path shortens.
    static func misnamed(_ path: Path) -> StoreFailure {
        StoreFailure(
            errSecDecode,
            "\(path): no keychain- field has the value that the path shortens",
            concernsOneEntry: true
        )
    }

    /// An attribute that names an item has a value of `count` bytes.
    static func attributeTooLong(_ code: AttributeCode, _ count: Int, limit: Int) -> StoreFailure {
        StoreFailure(errSecDataTooLarge, "\(code.rawValue) has \(count) bytes; \(limit) are allowed")
    }

    /// What was looked for was changed again and again.
    static let unsettled = StoreFailure(errSecIO, "the store changes all the time")

    /// The status for each thing that can go wrong with `store`.
    init(_ error: StoreError, in store: Store) {
        let problem = store.settings.gnuPGHomeProblem(after: error)
        self = problem.map { Self(home: $0) } ?? Self(error, root: store.root)
    }

    private init(_ error: StoreError, root: Path) {
        self =
            switch error {
            case .notInitialized(let folder): Self(errSecNoSuchKeychain, "no .gpg-id for folder '\(folder)'")
            case .noSuchEntry(let name): Self(errSecItemNotFound, "\(name): no such entry")
            case .entryExists(let name): Self(errSecDuplicateItem, "\(name): exists")
            case .refusedName(let name, .tooLong): Self(errSecDataTooLarge, "\(Self.text(name)): too long")
            case .refusedName(let name, let why): Self(errSecIO, "\(Self.text(name)): refused (\(why))")
            case .unusableVariable(let name): Self(errSecNotAvailable, "\(name) holds a NUL")
            case .recipientList(let path, let fault): Self(errSecNotAvailable, "\(path): \(fault)")
            case .signature(let path, let fault): Self(errSecNotAvailable, "\(path): signature \(fault)")
            case .gnuPG(let error): Self(errSecNotAvailable, "\(error)")
            case .noGPG: Self(errSecNotAvailable, "there is no gpg in PATH")
            case .decryption(let path, let error): Self(decrypting: path, error)
            // Only changes of recipients name several.
            case .undecryptable: Self(errSecIO, "entries cannot be decrypted")
            case .encryption(let path, let failure): Self(errSecNotAvailable, "\(path): \(failure)")
            case .otherRecipients(let path):
                Self(errSecNotAvailable, "\(path): gpg.conf makes gpg encrypt it for other keys")
            case .noMessage(let path, let code):
                Self(errSecNotAvailable, "\(path): gpg does not encrypt it: \(code)")
            case .tooLarge(let path, let limit): Self(errSecDataTooLarge, "\(path): more than \(limit) bytes")
            case .unusableRecipient(let problem): Self(errSecNotAvailable, "\(problem)")
            case .signing(let error): Self(errSecNotAvailable, "\(error)")
            case .file(let error): Self(file: error, root: root)
            case .locked(let process, let command):
                Self(
                    errSecNotAvailable,
                    "the store is locked by \(command) (\(process.map(String.init) ?? "?"))"
                )
            case .changedMeanwhile(let name): Self(errSecIO, "\(name): changed meanwhile")
            case .unfinished(let done, let total, let error):
                Self(errSecIO, "\(done) of \(total) files are in their places: \(error)")
            case .blocked(let path, let why):
                Self(errSecNotAvailable, "\(path): an unfinished change is in the way (\(why))")
            case .intoItself(let source, _): Self(errSecIO, "\(source): moved into itself")
            case .repository(let path): Self(errSecIO, "\(path): a git repository of its own")
            case .noGit: Self(errSecIO, "there is no git in PATH")
            case .notInGit: Self(errSecIO, "not in git")
            case .git(let status, _): Self(errSecIO, "git ended with status \(status)")
            }
    }

    private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

    private init(decrypting path: Path, _ error: GPGMEError) {
        // The one message without a name in the store is the index.
        let cause = "\(path.isEmpty ? "the attribute index" : "\(path)"): \(error)"
        let status =
            switch error.code.kind {
            case .damagedMessage: errSecDecode
            case .missingKey, .refusedPassphrase: errSecAuthFailed
            case .canceled: errSecUserCanceled
            case .lockedKey: errSecInteractionNotAllowed
            case .exhausted: error.code == .outOfMemory ? errSecAllocate : errSecIO
            case .unavailable: errSecNotAvailable
            }
        // A locked key may well be the right one for all the others, too: do not go on and ask again.
        self.init(status, cause, concernsOneEntry: error.code.concernsOneMessage)
    }

    /// No entry can be decrypted with such a home, so it concerns more than one.
    private init(home problem: GnuPGHomeProblem) {
        self =
            switch problem {
            case .unreachable(let path, let error):
                Self(errSecNotAvailable, "GNUPGHOME is \(path): \(error.reason)")
            case .unwritable(let path, let error):
                Self(
                    errSecNotAvailable,
                    "GNUPGHOME is \(path), without room for gpg-agent's sockets: \(error.reason)"
                )
            case .unreadableKeyring(let path, let error):
                Self(errSecNotAvailable, "gpg cannot read its keyring \(path): \(error.reason)")
            case .damagedKeyring(let path):
                Self(errSecNotAvailable, "gpg's keyring \(path) is damaged, or lacks the keys that are here")
            case .tooLong(let path, let most):
                Self(
                    errSecNotAvailable,
                    "GNUPGHOME is \(path), too long for gpg-agent's sockets: \(most) bytes at most"
                )
            }
    }

    private init(file error: Errno, root: Path) {
        let status =
            switch error.code {
            case EACCES, EPERM: errSecWrPerm
            case EROFS: errSecReadOnly
            case ENOSPC, EDQUOT: errSecDiskFull
            case ENAMETOOLONG: errSecDataTooLarge
            case EEXIST: errSecDuplicateItem
            case ENOMEM: errSecAllocate
            default: errSecIO
            }
        let path = error.path.isEmpty ? root : error.path
        self.init(status, "\(Errno(error.operation, path, code: error.code))")
    }
}
