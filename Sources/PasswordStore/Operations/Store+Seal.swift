internal import GPGME
package import SecretMemory
internal import Unix

extension Store {
    /// Encrypts something for the user alone: to those of the root's recipients whose secret keys are here.
    ///
    /// - Returns: the message; `nil` when no such key is here.
    package func seal(_ bytes: SecretBytes) throws(StoreError) -> [UInt8]? {
        let root = try openRoot()
        let context = gnuPG.lazyContext()
        var recipients = Recipients(of: self, in: root)
        let list = try recipients.source(for: Path([])).list
        let wanted = try recipients.wantedKeys(for: list, with: context)
        let opened = try context.open()
        var own: [[UInt8]] = []
        for id in wanted.sorted().map({ Array($0.description.utf8) }) {
            let keys: [Key]
            do throws(GPGMEError) {
                keys = try opened.secretKeys(matching: [id])
            } catch {
                throw .gnuPG(error)
            }
            // The exclamation mark makes gpg take this very subkey.
            if !keys.isEmpty { own.append(id + [UInt8(ascii: "!")]) }
        }
        guard !own.isEmpty else { return nil }
        let ownList = RecipientList(ids: own)
        return try encrypt(bytes, to: ownList, checking: &recipients, for: Path([]), with: context)
    }

    /// Decrypts what ``seal(_:)`` encrypted.
    package func unseal(_ message: [UInt8]) throws(StoreError) -> SecretBytes {
        try Store.patiently { () throws(StoreError) in try decrypt(message, at: Path([])).bytes }
    }
}
