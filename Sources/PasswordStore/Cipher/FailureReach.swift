internal import GPGME
internal import Glibc
internal import Unix

extension StoreError {
    /// Whether only the entry is concerned that could not be read, so that a search may go on without it.
    ///
    /// For searches of the keychain, `grep`, `init`, `mv` and `cp` alike. See ``GPGME/GPGMEError/Code/kind``.
    package var concernsOneEntry: Bool {
        switch self {
        case .decryption(_, let error): error.code.concernsOneMessage
        case .undecryptable(let entries): entries.allSatisfy { $0.error.code.concernsOneMessage }
        default: false
        }
    }

    /// Whether a search cannot go on, as the next entry would fail in the same way.
    package var concernsEveryEntry: Bool {
        switch self {
        case .decryption(_, let error): !error.code.concernsOneMessage
        case .gnuPG, .noGPG: true
        default: mayPass
        }
    }

    /// Whether memory, files or processes ran out, which may be over a moment later.
    package var mayPass: Bool {
        switch self {
        case .decryption(_, let error), .gnuPG(let error): error.code.mayPass
        case .file(let error): [ENOMEM, EMFILE, ENFILE, EAGAIN].contains(error.code)
        default: false
        }
    }
}

extension Store {
    /// All decryptions of this process share the agent of one user, and its memory.
    private static let throttle = Throttle()

    /// Reads and decrypts one entry, and tries again, with fewer side by side, when memory, files or processes ran out.
    ///
    /// gpg-agent has little locked memory: some ten operations with a key of 4096 bits use it up.
    package static func patiently<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError)
        -> Result
    {
        try throttle.run(retryingAfter: \.mayPass, body)
    }
}
