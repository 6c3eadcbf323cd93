internal import GPGME
public import Unix

extension Store {
    /// What a move or copy did, besides itself.
    public struct RelocationReceipt: Sendable, Hashable {
        /// The folders that were made for the target, outermost first, below the root.
        public var foldersMade: [Path] = []
        /// What was copied, each with its new path, in order; for a move the one thing that was moved.
        public var pairs: [Pair] = []
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
        }
    }

    /// Moves an entry or a folder, and encrypts what needs it for its new folder's recipients.
    ///
    /// Everything is decrypted, encrypted and on disk before the first name changes.
    ///
    /// - Parameters:
    ///   - relocation: from ``planRelocation(of:to:)``.
    ///   - messages: the text of the commit, and of the one in the source's repository if that is another.
    /// - Returns: what was done.
    /// - Throws: ``StoreError``, with everything as it was.
    public func move(
        _ relocation: Relocation,
        messages: (rename: [UInt8], removal: [UInt8])
    ) throws(StoreError) -> RelocationReceipt {
        try locked { (root) throws(StoreError) in
            try checkPlaces(relocation, in: root)
            var result = RelocationReceipt()
            let source = try locateItself(relocation.source, of: relocation.old, in: root)
            let context = try gnuPG.context()
            var recipients = Recipients(of: self, in: root)
            recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
            let files = try movedEntries(source, relocation, in: root)
            let plan = try planReencryption(of: files, for: &recipients, with: context, in: root)
            let staged = try stage(plan, with: context, in: root)
            result.foldersMade = try asStoreError { () throws(Errno) in
                try root.makeFolders(relocation.targetFolder)
            }
            try Interruption.held { () throws(StoreError) in
                let target = try asStoreError { () throws(Errno) in
                    let target = try root.locate(relocation.target, followingLast: false)
                    try relocation.isFolder
                        ? Store.moveFolder(source, to: target, staged)
                        : Store.moveFile(source, to: target, staged)
                    try target.synchronizeFolder()
                    try source.synchronizeFolder()
                    return target
                }
                result.pairs = [.init(source: relocation.source, target: relocation.target)]
                result.reencryptions = staged.reports.map { $0.moved(by: relocation) }
                result.receipt = try recordMove(source.realPath, target.realPath, messages, in: root)
                // As with pass, a folder that is moved leaves the one above it, empty or not.
                if !relocation.isFolder { root.removeEmptyFolders(from: relocation.source.parent) }
            }
            return result
        }
    }

    /// Moves a file; where it has to be for other recipients, its new content goes to the target instead.
    private static func moveFile(
        _ source: Location,
        to target: Location,
        _ staged: StagedReencryption
    ) throws(Errno) {
        guard let renewed = staged.files.first else { return try source.rename(to: target, replacing: true) }
        try renewed.commit(as: target)
        try source.remove()
    }

    /// Moves a folder; the new contents lie beside the old ones and so move along, and then take their places.
    private static func moveFolder(
        _ source: Location,
        to target: Location,
        _ staged: StagedReencryption
    ) throws(Errno) {
        try source.rename(to: target, replacing: true)
        for file in staged.files {
            try file.commit(in: file.folder.moved(from: source.realPath, to: target.realPath))
        }
    }

    /// The entries that move along: the one file, or all below the folder.
    ///
    /// Their folders are those of the target.
    private func movedEntries(
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

    /// Refuses a move or copy of something onto or into itself, or onto something of another kind.
    func checkPlaces(_ relocation: Relocation, in root: ConfinedFolder) throws(StoreError) {
        let source = relocation.source.components
        if relocation.target.components == source
            || relocation.isFolder && relocation.target.components.starts(with: source)
        {
            throw .intoItself(relocation.source, relocation.target)
        }
        switch (try kind(of: relocation.target, in: root), relocation.isFolder) {
        case (nil, _), (.file, false), (.folder, true): return
        case (_, true): throw .file(Errno(.rename, relocation.target, code: Errno.notAFolderCode))
        case (_, false): throw .file(Errno(.rename, relocation.target, code: Errno.isAFolderCode))
        }
    }

    private func recordMove(
        _ source: Path,
        _ target: Path,
        _ messages: (rename: [UInt8], removal: [UInt8]),
        in root: ConfinedFolder
    ) throws(StoreError) -> Receipt {
        let there = History(around: target.parent, of: root, settings: settings)
        let here = History(around: source.parent, of: root, settings: settings)
        var receipt = Receipt()
        if let there {
            let paths = here?.folder == there.folder ? [target, source] : [target]
            receipt.commits.append(there.commit(paths, adding: [target], message: messages.rename))
        }
        if let here, here.folder != there?.folder {
            receipt.commits.append(here.commit([source], adding: [], message: messages.removal))
        }
        return receipt
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
