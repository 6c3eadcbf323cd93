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
struct PlannedReencryption {
    let file: Location
    let list: RecipientList
    let report: Reencryption
}

/// New ciphertexts, complete and on disk beside the old ones, which they have not replaced yet.
struct StagedReencryption {
    let files: [AtomicFile]
    let reports: [Reencryption]
    let paths: [Path]

    /// Puts each in its place.
    ///
    /// - Parameter moved: where the one file was moved to since, and its new content has to go.
    /// - Throws: ``StoreError/file(_:)``.
    func commit(movedWith moved: Location? = nil) throws(StoreError) {
        for file in files { try asStoreError { () throws(Errno) in try file.commit(at: moved) } }
    }
}

extension Store {
    /// Finds the entries among `files` whose keys differ from those that they should have.
    ///
    /// Only the subkeys that gpg would use count, so that a key with an expired or a second subkey settles. A recipient
    /// that a message hides counts as right when the number of recipients is right.
    func planReencryption(
        of files: [EntryFile],
        for recipients: inout Recipients,
        with context: Context,
        in root: ConfinedFolder
    ) throws(StoreError) -> [PlannedReencryption] {
        var plan: [PlannedReencryption] = []
        for file in files {
            let list = try recipients.source(for: file.folder).list
            let wanted = try recipients.wantedKeys(for: list, with: context)
            let ciphertext = try asStoreError { () throws(Errno) in
                try file.location.read(limit: Store.largestEntry)
            }
            guard try presentKeys(ciphertext, at: file.location.path).differ(from: wanted) else { continue }
            let report = Reencryption(
                entry: file.location.path.withoutSuffix(".gpg"),
                keys: wanted.sorted().map(\.description)
            )
            plan.append(PlannedReencryption(file: file.location, list: list, report: report))
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
        with context: Context
    ) throws(StoreError) -> StagedReencryption {
        var files: [AtomicFile] = []
        for (number, item) in plan.enumerated() {
            let ciphertext = try asStoreError { () throws(Errno) in
                try item.file.read(limit: Store.largestEntry)
            }
            let contents = try decrypt(ciphertext, at: item.file.path, with: context)
            let renewed = try encrypt(contents.bytes, to: item.list, for: item.file.path, with: context)
            files.append(
                try asStoreError { () throws(Errno) in
                    try AtomicFile.prepare(
                        renewed,
                        for: item.file,
                        temporaryName: Store.temporaryName(number)
                    )
                }
            )
        }
        return StagedReencryption(
            files: files,
            reports: plan.map(\.report),
            paths: plan.map(\.file.realPath)
        )
    }
}

extension [KeyID] {
    /// Whether these, the recipients that a message names, are others than `wanted`.
    fileprivate func differ(from wanted: Set<KeyID>) -> Bool {
        let named = Set(self).subtracting([.hidden])
        return contains(.hidden)
            ? !named.isSubset(of: wanted) || count != wanted.count
            : named != wanted
    }
}
