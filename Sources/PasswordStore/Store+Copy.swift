internal import GPGME
public import Unix

extension Store {
    /// Copies an entry or a folder, and encrypts what needs it for its new folder's recipients.
    ///
    /// A folder is copied with everything in it, links as links. What must be encrypted anew is so before the first
    /// file is made.
    ///
    /// - Parameters:
    ///   - relocation: from ``planRelocation(of:to:)``.
    ///   - kept: files below the root that stay as they are although the copy has others for them.
    ///   - message: the commit's text.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``. Nothing is made unless all can be encrypted; a step that fails is left to the next change.
    public func copy(
        _ relocation: Relocation,
        keeping kept: Set<Path> = [],
        message: [UInt8]
    ) throws(StoreError) -> RelocationReceipt {
        try locked { (root) throws(StoreError) in
            try checkPlaces(relocation, in: root)
            let source = try locateItself(relocation.source, of: relocation.old, in: root)
            let copies = try plannedCopies(source, relocation, in: root).filter { !kept.contains($0.target) }
            var result = RelocationReceipt()
            result.foldersMade = try asStoreError { () throws(Errno) in
                try root.makeFolders(relocation.targetFolder)
            }
            do throws(StoreError) {
                try make(copies, relocation, message, &result, in: root)
            } catch {
                root.removeMade(result.foldersMade)
                throw error
            }
            return result
        }
    }

    private func make(
        _ copies: [Copy],
        _ relocation: Relocation,
        _ message: [UInt8],
        _ result: inout RelocationReceipt,
        in root: ConfinedFolder
    ) throws(StoreError) {
        let top = try asStoreError { () throws(Errno) in
            try root.locate(relocation.target, followingLast: relocation.isFolder).realPath
        }
        let places = copies.map { $0.target.moved(from: relocation.target, to: top) }
        let isNew = try missing(places, in: root)
        let change = PendingChange(
            kind: .copy,
            temporaries: copies.indices.filter { copies[$0].kind != .folder }.map { number in
                places[number].parent.appending(Path(Store.temporaryName(number)))
            },
            folders: result.foldersMade
                + copies.indices.filter { copies[$0].kind == .folder && isNew[$0] }
                .map { places[$0] },
            commits: [.init(paths: [top], added: [top], message: message)]
        )
        let outcomes = try carryOut(change, on: relocation.target, in: root) { () throws(StoreError) in
            do throws(StoreError) {
                return try stage(copies, at: places, in: root)
            } catch {
                for folder in change.folders.reversed() {
                    try? root.locate(folder, followingLast: false).removeFolder()
                }
                throw error
            }
        } make: { (staged, change) in
            change.steps = staged.map(\.step)
            return staged.map(\.file)
        }
        for (copy, isNew) in zip(copies, isNew) where copy.kind != .folder || isNew {
            result.pairs.append(.init(source: copy.source, target: copy.target))
        }
        result.reencryptions = copies.compactMap { $0.reencryption?.moved(by: relocation) }
        result.receipt = Receipt(commits: outcomes)
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
        /// What the target will hold where it is not what the source holds.
        var ciphertext: [UInt8]?
        var reencryption: Reencryption?
    }

    private func plannedCopies(
        _ source: Location,
        _ relocation: Relocation,
        in root: ConfinedFolder
    ) throws(StoreError) -> [Copy] {
        let kind = try asStoreError { () throws(Errno) in try source.status()?.kind } ?? .other
        var copies = [Copy(source: relocation.source, target: relocation.target, kind: kind)]
        if kind == .folder {
            let items = try asStoreError { () throws(Errno) in try root.contents(below: relocation.source) }
            copies += items.map { item in
                let target = item.path.moved(from: relocation.source, to: relocation.target)
                return Copy(source: item.path, target: target, kind: item.kind)
            }
        }
        let context = try gnuPG.context()
        var recipients = Recipients(of: self, in: root)
        recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
        for index in copies.indices where copies[index].kind == .file && Store.isEntry(copies[index].source) {
            let file = EntryFile(path: copies[index].source, folder: copies[index].target.parent)
            let plan = try planReencryption(of: [file], for: &recipients, with: context, in: root)
            guard let planned = plan.first else { continue }
            let contents = try decrypt(file, in: root)
            copies[index].ciphertext = try encrypt(
                contents.bytes,
                to: planned.list,
                for: copies[index].target,
                with: context
            )
            copies[index].reencryption = planned.report
        }
        return copies
    }

    /// Makes the folders, and in them everything else under temporary names.
    private func stage(
        _ copies: [Copy],
        at places: [Path],
        in root: ConfinedFolder
    ) throws(StoreError) -> [StagedReencryption] {
        var staged: [StagedReencryption] = []
        for (number, copy) in copies.enumerated() {
            let file = try asStoreError { () throws(Errno) in
                try Store.stage(copy, at: places[number], Store.temporaryName(number), in: root)
            }
            guard let file else { continue }
            let version = try version(of: places[number], in: root)
            staged.append(StagedReencryption(file: file, path: places[number], version: version))
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
