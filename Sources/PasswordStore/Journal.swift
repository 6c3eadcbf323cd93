internal import Unix

/// The one place where a store keeps its ``PendingChange``, for as long as it is under way.
///
/// It lies in the `.git` folder if the store has one: nothing that is pulled can come there. Elsewhere it is a file of
/// the store, without permission to write: git, and most that copies files, would give it that.
struct Journal {
    private let root: ConfinedFolder

    /// What the file is called without a `.git` folder.
    static let fileName = Array(".passchain-pending".utf8)
    private static let fileNameInGit: Path = ".git/passchain-pending"
    private static let largest = 256 * 1024 * 1024

    init(of root: ConfinedFolder) { self.root = root }

    private func place() throws(Errno) -> Location {
        let git = try root.locate(".git", followingLast: false).status()?.kind
        return try root.locate(
            git == .folder ? Journal.fileNameInGit : Path(Journal.fileName),
            followingLast: false
        )
    }

    /// The change that was not finished; `nil` when there is none.
    func read() throws(Errno) -> PendingChange? {
        let place = try place()
        guard let status = try place.status(), status.kind == .file, status.isOwn, status.mode & 0o222 == 0
        else {
            return nil
        }
        return PendingChange(try place.read(limit: Journal.largest))
    }

    /// The commits that are still to be made.
    ///
    /// Those of a change that is still kept belong to a process that lends its lock while it makes them.
    func unrecorded() throws(Errno) -> [PendingChange.Commit] {
        try read().map { $0.leftover + $0.commits } ?? []
    }

    /// Whether there is anything to read, or a journal that was killed while it was written.
    ///
    /// Costs one look at each of two files. Where they cannot be looked at, the next change cannot be written down
    /// either, and says so.
    var isPresent: Bool {
        guard let place = try? place() else { return false }
        return [place, Journal.draft(of: place)].contains { (try? $0.status()) != nil }
    }

    /// Where a journal lies until it is whole.
    private static func draft(of place: Location) -> Location {
        place.sibling(place.name + Array(".new".utf8))
    }

    /// Keeps `change`.
    ///
    /// - Parameters:
    ///   - change: what is about to be done.
    ///   - isDurable: whether it must survive a power cut, because files are about to be replaced.
    ///   - path: what the change is about, which an error names.
    /// - Throws: ``Errno``, with what was kept before still there.
    func write(_ change: PendingChange, isDurable: Bool, for path: Path) throws(Errno) {
        do throws(Errno) {
            let place = try place()
            let file = try AtomicFile.prepare(
                change.text,
                for: place,
                temporaryName: Journal.draft(of: place).name,
                mode: 0o400,
                isDurable: isDurable
            )
            try file.commit()
        } catch {
            throw Errno(.write, path, code: error.code)
        }
    }

    /// Forgets the change, and keeps what is still to be recorded.
    ///
    /// A failure here costs at most one repeated or missing commit, so it is not reported.
    func close(leaving commits: [PendingChange.Commit]) {
        if commits.isEmpty {
            // A failure costs at most a repeated commit.
            try? remove()
        } else {
            // A failure costs at most a missing commit.
            try? write(PendingChange(kind: .write, leftover: commits), isDurable: true, for: Path([]))
        }
    }

    /// Forgets the change.
    func remove() throws(Errno) {
        let place = try place()
        for file in [place, Journal.draft(of: place)] where try file.status() != nil {
            try file.remove()
        }
    }
}
