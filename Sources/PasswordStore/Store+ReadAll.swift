internal import GPGME
public import Unix

extension Store {
    /// Decrypts every entry, links to entries and through links to folders too, several at a time.
    ///
    /// - Parameters:
    ///   - work: makes something of each entry's path below the root and its contents, or of why there are none. It
    ///     runs on several threads.
    ///   - take: is handed what was made, in the order of the paths, and answers whether to go on.
    /// - Throws: ``StoreError`` when there is no GnuPG, or the store cannot be listed.
    public func readAll<Value: Sendable>(
        _ work: @escaping @Sendable (Path, Result<EntryContents, StoreError>) -> Value,
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
        var done = 0
        progress?(done, files.count)
        OrderedWork.run(count: files.count, threads: settings.threads) { index in
            work(files[index].path, Result { () throws(StoreError) in try decrypt(files[index], in: root) })
        } _: { value in
            done += 1
            progress?(done, files.count)
            return take(value)
        }
    }

    /// Decrypts an entry's file, with a context of its own.
    func decrypt(_ file: EntryFile, in root: ConfinedFolder) throws(StoreError) -> EntryContents {
        let place = try file.locate(in: root)
        let ciphertext = try asStoreError { () throws(Errno) in try place.read(limit: Store.largestFile) }
        return try decrypt(ciphertext, at: file.path)
    }
}
