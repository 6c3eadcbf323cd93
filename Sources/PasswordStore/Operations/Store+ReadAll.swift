internal import GPGME
package import Unix

/// Some entries that follow each other, decrypted as they are asked for.
package struct EntryBatch {
    private var files: ArraySlice<EntryFile>
    private let store: Store
    private let root: ConfinedFolder

    init(_ files: ArraySlice<EntryFile>, of store: Store, in root: ConfinedFolder) {
        self.files = files
        self.store = store
        self.root = root
    }

    /// The next one's path below the root, and its contents or why there are none; `nil` behind the last one.
    package mutating func next() -> (path: Path, contents: Result<EntryContents, StoreError>)? {
        guard let file = files.popFirst() else { return nil }
        return (file.path, Result { () throws(StoreError) in try store.decrypt(file, in: root) })
    }
}

extension Store {
    /// How many entries are one piece of work.
    ///
    /// Fewer where there are not enough for every thread to have some.
    private func batchSize(for count: Int) -> Int { min(10, max(1, count / (2 * settings.threads))) }

    /// Decrypts every entry, links to entries and through links to folders too, several at a time.
    ///
    /// - Parameters:
    ///   - work: makes something of some entries that follow each other. It runs on several threads.
    ///   - take: is handed what was made, in the order of the paths, and answers whether to go on.
    /// - Throws: ``StoreError`` when there is no GnuPG, or the store cannot be listed.
    package func readAll<Value: Sendable>(
        _ work: @escaping @Sendable (inout EntryBatch) -> Value,
        _ take: (Value) -> Bool
    ) throws(StoreError) {
        let root: ConfinedFolder
        do throws(StoreError) {
            root = try openRoot()
        } catch .notInitialized {
            return
        }
        let files = try entryFiles(below: Path([]), in: root, followingLinks: true)
        guard !files.isEmpty else { return }
        // The first context starts GnuPG to ask for its version, and says so if that cannot be done.
        _ = try gnuPG.context()
        let size = batchSize(for: files.count)
        progress?(0, files.count)
        var done = 0
        OrderedWork.run(count: (files.count + size - 1) / size, threads: settings.threads) { number in
            var batch = EntryBatch(files[(number * size)...].prefix(size), of: self, in: root)
            return work(&batch)
        } _: { value in
            done = min(done + size, files.count)
            progress?(done, files.count)
            return take(value)
        }
    }

    /// Decrypts an entry's file, with a context of its own.
    func decrypt(_ file: EntryFile, in root: ConfinedFolder) throws(StoreError) -> EntryContents {
        try Store.patiently { () throws(StoreError) in
            let place = try file.locate(in: root)
            let ciphertext = try asStoreError { () throws(Errno) in try place.read(limit: Store.largestFile) }
            return try decrypt(ciphertext, at: file.path)
        }
    }
}
