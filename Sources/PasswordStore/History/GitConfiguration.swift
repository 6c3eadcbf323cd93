internal import SecretMemory
internal import Unix

/// What git reads its configuration from, looked through for a word.
///
/// To ask git itself costs a process for every commit, and hardly anybody has set what would be asked for. The answer
/// no is certain; yes means that git has to be asked.
struct GitConfiguration {
    /// The texts of the files, in lower case; `nil` where git may know what is not in them.
    private let texts: [[UInt8]]?

    /// Reads the files for the repository that git keeps in `folder`.
    init(of folder: Path, git: Path?, _ environment: Environment) {
        let home = Path(environment["HOME"] ?? [])
        let userFolder = environment.nonEmpty("XDG_CONFIG_HOME").map { Path($0) } ?? home.appending(".config")
        let global =
            environment["GIT_CONFIG_GLOBAL"].map { [Path($0)] }
            ?? [home.appending(".gitconfig"), userFolder.appending("git/config")]
        let system = environment["GIT_CONFIG_SYSTEM"].map { Path($0) } ?? "/etc/gitconfig"
        let files = [folder.appending("config")] + global + [system]
        // Another build of git may look for the system's file elsewhere, and these variables can say anything.
        let variables = ["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"]
        // What is not absolute git reads from another folder than this process would.
        let isKnown = files.allSatisfy { $0.bytes.first == UInt8(ascii: "/") }
        guard git == "/usr/bin/git", isKnown, variables.allSatisfy({ environment[$0] == nil }) else {
            texts = nil
            return
        }
        var texts: [[UInt8]] = []
        for (index, file) in files.enumerated() {
            do throws(Errno) {
                texts.append(try readFile(file, limit: 1024 * 1024).map(\.lowercased))
            } catch {
                // The repository's own is not where it usually is (a worktree), or one cannot be read.
                guard index > 0, error.isNoSuchFile else {
                    self.texts = nil
                    return
                }
            }
        }
        let isWhole = !texts.contains { $0.contains("include") || $0.contains("worktreeconfig") }
        self.texts = isWhole ? texts : nil
    }

    /// Whether git could know something with `word` in it, such as a setting, which is given in lower case.
    func mayMention(_ word: String) -> Bool {
        texts.map { $0.contains { $0.contains(word) } } ?? true
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
