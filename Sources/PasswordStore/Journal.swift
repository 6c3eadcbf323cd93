internal import Unix

/// Where a store keeps its ``PendingChange``, for as long as it is under way.
///
/// It lies in the `.git` folder if the store has one: nothing that is pulled can come there. Elsewhere it is a file of
/// the store, without permission to write: git, and most that copies files, would give it that.
///
/// A store that gets a `.git` folder, or loses it to another place, may hold a change that was written down before. So
/// every place is looked at where one may be, and what lies in a former place is finished first.
struct Journal {
    private let root: ConfinedFolder

    /// What the file is called without a `.git` folder.
    static let fileName = Array(".passchain-pending".utf8)
    private static let nameInGit: Path = "passchain-pending"
    private static let largest = 256 * 1024 * 1024

    init(of root: ConfinedFolder) { self.root = root }

    /// A place where a change may be written down.
    struct Place {
        fileprivate let file: Location
        /// How it is named for the user: below the root, or absolute.
        let path: Path
        /// Whether the next change is written down here.
        let isCurrent: Bool

        /// Where a journal lies until it is whole.
        fileprivate var draft: Location { file.sibling(file.name + Array(".new".utf8)) }
    }

    private static let git: Path = ".git"

    /// The place for the next change.
    private func current() throws(Errno) -> Place {
        let isInGit = try root.locate(Journal.git, followingLast: false).status()?.kind == .folder
        let path = isInGit ? Journal.git.appending(Journal.nameInGit) : Path(Journal.fileName)
        return Place(file: try root.locate(path, followingLast: false), path: path, isCurrent: true)
    }

    /// Every place, the current one last.
    func places() throws(Errno) -> [Place] {
        let current = try current()
        var places = [current]
        if current.file.name != Journal.fileName {
            let path = Path(Journal.fileName)
            let file = try root.locate(path, followingLast: false)
            places.insert(Place(file: file, path: path, isCurrent: false), at: 0)
        } else if let folder = try movedGitFolder() {
            let path = folder.path.appending(Journal.nameInGit)
            let file = try folder.locate(Journal.nameInGit, followingLast: false)
            places.insert(Place(file: file, path: path, isCurrent: false), at: 0)
        }
        return places
    }

    /// The folder that `.git` leads to where it is a link or a file, as in a worktree.
    ///
    /// Where that is gone, so is what was in it.
    private func movedGitFolder() throws(Errno) -> ConfinedFolder? {
        let git = try root.locate(Journal.git, followingLast: false)
        switch try git.status()?.kind {
        case .link: return try? ConfinedFolder(root.path.appending(Journal.git))
        case .file:
            let words = Array("gitdir: ".utf8)
            // What is no such file means nothing to git, either.
            guard let text = try? git.read(limit: 64 * 1024), text.starts(with: words),
                let target = Path(
                    checking: Array(text.dropFirst(words.count).prefix { $0 != UInt8(ascii: "\n") })
                )
            else { return nil }
            return try? ConfinedFolder(target.isAbsolute ? target : root.path.appending(target))
        default: return nil
        }
    }

    /// What lies at a place.
    enum Content {
        case nothing
        /// What no change of a store wrote down: git, among others, could have brought it.
        case strange
        /// What a power cut left of a change that had not begun.
        case torn
        case change(PendingChange)
    }

    /// Reads what lies at a place.
    ///
    /// A change of another user is not made by this one: it may be a trap, and it may be more than this user is
    /// allowed to do. Nor is it forgotten, and neither is one that cannot be understood.
    ///
    /// - Throws: ``StoreError/blocked(_:_:)``, ``StoreError/file(_:)``.
    func content(of place: Place) throws(StoreError) -> Content {
        let status = try asStoreError { () throws(Errno) in try place.file.status() }
        guard let status else { return .nothing }
        guard status.kind == .file, status.mode & 0o222 == 0 else { return .strange }
        guard status.isOwn else {
            throw .blocked(place.path, .ofUser(status.owner, name: Process.userName(of: status.owner)))
        }
        let text = try asStoreError { () throws(Errno) in try place.file.read(limit: Journal.largest) }
        if let change = PendingChange(text) { return .change(change) }
        switch PendingChange.damage(of: text) {
        case .ofNewerVersion: throw .blocked(place.path, .ofNewerVersion)
        case .any: throw .blocked(place.path, .damaged)
        case .torn: return .torn
        }
    }

    /// The commits that are still to be made.
    ///
    /// Those of a change that is still kept belong to a process that lends its lock while it makes them.
    func unrecorded() throws(StoreError) -> [PendingChange.Commit] {
        let place = try asStoreError { () throws(Errno) in try current() }
        guard case .change(let change) = try content(of: place) else { return [] }
        return change.leftover + change.commits
    }

    /// Whether there is anything to read, or a journal that was killed while it was written.
    ///
    /// Costs a look or two at each place. Where they cannot be looked at, the next change cannot be written down
    /// either, and says so.
    var isPresent: Bool {
        guard let places = try? places() else { return false }
        return places.contains { place in
            (place.isCurrent ? [place.file, place.draft] : [place.file]).contains {
                (try? $0.status()) != nil
            }
        }
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
            let place = try current()
            let file = try AtomicFile.prepare(
                change.text,
                for: place.file,
                temporaryName: place.draft.name,
                mode: 0o400,
                isDurable: isDurable,
                // What was killed while it wrote a journal has left this; git never leaves such a file.
                isLeftover: { $0.kind == .file && $0.mode & 0o222 == 0 }
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
            if let place = try? current() { try? forget(place) }
        } else {
            // A failure costs at most a missing commit.
            try? write(PendingChange(kind: .write, leftover: commits), isDurable: true, for: Path([]))
        }
    }

    /// Removes what lies at a place.
    func forget(_ place: Place) throws(Errno) {
        for file in [place.file, place.draft] where try file.status() != nil { try file.remove() }
    }
}
