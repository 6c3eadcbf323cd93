internal import GPGME
public import Unix

/// An entry that was, or is to be, encrypted anew: its path below the root without `.gpg`, and for which keys.
public struct Reencryption: Sendable, Hashable {
    /// The entry's path below the root, without `.gpg`.
    public let entry: Path
    /// The ids of the subkeys, 16 digits each, sorted.
    public let keys: [String]
}

/// An entry whose keys differ from those that its `.gpg-id` wants.
struct PlannedReencryption: Sendable {
    let file: EntryFile
    let list: RecipientList
    let report: Reencryption
}

/// New ciphertexts, complete and on disk beside the old ones, which they have not replaced yet.
struct StagedReencryption {
    let files: [StagedFile]
    let reports: [Reencryption]
    /// The entries' real paths below the root.
    let paths: [Path]

    /// Puts each in its place.
    func commit() throws(StoreError) {
        for file in files { try asStoreError { () throws(Errno) in try file.commit() } }
    }
}

extension Store {
    /// Encrypts the entry at a path below the root, or all entries of the folder there, anew where that is needed.
    ///
    /// It commits nothing: whoever asks goes on to do so.
    ///
    /// - Returns: what was encrypted anew.
    /// - Throws: ``StoreError``, with every entry as it was.
    public func reencrypt(_ path: Path) throws(StoreError) -> [Reencryption] {
        try locked { (root) throws(StoreError) in
            let context = try gnuPG.context()
            var recipients = Recipients(of: self, in: root)
            let isFile = try kind(of: path, in: root) == .file
            let files = isFile ? [EntryFile(path: path)] : try entryFiles(below: path, in: root)
            let plan = try planReencryption(of: files, for: &recipients, with: context, in: root)
            let staged = try stage(plan, with: context, in: root)
            try Interruption.held { () throws(StoreError) in try staged.commit() }
            return staged.reports
        }
    }

    /// Finds the entries among `files` whose keys differ from those that they should have.
    ///
    /// Only the subkeys that gpg would use count, so that a key with an expired or a second subkey settles. A message
    /// that hides a recipient never does.
    func planReencryption(
        of files: [EntryFile],
        for recipients: inout Recipients,
        with context: Context,
        in root: ConfinedFolder
    ) throws(StoreError) -> [PlannedReencryption] {
        var plan: [PlannedReencryption] = []
        for file in files {
            let place = try file.locate(in: root)
            let list = try recipients.source(for: file.folder ?? place.realPath.parent).list
            let wanted = try recipients.wantedKeys(for: list, with: context)
            let ciphertext = try asStoreError { () throws(Errno) in
                try place.read(limit: Store.largestEntry)
            }
            let isSettled: Bool
            do throws(StoreError) {
                isSettled = try !presentKeys(ciphertext, at: file.path).differ(from: wanted)
            } catch {
                // What cannot be read may be moved for as long as it stays under the same list.
                guard file.folder != nil, try recipients.source(for: place.realPath.parent).list == list
                else {
                    throw error
                }
                isSettled = true
            }
            guard !isSettled else { continue }
            let report = Reencryption(
                entry: file.path.withoutSuffix(".gpg"),
                keys: wanted.sorted().map(\.description)
            )
            plan.append(PlannedReencryption(file: file, list: list, report: report))
        }
        return plan
    }

    private func presentKeys(_ ciphertext: [UInt8], at path: Path) throws(StoreError) -> [KeyID] {
        do throws(MalformedMessage) {
            return try MessagePackets.recipients(of: ciphertext.span)
        } catch {
            throw .decryption(path, GPGMEError(.decrypt, .noData))
        }
    }

    /// Decrypts and encrypts everything that is planned, beside the old files.
    ///
    /// Nothing is replaced yet.
    ///
    /// - Throws: ``StoreError`` that names the first entry which cannot be done; the new files are gone then.
    func stage(
        _ plan: [PlannedReencryption],
        with context: Context,
        in root: ConfinedFolder
    ) throws(StoreError) -> StagedReencryption {
        var files: [StagedFile] = []
        var paths: [Path] = []
        var failure: StoreError?
        // Decrypting side by side pays off. Encrypting does not: gpg's processes wait for each other there.
        OrderedWork.run(count: plan.count, threads: settings.jobs) { index in
            Result { () throws(StoreError) in try decrypt(plan[index].file, in: root) }
        } _: { contents in
            do throws(StoreError) {
                let item = plan[files.count]
                let place = try item.file.locate(in: root)
                let renewed = try encrypt(contents.get().bytes, to: item.list, for: place.path, with: context)
                let name = Store.temporaryName(files.count)
                files.append(
                    try asStoreError { () throws(Errno) in
                        try StagedFile(renewed, for: place, temporaryName: name, in: root)
                    }
                )
                paths.append(place.realPath)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return StagedReencryption(files: files, reports: plan.map(\.report), paths: paths)
    }
}

extension [KeyID] {
    /// Whether these, the recipients that a message names, are others than `wanted`.
    fileprivate func differ(from wanted: Set<KeyID>) -> Bool {
        // Whom a hidden recipient stands for nobody can tell, and somebody who left must not stay.
        contains(.hidden) || Set(self) != wanted
    }
}
