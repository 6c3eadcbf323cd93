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
        let message: AcceptableMessage
        do throws(GPGMEError) {
            message = try AcceptableMessage(ciphertext)
        } catch {
            gnuPG.reportRefusal(of: ciphertext)
            throw .decryption(path, error)
        }
        var answer = gnuPG.decryptDirectly(message)
        if case .noSessionKey = answer {
            let context = try gnuPG.contextForSessionKeys()
            do throws(GPGMEError) {
                answer = gnuPG.decrypt(message, with: try context.sessionKey(of: message))
            } catch {
                let error = gnuPG.explain(error, decrypting: message, in: context)
                if error.code.mayPass { gnuPG.forgetDirectFailure() }
                // It is a message; an option keeps gpg from it.
                throw .decryption(path, error.code == .noData ? GPGMEError(.decrypt, .badData) : error)
            }
        }
        switch answer {
        case .plaintext(let plaintext): return EntryContents(plaintext)
        case .refused(let code): throw .decryption(path, GPGMEError(.decrypt, code))
        case .noSessionKey: throw .decryption(path, GPGMEError(.decrypt, .general))
        }
    }
}
