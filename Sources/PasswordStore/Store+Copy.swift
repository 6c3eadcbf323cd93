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
    /// - Throws: ``StoreError``. Nothing is made unless all can be encrypted; a full disk may leave part of a copy.
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
            try Interruption.held { () throws(StoreError) in
                for copy in copies {
                    let isMade = try asStoreError { () throws(Errno) in try Store.make(copy, in: root) }
                    if isMade { result.pairs.append(.init(source: copy.source, target: copy.target)) }
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

    /// Makes one thing; false for a folder that was there already.
    private static func make(_ copy: Copy, in root: ConfinedFolder) throws(Errno) -> Bool {
        let source = try root.locate(copy.source, followingLast: false)
        let target = try root.locate(copy.target, followingLast: false)
        switch copy.kind {
        case .folder:
            guard try target.status() == nil else { return false }
            try target.makeFolder()
        case .link:
            if try target.status() != nil { try target.remove() }
            try target.makeLink(to: try source.linkTarget())
        case .file:
            let mode = try source.status()?.mode ?? 0o600
            let content: [UInt8]
            if let ciphertext = copy.ciphertext { content = ciphertext } else { content = try source.read() }
            let name = temporaryName(0)
            let file = try AtomicFile.prepare(content, for: target, temporaryName: name, mode: mode)
            try file.commit()
        default: throw Errno.notAFile(copy.source)
        }
        return true
    }
}
