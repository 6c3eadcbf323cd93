public import Unix

extension Store {
    /// Copies an entry or a folder, and encrypts what needs it for its new folder's recipients.
    ///
    /// A folder is copied with everything in it, links as links, but for `.git`: a copy of a repository's files belongs
    /// to the repository that it comes into. What must be encrypted anew is so before the first file is made.
    ///
    /// - Parameters:
    ///   - relocation: from ``planRelocation(of:to:)``.
    ///   - kept: files below the root that stay as they are although the copy has others for them.
    ///   - message: the commit's text.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``. Nothing is made unless all can be encrypted; a step that fails is left to
    ///   the next change.
    public func copy(
        _ relocation: Relocation,
        keeping kept: Set<Path> = [],
        message: [UInt8]
    ) throws(StoreError) -> RelocationReceipt {
        try locked { (root) throws(StoreError) in
            try checkPlaces(relocation, in: root)
            let source = try locateItself(relocation.source, of: relocation.old, in: root)
            let copies = try plannedCopies(source, relocation, writingThrough: true, in: root)
                .filter { !kept.contains($0.target) }
            return try make(copies, relocation, in: root) { (top) throws(StoreError) in
                // In a folder that was there before, each file belongs to the repository that is around it.
                let written =
                    relocation.isFolder && relocation.replaces
                    ? copies.filter { $0.kind != .folder && $0.behindLink == nil }
                        .map { $0.target.moved(from: relocation.target, to: top) } : [top]
                // What is behind a link is changed there, wherever that is.
                let paths = written + copies.compactMap(\.behindLink)
                let commit = PendingChange.Commit(paths: paths, added: paths, message: message)
                return PendingChange(kind: .copy, commits: [commit])
            }
        }
    }

    /// Moves to another file system: copies everything, and then removes it where it was.
    func moveAcross(
        _ source: Location,
        _ relocation: Relocation,
        _ messages: (rename: [UInt8], removal: [UInt8]),
        in root: ConfinedFolder
    ) throws(StoreError) -> RelocationReceipt {
        try checkMovable(source, acrossFileSystems: true, in: root)
        if relocation.isFolder, relocation.replaces {
            let items = try asStoreError { () throws(Errno) in try root.contents(below: relocation.target) }
            // As with mv(1), a folder takes the place of an empty one only.
            guard items.isEmpty else {
                throw .file(Errno(.rename, relocation.target, code: Errno.notEmptyCode))
            }
        }
        let copies = try plannedCopies(source, relocation, writingThrough: false, in: root)
        let files = copies.filter { $0.kind != .folder }
        let removed = files + copies.filter { $0.kind == .folder }.reversed()
        var result = try make(copies, relocation, in: root, removing: removed.map(\.source)) {
            (top) throws(StoreError) in
            let commits = try moveCommits(source.realPath, top, messages, in: root)
            return PendingChange(kind: .move, commits: commits)
        }
        result.sourceStays = try asStoreError { () throws(Errno) in try source.status() } != nil
        let left = try asStoreError { () throws(Errno) in
            result.sourceStays ? try root.contents(below: relocation.source) : []
        }
        result.sourceIsInUse = !left.isEmpty
        let kept = Set((result.sourceStays ? [relocation.source] : []) + left.map(\.path))
        result.removals = removed.filter { !kept.contains($0.source) }.map { copy in
            Removal(path: copy.source, isFolder: copy.kind == .folder)
        }
        return result
    }

    /// Makes the folders for copies, the copies, and what else belongs to the change.
    ///
    /// - Parameters:
    ///   - copies: what is to be made.
    ///   - relocation: what they are for.
    ///   - root: the store's folder.
    ///   - sources: what goes when they are in their places, in this order.
    ///   - begin: makes the change, with its commits, for the real path of the target.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``, with the folders gone again.
    private func make(
        _ copies: [Copy],
        _ relocation: Relocation,
        in root: ConfinedFolder,
        removing sources: [Path] = [],
        _ begin: (Path) throws(StoreError) -> PendingChange
    ) throws(StoreError) -> RelocationReceipt {
        var result = RelocationReceipt()
        result.foldersMade = try asStoreError { () throws(Errno) in
            try root.makeFolders(relocation.targetFolder)
        }
        do throws(StoreError) {
            try make(copies, relocation, &result, in: root, removing: sources, begin)
        } catch {
            root.removeMade(result.foldersMade)
            throw error
        }
        return result
    }

    private func make(
        _ copies: [Copy],
        _ relocation: Relocation,
        _ result: inout RelocationReceipt,
        in root: ConfinedFolder,
        removing sources: [Path],
        _ begin: (Path) throws(StoreError) -> PendingChange
    ) throws(StoreError) {
        let top = try asStoreError { () throws(Errno) in
            try root.locate(relocation.target, followingLast: relocation.isFolder).realPath
        }
        let places = copies.map { $0.behindLink ?? $0.target.moved(from: relocation.target, to: top) }
        let isNew = try missing(places, in: root)
        var change = try begin(top)
        change.temporaries = copies.indices.filter { copies[$0].kind != .folder }.map { number in
            places[number].parent.appending(Path(Store.temporaryName(number)))
        }
        change.folders =
            result.foldersMade
            + copies.indices.filter { copies[$0].kind == .folder && isNew[$0] }.map { places[$0] }
        let outcomes = try carryOut(change, on: relocation.target, in: root) { () throws(StoreError) in
            try stage(copies, at: places, in: root)
        } make: { (staged, change) throws(StoreError) in
            change.steps = staged.map(\.step) + (try removals(of: sources, in: root))
            return staged.map(\.file)
        }
        for (copy, isNew) in zip(copies, isNew) where copy.kind != .folder || isNew {
            let pair = RelocationReceipt.Pair(
                source: copy.source,
                target: copy.target,
                isFolder: copy.kind == .folder
            )
            result.pairs.append(pair)
        }
        result.reencryptions = copies.compactMap { $0.reencryption?.moved(by: relocation) }
        result.receipt = Receipt(commits: outcomes)
    }

    /// The steps that remove files and folders, as they are now.
    private func removals(
        of paths: [Path],
        in root: ConfinedFolder
    ) throws(StoreError) -> [PendingChange.Step] {
        var steps: [PendingChange.Step] = []
        for path in paths {
            let real = try asStoreError { () throws(Errno) in
                try root.locate(path, followingLast: false).realPath
            }
            guard let version = try version(of: real, in: root) else { continue }
            steps.append(.remove(real, version))
        }
        return steps
    }

    /// Whether nothing is at each of the real paths yet.
    private func missing(_ places: [Path], in root: ConfinedFolder) throws(StoreError) -> [Bool] {
        var answers: [Bool] = []
        for place in places { answers.append(try kind(of: place, in: root, followingLast: false) == nil) }
        return answers
    }

    /// One thing to be copied.
    private struct Copy {
        /// Its path below the root.
        let source: Path
        let target: Path
        let kind: FileMode.Kind
        /// The place that the target, a link, leads to, and that gets the content.
        var behindLink: Path?
        /// What the target will hold where it is not what the source holds.
        var ciphertext: [UInt8]?
        var reencryption: Reencryption?
    }

    private func plannedCopies(
        _ source: Location,
        _ relocation: Relocation,
        writingThrough: Bool,
        in root: ConfinedFolder
    ) throws(StoreError) -> [Copy] {
        let kind = try asStoreError { () throws(Errno) in try source.status()?.kind } ?? .other
        var copies = [Copy(source: relocation.source, target: relocation.target, kind: kind)]
        if kind == .folder {
            let items = try contentsWithoutTemporaries(below: relocation.source, in: root)
            let git = Array(".git".utf8)
            copies += items.filter { !writingThrough || !$0.path.components.contains(git[...]) }.map { item in
                let target = item.path.moved(from: relocation.source, to: relocation.target)
                return Copy(source: item.path, target: target, kind: item.kind)
            }
        }
        for index in copies.indices where writingThrough {
            copies[index].behindLink = try placeBehindLink(of: copies[index], relocation, in: root)
        }
        let context = gnuPG.lazyContext()
        var recipients = Recipients(of: self, in: root)
        recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
        for index in copies.indices where copies[index].kind == .file && Store.isEntry(copies[index].source) {
            let folder = (copies[index].behindLink ?? copies[index].target).parent
            let file = EntryFile(path: copies[index].source, folder: folder)
            let plan = try planReencryption(of: [file], for: &recipients, with: context, in: root)
            guard let planned = plan.first else { continue }
            let contents = try decrypt(file, in: root)
            copies[index].ciphertext = try encrypt(
                contents.bytes,
                to: planned.list,
                expecting: planned.expected,
                for: copies[index].target,
                with: context
            )
            copies[index].reencryption = planned.report
        }
        return copies
    }

    /// Where the content of a file goes when there is a link at its target: through that, as with cp(1).
    private func placeBehindLink(
        of copy: Copy,
        _ relocation: Relocation,
        in root: ConfinedFolder
    ) throws(StoreError) -> Path? {
        if try isLink(at: copy.source, to: copy.target, in: root) {
            throw .intoItself(relocation.source, relocation.source)
        }
        guard copy.kind == .file, try kind(of: copy.target, in: root, followingLast: false) == .link
        else { return nil }
        let there = try asStoreError { () throws(Errno) in try root.locate(copy.target) }
        switch try asStoreError({ () throws(Errno) in try there.status()?.kind }) {
        case .file?: break
        case nil: throw .file(Errno.danglingLink(copy.target))
        default: throw .file(Errno.notAFile(copy.target))
        }
        let here = try asStoreError { () throws(Errno) in try root.locate(copy.source).realPath }
        if here == there.realPath { throw .intoItself(relocation.source, relocation.source) }
        if Store.isEntry(copy.target) { try Store.checkIsEntry(behind: there) }
        return there.realPath
    }

    /// Makes the folders, and in them everything else under temporary names.
    private func stage(
        _ copies: [Copy],
        at places: [Path],
        in root: ConfinedFolder
    ) throws(StoreError) -> [StagedReplacement] {
        var staged: [StagedReplacement] = []
        for (number, copy) in copies.enumerated() {
            let file = try asStoreError { () throws(Errno) in
                try Store.stage(copy, at: places[number], Store.temporaryName(number), in: root)
            }
            guard let file else { continue }
            let version = try version(of: places[number], in: root)
            staged.append(StagedReplacement(file: file, path: places[number], version: version))
        }
        return staged
    }

    private static func stage(
        _ copy: Copy,
        at path: Path,
        _ name: [UInt8],
        in root: ConfinedFolder
    ) throws(Errno) -> StagedFile? {
        let source = try root.locate(copy.source, followingLast: false)
        let target = try root.locate(path, followingLast: false)
        switch copy.kind {
        case .folder:
            if try target.status() == nil { try target.makeFolder() }
            return nil
        case .link:
            return try StagedFile(linkTo: try source.linkTarget(), for: target, temporaryName: name, in: root)
        case .file:
            let mode = try source.status()?.mode ?? 0o600
            let content: [UInt8]
            if let ciphertext = copy.ciphertext { content = ciphertext } else { content = try source.read() }
            return try StagedFile(content, for: target, temporaryName: name, mode: mode, in: root)
        default: throw Errno.notAFile(copy.source)
        }
    }
}
