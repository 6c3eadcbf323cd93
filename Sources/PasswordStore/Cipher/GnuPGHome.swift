internal import GPGME
internal import Glibc
public import Unix

/// What is wrong with gpg's home, where GnuPG's own words do not say so.
public enum GnuPGHomeProblem: Sendable, Hashable {
    /// It cannot be opened, as when it is not there.
    case unreachable(Path, Errno)
    /// gpg-agent cannot make its sockets there, as on a medium that is only read.
    case unwritable(Path, Errno)
    /// The file with the public keys cannot be read.
    case unreadableKeyring(Path, Errno)
    /// The file with the public keys is damaged, or is not there beside secret keys.
    case damagedKeyring(Path)
    /// gpg-agent cannot have its sockets there: the system does not take names as long as theirs would be.
    case tooLong(Path, most: Int)
}

extension Settings {
    /// What is wrong with the folder that `GNUPGHOME` names; `nil` when nothing is, or another one is used.
    ///
    /// It is asked for once something failed that GnuPG was needed for.
    public var gnuPGHomeProblem: GnuPGHomeProblem? {
        guard !namesHome, let home = environment.nonEmpty("GNUPGHOME") else { return nil }
        let path = Path(home)
        let folder: ConfinedFolder
        do throws(Errno) {
            folder = try ConfinedFolder(path)
        } catch {
            return .unreachable(path, error)
        }
        // Where there is a folder of the user's for sockets, they lie in that one.
        let folders = ["/run/user/\(getuid())", "/run/gnupg/user/\(getuid())"]
        if folders.contains(where: { (try? ConfinedFolder(Path($0))) != nil }) { return nil }
        if home.count > Settings.longestHome { return .tooLong(path, most: Settings.longestHome) }
        do throws(Errno) {
            // An agent that is there already has its sockets.
            if try folder.locate("S.gpg-agent", followingLast: false).status() == nil {
                try folder.checkWritable()
            }
        } catch {
            return .unwritable(path, error)
        }
        return nil
    }

    /// What is wrong with that folder where it can be the cause of `error`; `nil` when it is not.
    public func gnuPGHomeProblem(after error: StoreError) -> GnuPGHomeProblem? {
        let needsSecretKey: Bool
        switch error {
        case .decryption(_, let error), .signing(let error):
            needsSecretKey = [.missingKey, .unavailable].contains(error.code.kind)
        case .gnuPG, .encryption, .unusableRecipient: needsSecretKey = false
        default: return nil
        }
        switch gnuPGHomeProblem {
        case nil,
            .tooLong where !needsSecretKey, .unwritable where !needsSecretKey:
            return keyringProblem(after: error)
        case let problem: return problem
        }
    }

    private func keyringProblem(after error: StoreError) -> GnuPGHomeProblem? {
        switch error {
        // That keys are absent is said only after the keyring was looked at.
        case .decryption(_, let error), .signing(let error):
            guard error.code.kind == .unavailable else { return nil }
            if let problem = keyringProblem { return problem }
            guard error.code == .invalidKeyring, let home = gnuPGFolder else { return nil }
            return .damagedKeyring(home.appending(Path("pubring.kbx")))
        default: return keyringProblem
        }
    }

    /// The folder that gpg takes for its home, by an option or by the variables.
    var gnuPGFolder: Path? {
        for (number, word) in gpgOptions.enumerated() where word.starts(with: "--home".utf8) {
            let parts = word.split(separator: UInt8(ascii: "="), maxSplits: 1)
            if parts.count == 2 { return Path(Array(parts[1])) }
            return number + 1 < gpgOptions.count ? Path(gpgOptions[number + 1]) : nil
        }
        return environment.gnuPGHome.map { Path($0) }
    }

    /// The folder that the variables give gpg for its home; `nil` when an option names another one.
    var gnuPGHome: [UInt8]? { namesHome ? nil : environment.gnuPGHome }

    /// Whether an option for gpg names its home, before which `GNUPGHOME` does not count; gpg takes it cut short, too.
    private var namesHome: Bool { gpgOptions.contains { $0.starts(with: "--home".utf8) } }

    /// A socket's name has 106 bytes at most for gpg-agent, and `/S.gpg-agent.browser` is its longest.
    private static let longestHome = 106 - "/S.gpg-agent.browser".utf8.count
}

extension Environment {
    /// The folder that gpg takes for its home.
    var gnuPGHome: [UInt8]? {
        nonEmpty("GNUPGHOME") ?? nonEmpty("HOME").map { Path($0).appending(".gnupg").bytes }
    }
}
