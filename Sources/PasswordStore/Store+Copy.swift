internal import GPGME
internal import Unix

extension Store {
    /// Copies an entry or a folder, and encrypts what needs it for its new folder's recipients.
    ///
    /// A folder is copied with everything in it, links as links. What must be encrypted anew is so before the first
    /// file is made.
    ///
    /// - Throws: ``StoreError``. Nothing is made unless all can be encrypted; a full disk may leave part of a copy.
    public func copy(_ relocation: Relocation, message: [UInt8]) throws(StoreError) -> RelocationReceipt {
        try locked { (root) throws(StoreError) in
            try checkPlaces(relocation, in: root)
            let source = try locateItself(relocation.source, of: relocation.old, in: root)
            let copies = try plannedCopies(source, relocation, in: root)
            var result = RelocationReceipt()
            result.foldersMade = try asStoreError { () throws(Errno) in
                try root.makeFolders(relocation.targetFolder)
            }
            try Interruption.held { () throws(StoreError) in
                for copy in copies {
                    try asStoreError { () throws(Errno) in try Store.make(copy, in: root) }
                    result.pairs.append(.init(source: copy.source.path, target: copy.target))
                }
                result.reencryptions = copies.compactMap { $0.reencryption?.moved(by: relocation) }
                let target = try asStoreError { () throws(Errno) in
                    try root.locate(relocation.target).realPath
                }
                result.receipt = try record([target], adding: [target], message: message, in: root)
            }
            return result
        }
    }

    /// One thing to be copied.
    private struct Copy {
        let source: Location
        let target: Path
        let isFolder: Bool
        /// What the target will hold where it is not what the source holds.
        var ciphertext: [UInt8]?
        var reencryption: Reencryption?
    }

    private func plannedCopies(
        _ source: Location,
        _ relocation: Relocation,
        in root: ConfinedFolder
    ) throws(StoreError) -> [Copy] {
        var copies = [Copy(source: source, target: relocation.target, isFolder: relocation.isFolder)]
        if relocation.isFolder {
            let items = try asStoreError { () throws(Errno) in try root.contents(below: source) }
            copies += items.map { item in
                let below = item.place.path.components.dropFirst(relocation.source.components.count)
                let path = Path(Array(below.map(Array.init).joined(separator: "/".utf8)))
                return Copy(
                    source: item.place,
                    target: relocation.target.appending(path),
                    isFolder: item.isFolder
                )
            }
        }
        let context = try gnuPG.context()
        var recipients = Recipients(of: self, in: root)
        recipients.moving = relocation.isFolder ? (relocation.source, relocation.target) : nil
        for index in copies.indices where Store.isEntry(copies[index].source.path) {
            let copy = copies[index]
            let status = try asStoreError { () throws(Errno) in try copy.source.status() }
            guard status?.kind == .file else { continue }
            let file = EntryFile(location: copy.source, folder: copy.target.parent)
            let plan = try planReencryption(of: [file], for: &recipients, with: context, in: root)
            guard let planned = plan.first else { continue }
            let bytes = try asStoreError { () throws(Errno) in try copy.source.read(limit: Store.largestEntry)
            }
            let contents = try decrypt(bytes, at: copy.source.path, with: context)
            copies[index].ciphertext = try encrypt(
                contents.bytes,
                to: planned.list,
                for: copy.target,
                with: context
            )
            copies[index].reencryption = planned.report
        }
        return copies
    }

    private static func make(_ copy: Copy, in root: ConfinedFolder) throws(Errno) {
        let target = try root.locate(copy.target, followingLast: false)
        let status = try copy.source.status()
        switch status?.kind {
        case .folder:
            if try target.status() == nil { try target.makeFolder() }
        case .link:
            if try target.status() != nil { try target.remove() }
            try target.makeLink(to: try copy.source.linkTarget())
        case .file:
            let content: [UInt8]
            if let ciphertext = copy.ciphertext {
                content = ciphertext
            } else {
                content = try copy.source.read()
            }
            let file = try AtomicFile.prepare(
                content,
                for: target,
                temporaryName: Store.temporaryName(0),
                mode: status?.mode ?? 0o600
            )
            try file.commit()
        default: throw Errno.notAFile(copy.source.path)
        }
    }
}
