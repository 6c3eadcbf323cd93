internal import GPGME
public import Unix

extension Store {
    /// Decrypts every entry, links to entries and through links to folders too, in the order of their paths.
    ///
    /// - Parameter body: is handed each entry's path below the root, and its contents or why there are none; it
    ///   answers whether to go on.
    /// - Throws: ``StoreError`` when there is no store, or no GnuPG.
    public func readAll(
        _ body: (Path, Result<EntryContents, StoreError>) -> Bool
    ) throws(StoreError) {
        guard let root = try? openRoot() else { return }
        let files = try entryFilesFollowingLinks(in: root)
        guard !files.isEmpty else { return }
        let context = try gnuPG.context()
        for file in files {
            let result = Result { () throws(StoreError) in
                let ciphertext = try asStoreError { () throws(Errno) in
                    try file.location.read(limit: Store.largestEntry)
                }
                return try decrypt(ciphertext, at: file.location.path, with: context)
            }
            guard body(file.location.path, result) else { return }
        }
    }
}
