internal import GPGME
internal import Unix

extension Store {
    /// The names of one level that begin with `beginning`, for a shell: entries as they are, folders with a slash.
    ///
    /// One level is enough, since a folder stands for all that is in it. No gpg is started. What cannot be read has no
    /// names, and is no error here.
    ///
    /// - Parameters:
    ///   - beginning: what was typed of a name; up to its last slash it names the folder.
    ///   - entries: whether entries count.
    /// - Returns: the names from the root, sorted.
    public func names(beginningWith beginning: [UInt8], entries: Bool) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        let folder = beginning.lastIndex(of: slash).map { Array(beginning[...$0]) } ?? []
        // There is nobody to tell at a completion: what cannot be read has no names.
        guard let name = try? EntryName(folder), let root = try? openRoot() else { return [] }
        var walk = FolderWalk()
        walk.followsLinks = true
        walk.maximumDepth = 1
        guard let tree = try? walk.read(name.folderPath, in: root) else { return [] }
        return tree.nodes.filter { $0.depth == 0 }.compactMap { node -> [UInt8]? in
            let own = tree.name(of: node)
            switch (node.targetMode ?? node.mode).kind {
            case .folder: return folder + own + [slash]
            case .file where entries && own.count > 4 && own.suffix(4).elementsEqual(".gpg".utf8):
                return folder + own.dropLast(4)
            default: return nil
            }
        }.filter { $0.starts(with: beginning) }
    }

    /// What GnuPG knows keys by, and begins with `beginning`: mail addresses and long key ids, sorted.
    ///
    /// - Throws: ``StoreError/gnuPG(_:)``, ``StoreError/noGPG``.
    public func keyIDs(beginningWith beginning: [UInt8]) throws(StoreError) -> [[UInt8]] {
        let context = try gnuPG.context()
        let keys: [Key]
        do throws(GPGMEError) {
            keys = try context.allKeys()
        } catch {
            throw .gnuPG(error)
        }
        let names = keys.filter { !$0.isRevoked && !$0.isExpired && !$0.isInvalid }.flatMap { key in
            key.userIDs.map(\.address) + [Array(key.fingerprint.digits.suffix(16).utf8)]
        }
        return Set(names).filter { !$0.isEmpty && $0.starts(with: beginning) }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
