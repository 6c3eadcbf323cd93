internal import Glibc
internal import SecretMemory

extension Path {
    /// Whether only this user and root can replace what this user makes in the folder at this path.
    ///
    /// The folder and all above it must belong to this user or to root. Where others may write, the sticky bit must
    /// keep them from renaming what is not theirs. `nil` where there is no folder to look at.
    ///
    /// Source: `StrictModes` of sshd_config(5), which rests on the same rule.
    package var isTrustedFolder: Bool? {
        guard let real = withCString(bytes, { realpath($0, nil) }) else { return nil }
        var folder = Path(taking: real)
        while folder.isTrustedItself {
            if folder.components.isEmpty { return true }
            folder = folder.components.count == 1 ? "/" : folder.parent
        }
        return false
    }

    private var isTrustedItself: Bool {
        var status = stat()
        guard withCString(bytes, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return false
        }
        return Path.trustedOwners.contains(status.st_uid)
            && (status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0)
    }

    /// This user, root, and what root looks like from a user namespace without it (user_namespaces(7)).
    private static let trustedOwners: Set<uid_t> = [geteuid(), 0, 65_534]
}
