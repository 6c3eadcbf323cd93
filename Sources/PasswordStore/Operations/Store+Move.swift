public import Unix

extension Store {
    /// What a move or copy did, besides itself.
    public struct RelocationReceipt: Sendable, Hashable {
        /// The folders that were made for the target, outermost first, below the root.
        public var foldersMade: [Path] = []
        /// What was copied, each with its new path, in order; for a move by renaming the one thing that was moved.
        public var pairs: [Pair] = []
        /// What a move to another file system removed after it had been copied, in order.
        public var removals: [Removal] = []
        /// Whether the folder that was moved stays: because a file system is mounted there, or it is in use.
        public var sourceStays = false
        /// Whether it stays because there is something in it, which somebody else has put there meanwhile.
        public var sourceIsInUse = false
        /// The entries that were encrypted anew for their new folder.
        public var reencryptions: [Reencryption] = []
        /// What the histories recorded.
        public var receipt = Receipt()

        /// Two paths below the root.
        public struct Pair: Sendable, Hashable {
            /// Where it was.
            public let source: Path
            /// Where it is.
            public let target: Path
            /// Whether it is a folder.
            public let isFolder: Bool
        }
    }

    /// Moves an entry or a folder, and encrypts what needs it for its new folder's recipients.
    ///
    /// Everything is decrypted, encrypted and on disk before the first name changes. What goes to another file system
    /// below the store is copied, and then removed.
    ///
    /// - Parameters:
    ///   - relocation: from ``planRelocation(of:to:)``.
    ///   - messages: the text of the commit, and of the one in the source's repository if that is another.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``, with everything as it was, but for ``StoreError/unfinished(done:total:_:)``, which the
    ///   next change finishes, ``StoreError/changedMeanwhile(_:)`` of what somebody else changed once it had
    ///   begun, and an error of operation `sync`, after which the new name may not survive a power cut.
    public func move(
        _ relocation: Relocation,
        messages: (rename: [UInt8], removal: [UInt8])
    ) throws(StoreError) -> RelocationReceipt {
        try locked { (root) throws(StoreError) in
            try checkPlaces(relocation, in: root)
            let source = try locateItself(relocation.source, of: relocation.old, in: root)
            var result: RelocationReceipt
            do throws(StoreError) {
                result = try rename(source, relocation, messages, in: root)
            } catch {
                // That a name cannot cross shows only when it is tried, and then nothing has happened.
                guard case .file(let problem) = error, problem.crossesFileSystems else { throw error }
                result = try moveAcross(source, relocation, messages, in: root)
            }
            // As with pass, a folder that is moved leaves the one above it, empty or not.
            if !relocation.isFolder { root.removeEmptyFolders(from: relocation.source.parent) }
            return result
        }
    }

    /// Moves by giving a new name.
    private func rename(
        _ source: Location,
        _ relocation: Relocation,
        _ messages: (rename: [UInt8], removal: [UInt8]),
        in root: ConfinedFolder
    ) throws(StoreError) -> RelocationReceipt {
        try checkMovable(source, in: root)
        let context = gnuPG.lazyContext()
        var recipients = Recipients(of: self, in: root)
        recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
        let files = try movedEntries(source, relocation, in: root)
        let plan = try planReencryption(of: files, for: &recipients, with: context, in: root)
        let folders = try asStoreError { () throws(Errno) in try root.makeFolders(relocation.targetFolder) }
        do throws(StoreError) {
            let target = try asStoreError { () throws(Errno) in
                try root.locate(relocation.target, followingLast: false)
            }
            let change = PendingChange(
                kind: .move,
                temporaries: try temporaries(for: plan, in: root),
                folders: folders,
                commits: try sparingTemporaries(
                    of: source.realPath,
                    movedTo: target.realPath,
                    in: try moveCommits(source.realPath, target.realPath, messages, in: root),
                    root
                )
            )
            let outcomes = try carryOut(change, on: relocation.source, in: root) { () throws(StoreError) in
                try stage(plan, with: context, in: root)
            } make: { (staged, change) throws(StoreError) in
                change.steps = try moveSteps(source.realPath, to: target.realPath, staged, in: root)
                // Whether they have moved along by the time of a crash nobody knows.
                if relocation.isFolder {
                    change.temporaries += change.temporaries.map {
                        $0.moved(from: source.realPath, to: target.realPath)
                    }
                }
                return staged.map(\.file)
            }
            return RelocationReceipt(
                foldersMade: folders,
                pairs: [
                    .init(source: relocation.source, target: relocation.target, isFolder: relocation.isFolder)
                ],
                reencryptions: plan.map { $0.report.moved(by: relocation) },
                receipt: Receipt(commits: outcomes)
            )
        } catch {
            root.removeMade(folders)
            throw error
        }
    }

    /// The steps of a move.
    ///
    /// The new contents of a folder's entries lie beside the old ones and so move along, and then take their places. A
    /// file that has to be for other recipients is made at its target, and then goes at its source.
    private func moveSteps(
        _ source: Path,
        to target: Path,
        _ staged: [StagedReplacement],
        in root: ConfinedFolder
    ) throws(StoreError) -> [PendingChange.Step] {
        guard let version = try version(of: source, in: root) else { throw .file(Errno.noSuchFile(source)) }
        let other = try self.version(of: target, in: root)
        if let only = staged.first, only.path == source {
            return [.replace(with: only.file.path, at: target, other), .remove(source, version)]
        }
        return [.rename(source, to: target, version, over: other)]
            + staged.map { item in
                .replace(
                    with: item.file.path.moved(from: source, to: target),
                    at: item.path.moved(from: source, to: target),
                    item.version
                )
            }
    }

    /// The entries that move along: the one file, or all below the folder.
    ///
    /// Their folders are those of the target.
    func movedEntries(
        _ source: Location,
        _ relocation: Relocation,
        in root: ConfinedFolder
    ) throws(StoreError) -> [EntryFile] {
        let isLink = try asStoreError { () throws(Errno) in try source.status() }?.kind == .link
        if isLink { return [] }
        if !relocation.isFolder {
            return [EntryFile(path: relocation.source, folder: relocation.targetFolder)]
        }
        return try entryFiles(below: relocation.source, in: root).map { file in
            let folder = file.path.parent.moved(from: relocation.source, to: relocation.target)
            return EntryFile(path: file.path, folder: folder)
        }
    }

    /// Refuses to move a folder with a repository that a new path breaks.
    ///
    /// Where `.git` is no folder, as in a submodule or a linked work tree, it and what it names know each other by their
    /// paths. A submodule may also have a folder there, or nothing yet, and is in `.gitmodules` by its path. To another
    /// file system no repository is moved: a journal never touches what is git's.
    func checkMovable(
        _ source: Location,
        acrossFileSystems: Bool = false,
        in root: ConfinedFolder
    ) throws(StoreError) {
        let repository = try asStoreError { () throws(Errno) -> Path? in
            guard try source.status()?.kind == .folder else { return nil }
            var walk = FolderWalk()
            walk.includesHidden = true
            let found = try walk.read(source.path, in: root).paths { node, name in
                name.elementsEqual(".git".utf8) && (acrossFileSystems || node.mode.kind != .folder)
            }.first
            if let found { return source.path.appending(found).parent }
            return try History(around: source.realPath.parent, of: root, settings: settings)?
                .submodules(at: [source.realPath]).first?.moved(from: source.realPath, to: source.path)
        }
        if let repository { throw .repository(repository) }
    }

    /// Refuses a move or copy of something onto or into itself, or onto something of another kind.
    func checkPlaces(_ relocation: Relocation, in root: ConfinedFolder) throws(StoreError) {
        let source = relocation.source.components
        if relocation.target.components == source
            || relocation.isFolder && relocation.target.components.starts(with: source)
        {
            throw .intoItself(relocation.source, relocation.target)
        }
        // A link over the very thing that it leads to would leave nothing of that.
        if try isLink(at: relocation.source, to: relocation.target, in: root) {
            throw .intoItself(relocation.source, relocation.source)
        }
        switch (try kind(of: relocation.target, in: root), relocation.isFolder) {
        case (nil, _), (.file, false), (.folder, true): return
        case (_, true): throw .file(Errno(.rename, relocation.target, code: Errno.notAFolderCode))
        case (.folder, false): throw .file(Errno(.rename, relocation.target, code: Errno.isAFolderCode))
        case (_, false): throw .file(Errno.notAFile(relocation.target))
        }
    }

    /// Whether there is a link at one path that leads to the other.
    func isLink(at path: Path, to target: Path, in root: ConfinedFolder) throws(StoreError) -> Bool {
        guard try kind(of: path, in: root, followingLast: false) == .link else { return false }
        do throws(Errno) {
            let there = try root.locate(target, followingLast: false).realPath
            return try root.locate(path).realPath == there
        } catch {
            // A link that leads nowhere, or out of the store, leads to no place in it.
            if error.isNoSuchFile || error.leavesFolder { return false }
            throw StoreError(error)
        }
    }

    /// The commit of a move, or one in each of two repositories.
    func moveCommits(
        _ source: Path,
        _ target: Path,
        _ messages: (rename: [UInt8], removal: [UInt8]),
        in root: ConfinedFolder
    ) throws(StoreError) -> [PendingChange.Commit] {
        let there = try asStoreError { () throws(Errno) in
            try History(around: target.parent, of: root, settings: settings)?.folder
        }
        let here = try asStoreError { () throws(Errno) in
            try History(around: source.parent, of: root, settings: settings)?.folder
        }
        var commits: [PendingChange.Commit] = []
        if there != nil {
            let paths = here == there ? [target, source] : [target]
            commits.append(.init(paths: paths, added: [target], message: messages.rename))
        }
        if here != nil, here != there {
            commits.append(.init(paths: [source], added: [], message: messages.removal))
        }
        return commits
    }
}

extension ConfinedFolder {
    /// Removes folders that were made for nothing, outermost first in the list, if nothing came into them.
    func removeMade(_ folders: [Path]) {
        guard let outermost = folders.first, let innermost = folders.last else { return }
        removeEmptyFolders(from: innermost, upTo: outermost)
    }
}

extension Reencryption {
    /// The same for the entry's path after a move or copy.
    func moved(by relocation: Relocation) -> Reencryption {
        let path =
            relocation.isFolder
            ? entry.moved(from: relocation.source, to: relocation.target)
            : relocation.target.withoutSuffix(".gpg")
        return Reencryption(entry: path, keys: keys)
    }
}
