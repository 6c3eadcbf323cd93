internal import Unix

/// The files that git reads its configuration from, looked through for a word.
///
/// To ask git itself costs a process for every commit, and hardly anybody has set what would be asked for. The answer
/// no is certain; yes means that git has to be asked.
struct GitConfiguration {
    private let files: [Path]
    private let isElsewhere: Bool

    /// Finds the files for the repository at `folder`.
    init(of folder: Path, git: Path, _ environment: Environment) {
        let home = Path(environment["HOME"] ?? [])
        let userFolder = environment.nonEmpty("XDG_CONFIG_HOME").map { Path($0) } ?? home.appending(".config")
        files = [
            folder.appending(".git/config"), home.appending(".gitconfig"), userFolder.appending("git/config"),
            "/etc/gitconfig",
        ]
        // Another build of git may look for the system's file elsewhere, and variables can say anything.
        let variables = [
            "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
        ]
        isElsewhere = git != "/usr/bin/git" || variables.contains { environment[$0] != nil }
    }

    /// Whether git could know a setting with `word` in its name, which is given in lower case.
    func mayMention(_ word: String) -> Bool {
        if isElsewhere { return true }
        // A file of the repository that is not where it usually is (a worktree), or cannot be read, may say anything.
        return files.enumerated().contains { index, file in
            do throws(Errno) {
                let text = try readFile(file, limit: 1024 * 1024).map { $0 | 0x20 }
                return text.contains(word) || text.contains("include") || text.contains("worktreeconfig")
            } catch {
                return index == 0 || !error.isNoSuchFile
            }
        }
    }
}

extension [UInt8] {
    /// Whether `word` stands anywhere in these bytes.
    fileprivate func contains(_ word: String) -> Bool {
        let word = Array(word.utf8)
        guard let first = word.first, count >= word.count else { return false }
        return indices.dropLast(word.count - 1).contains {
            self[$0] == first && self[$0...].starts(with: word)
        }
    }
}
