internal import Unix

/// New content for a file, complete and on disk beside it, without anything held open.
///
/// There may be thousands of these at a time. The temporary file goes away with this object, or with the signal that
/// ends the process, until it is left to the steps of a ``PendingChange``.
final class StagedFile {
    private let root: ConfinedFolder
    private let removal: RemovalOnSignal
    private var isLeft = false

    /// Where it is, below the root.
    let path: Path

    /// Writes `content` beside `target`, under a name that nobody else uses now; a new file gets `mode`, less the
    /// umask.
    init(
        _ content: [UInt8],
        for target: Location,
        temporaryName: [UInt8],
        mode: UInt32 = 0o666,
        in root: ConfinedFolder
    ) throws(Errno) {
        self.root = root
        path = target.realPath.parent.appending(Path(temporaryName))
        // Once it is complete, no signal may come before it is registered.
        removal = try Interruption.held { [path] () throws(Errno) in
            try AtomicFile.prepare(content, for: target, temporaryName: temporaryName, mode: mode).detach()
            return RemovalOnSignal(root.path.appending(path))
        }
    }

    /// Makes a link to `destination` beside `target`.
    init(
        linkTo destination: Path,
        for target: Location,
        temporaryName: [UInt8],
        in root: ConfinedFolder
    ) throws(Errno) {
        self.root = root
        path = target.realPath.parent.appending(Path(temporaryName))
        removal = try Interruption.held { [path] () throws(Errno) in
            try target.sibling(temporaryName).makeLink(to: destination)
            return RemovalOnSignal(root.path.appending(path))
        }
    }

    deinit {
        if !isLeft { remove() }
    }

    /// Removes the file.
    ///
    /// What cannot be removed now has a name that no listing shows.
    func remove() { try? root.locate(path, followingLast: false).remove() }

    /// Leaves the file where it is.
    func leave() {
        isLeft = true
        removal.cancel()
    }
}

/// New content for a file of the store, staged: it has not taken the place of the old one yet.
struct StagedReplacement {
    let file: StagedFile
    /// The real path below the root of what it replaces.
    let path: Path
    /// Which version that was; `nil` when nothing is there.
    let version: PendingChange.Version?
    /// What is said about an entry that is encrypted anew; `nil` for anything else.
    var report: Reencryption?

    /// What puts the new content in its place.
    var step: PendingChange.Step { .replace(with: file.path, at: path, version) }
}
