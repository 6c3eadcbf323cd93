internal import Unix

/// New content for a file, complete and on disk beside it, without anything held open.
///
/// There may be thousands of these at a time. Until ``commit(in:as:)`` the old content is in place; without it the
/// temporary file goes away with this object, or with the signal that ends the process.
final class StagedFile {
    private let root: ConfinedFolder
    private let temporaryName: [UInt8]
    private let name: [UInt8]
    private let removal: RemovalOnSignal
    /// The folder that it lies in, below the root.
    private(set) var folder: Path
    private var isCommitted = false

    /// Writes `content` beside `target`, under a name that nobody else uses now.
    init(
        _ content: [UInt8],
        for target: Location,
        temporaryName: [UInt8],
        in root: ConfinedFolder
    ) throws(Errno) {
        let file = try AtomicFile.prepare(content, for: target, temporaryName: temporaryName)
        self.root = root
        self.temporaryName = temporaryName
        name = target.name
        folder = target.realPath.parent
        removal = RemovalOnSignal(root.path.appending(folder).appending(Path(temporaryName)))
        file.detach()
    }

    deinit {
        if !isCommitted {
            try? root.locate(folder.appending(Path(temporaryName)), followingLast: false).remove()
        }
    }

    /// Puts the content in its place, which may have moved meanwhile.
    ///
    /// - Parameters:
    ///   - newFolder: where the temporary file's folder is now; `nil` where it was.
    ///   - target: the name that the content gets; `nil` for the one it was made for.
    /// - Throws: ``Errno``.
    func commit(in newFolder: Path? = nil, as target: Location? = nil) throws(Errno) {
        folder = newFolder ?? folder
        let temporary = try root.locate(folder.appending(Path(temporaryName)), followingLast: false)
        let place = target ?? temporary.sibling(name)
        try temporary.rename(to: place, replacing: true)
        isCommitted = true
        try place.synchronizeFolder()
    }
}
