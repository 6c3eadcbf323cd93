internal import GPGME
public import Unix

extension Store {
    /// The most bytes that an entry may hold, unless ``Settings/sizeLimit`` says that it is less: 256 MiB.
    public static let largestEntry = 256 * 1024 * 1024

    /// The largest file that is read: an entry's ciphertext is longer than what it holds, armoured by more
    /// than a third.
    static let largestFile = 2 * largestEntry

    /// Decrypts an entry.
    ///
    /// - Throws: ``StoreError/noSuchEntry(_:)``, ``StoreError/decryption(_:_:)``, ``StoreError/file(_:)``.
    public func read(_ name: EntryName) throws(StoreError) -> EntryContents {
        try readVersioned(name).contents
    }

    /// Decrypts an entry and says which version of its file that was, for ``write(_:to:message:existing:)``.
    public func readVersioned(
        _ name: EntryName
    ) throws(StoreError) -> (contents: EntryContents, version: FileStatus) {
        try decryptVersioned(locateEntry(name, in: try openRoot()))
    }

    /// Decrypts the file at `place`.
    func decryptVersioned(
        _ place: Location
    ) throws(StoreError) -> (contents: EntryContents, version: FileStatus) {
        try Store.patiently { () throws(StoreError) in
            let (ciphertext, version) = try asStoreError { () throws(Errno) in
                let file = try place.openForReading()
                return (try file.readAll(limit: Store.largestFile, path: place.path), try file.status())
            }
            return (try decrypt(ciphertext, at: place.path), version)
        }
    }

    /// The place of an entry that exists.
    func locateEntry(_ name: EntryName, in root: ConfinedFolder) throws(StoreError) -> Location {
        guard !name.isRoot else { throw .refusedName(name.bytes, .empty) }
        do throws(Errno) {
            let location = try root.locate(name.filePath)
            guard let status = try location.status(), status.kind != .folder else {
                throw Errno.noSuchFile(location.path)
            }
            return location
        } catch {
            if error.isNoSuchFile { throw .noSuchEntry(name) }
            throw StoreError(error)
        }
    }

    /// Decrypts the bytes of an entry's file, once; see ``patiently(_:)``.
    func decrypt(_ ciphertext: [UInt8], at path: Path) throws(StoreError) -> EntryContents {
        if let plaintext = gnuPG.decryptDirectly(ciphertext) { return EntryContents(plaintext) }
        let context = try gnuPG.context()
        do throws(GPGMEError) {
            return EntryContents(try context.decrypt(ciphertext.span, limit: settings.sizeLimit).plaintext)
        } catch {
            let error = GPGMEError(.decrypt, gnuPG.reason(of: error, decrypting: ciphertext, in: context))
            if error.code.mayPass { gnuPG.forgetDirectFailure() }
            throw .decryption(path, error)
        }
    }
}
