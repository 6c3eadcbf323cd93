internal import GPGME
internal import Unix

extension Settings {
    /// What is wrong with the file of gpg's home that holds the public keys; `nil` when nothing is, or there is none.
    ///
    /// GnuPG says of an unreadable or a damaged one that it has no such key.
    var keyringProblem: GnuPGHomeProblem? {
        guard let home = gnuPGFolder else { return nil }
        var isFirst = true
        for name in ["pubring.kbx", "pubring.gpg"] {
            let path = home.appending(Path(Array(name.utf8)))
            switch FileAccess(path) {
            case .absent: continue
            case .unreadable(let error): return .unreadableKeyring(path, error)
            case .readable:
                // GnuPG reads no other one.
                guard isFirst else { continue }
                isFirst = false
                do throws(Errno) {
                    let bytes = try readFile(path)
                    guard KeyringFile(bytes.span).isWhole else { return .damagedKeyring(path) }
                } catch {
                    return .unreadableKeyring(path, error)
                }
            }
        }
        return nil
    }

    /// Whether gpg's home holds any secret key, of whichever kind.
    var holdsSecretKeys: Bool {
        get throws(Errno) {
            guard let home = gnuPGFolder else { return false }
            do throws(Errno) {
                let folder = try ConfinedFolder(home.appending(Path("private-keys-v1.d")))
                return try folder.names().contains { $0.suffix(4).elementsEqual(".key".utf8) }
            } catch {
                if error.isNoSuchFile { return false }
                throw error
            }
        }
    }
}
