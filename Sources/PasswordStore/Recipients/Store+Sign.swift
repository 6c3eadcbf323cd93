internal import GPGME
public import Unix

extension Store {
    /// Makes sure that `content`, the bytes of the file at `path`, is signed by one of the wanted keys.
    ///
    /// Does nothing unless `PASSWORD_STORE_SIGNING_KEY` is set. The signature lies beside the file, as `NAME.sig`.
    func verifySignature(of content: [UInt8], at path: Path, in root: ConfinedFolder) throws(StoreError) {
        guard !settings.signingKeys.isEmpty else { return }
        let signature: [UInt8]
        do throws(Errno) {
            signature = try root.locate(path.withSuffix(".sig"), followingLast: false)
                .read(limit: RecipientList.largestFile)
        } catch {
            throw .signature(path, .missing)
        }
        try verify(signature, of: content, at: path)
    }

    /// Makes sure that a file, which need not lie in the store, is signed by one of the wanted keys.
    ///
    /// Does nothing unless `PASSWORD_STORE_SIGNING_KEY` is set. The signature lies beside the file, as `NAME.sig`.
    ///
    /// - Throws: ``StoreError/signature(_:_:)`` with the path as it was given, ``StoreError/file(_:)``.
    public func verifySignature(ofFile path: Path) throws(StoreError) {
        guard !settings.signingKeys.isEmpty else { return }
        let signature: [UInt8]
        do throws(Errno) {
            signature = try readFile(path.withSuffix(".sig"), limit: RecipientList.largestFile)
        } catch {
            throw .signature(path, .missing)
        }
        let content = try asStoreError { () throws(Errno) in try readFile(path, limit: Store.largestEntry) }
        try verify(signature, of: content, at: path)
    }

    private func verify(_ signature: [UInt8], of content: [UInt8], at path: Path) throws(StoreError) {
        let context = try gnuPG.context()
        let pinned = Set(settings.signingKeys.compactMap { Fingerprint($0) })
        do throws(GPGMEError) {
            let signatures = try context.verifyDetached(signature, of: content)
            guard signatures.isSigned(by: pinned) else { throw GPGMEError(.verify, .badSignature) }
        } catch {
            throw .signature(path, .invalid)
        }
    }

    /// A detached signature of `content` by the signing keys that this user has.
    func sign(_ content: [UInt8]) throws(StoreError) -> [UInt8] {
        let context = try gnuPG.context(for: .signatures)
        do throws(GPGMEError) {
            return try context.signDetached(content, by: settings.signingKeys)
        } catch {
            throw .signing(error)
        }
    }
}
