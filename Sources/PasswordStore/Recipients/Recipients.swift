internal import GPGME
internal import SecretMemory
internal import Unix

/// The `.gpg-id` files of a store: which one applies where, and whether it may be relied upon.
///
/// One value serves one operation, and remembers what it has read.
struct Recipients: ~Copyable {
    /// A list, and where it came from.
    struct Source: Hashable {
        /// The ids.
        let list: RecipientList
        /// The folder whose `.gpg-id` it is, below the root; `nil` for `PASSWORD_STORE_KEY`.
        let folder: Path?
    }

    private let store: Store
    private let root: ConfinedFolder
    private var known: [Path: Source] = [:]
    private var exact: [RecipientList: ExpectedRecipients] = [:]
    private var expected: [RecipientList: ExpectedRecipients] = [:]
    private var groups: [[UInt8]: [[UInt8]]]?
    private var found: [[UInt8]: [Key]] = [:]

    /// A `.gpg-id` that is about to be written (or, `nil`, removed) and counts already.
    private let planned: (folder: Path, list: RecipientList?)?

    /// A folder that is about to be moved or copied: what lies in it counts at its target already.
    var moving: (source: Path, target: Path)?

    init(of store: Store, in root: ConfinedFolder, planned: (folder: Path, list: RecipientList?)? = nil) {
        self.store = store
        self.root = root
        self.planned = planned
    }

    /// The list for entries of `folder`: the nearest `.gpg-id` in it or above it, never above the root.
    ///
    /// Source: `set_gpg_recipients` in pass 1.7.4.
    mutating func source(for folder: Path) throws(StoreError) -> Source {
        if !store.settings.keys.isEmpty {
            for (index, key) in store.settings.keys.enumerated() {
                do throws(RecipientList.Fault) {
                    try RecipientList.check(key, line: index + 1)
                } catch {
                    throw .recipientList("PASSWORD_STORE_KEY", error)
                }
            }
            return Source(list: RecipientList(ids: store.settings.keys), folder: nil)
        }
        if let source = known[folder] { return source }
        let source = try nearest(to: folder)
        known[folder] = source
        return source
    }

    private func nearest(to folder: Path) throws(StoreError) -> Source {
        var here = folder.components.map(Array.init)
        while true {
            let path = Path(components: here)
            if let planned, planned.folder == path {
                if let list = planned.list { return Source(list: list, folder: path) }
            } else {
                if let place = moved(path), let list = try read(in: place) {
                    return Source(list: list, folder: path)
                }
                if let list = try read(in: path) { return Source(list: list, folder: path) }
            }
            if here.popLast() == nil { throw .notInitialized(folder: folder) }
        }
    }

    /// Where the folder that will be at `path` is now; `nil` unless it is about to be moved there.
    private func moved(_ path: Path) -> Path? {
        guard let moving else { return nil }
        let components = path.components
        let target = moving.target.components
        guard components.starts(with: target) else { return nil }
        return path.moved(from: moving.target, to: moving.source)
    }

    /// The list in a folder's own `.gpg-id`; `nil` when there is none, or a folder has that name.
    private func read(in folder: Path) throws(StoreError) -> RecipientList? {
        let path = folder.appending(Path(RecipientList.fileName))
        let text: [UInt8]
        do throws(Errno) {
            let location = try root.locate(path)
            switch try location.status()?.kind {
            case .file: text = try location.read(limit: RecipientList.largestFile)
            case .folder, nil: return nil
            default: throw Errno.notAFile(path)
            }
        } catch {
            if error.isNoSuchFile { return nil }
            if error.isWrongKind { throw .recipientList(path, .notAFile) }
            throw StoreError(error)
        }
        // The bytes that are verified are the bytes that are used.
        try store.verifySignature(of: text, at: path, in: root)
        do throws(RecipientList.Fault) {
            return try RecipientList(parsing: text)
        } catch {
            throw .recipientList(path, error)
        }
    }

    /// Whom a message for a list has to be for; each id means one key that can be encrypted to, known on this machine.
    ///
    /// A full fingerprint or a long key id means one key, and gpg itself says whether it can be used; nothing is looked
    /// up for them here. Other ids are: gpg would take the first of several that fit, or ask the network for a mail
    /// address that it does not know.
    mutating func expected(
        for list: RecipientList,
        with context: LazyContext
    ) throws(StoreError) -> ExpectedRecipients {
        if let expected = expected[list] { return expected }
        let isAlone = { (id: [UInt8]) in KeyIDText(id)?.isUnique == true }
        let looked = list.ids.filter { !isAlone($0) }
        lookUp(looked, with: context)
        var result = try lookedUp(looked, of: list, with: context)
        result.ids = list.ids.filter(isAlone).compactMap { KeyIDText($0) }
        expected[list] = result
        return result
    }

    /// The same with all ids looked up.
    mutating func exact(
        for list: RecipientList,
        with context: LazyContext
    ) throws(StoreError) -> ExpectedRecipients {
        if let exact = exact[list] { return exact }
        lookUp(list.ids, with: context)
        let result = try lookedUp(list.ids, of: list, with: context)
        exact[list] = result
        return result
    }

    private mutating func lookedUp(
        _ ids: [[UInt8]],
        of list: RecipientList,
        with context: LazyContext
    ) throws(StoreError) -> ExpectedRecipients {
        var result = ExpectedRecipients(targets: [])
        var texts: [[UInt8]] = []
        for id in list.ids {
            guard ids.contains(id) else {
                texts.append(exactRecipient(id))
                continue
            }
            let targets = try targets(of: id, with: context)
            result.targets += targets
            texts += targets.map(\.text)
        }
        if texts != list.ids.map(exactRecipient) { result.texts = texts }
        return result
    }

    /// Finds the keys of several ids at once.
    private mutating func lookUp(_ ids: [[UInt8]], with context: LazyContext) {
        let ids = ids.filter { found[$0] == nil }
        guard ids.count > 1 else { return }
        // What goes wrong here goes wrong again for each of them, and is said then.
        found.merge((try? context.open().keys(fittingEach: ids)) ?? [:]) { $1 }
    }

    /// The subkeys that gpg encrypts to for a list: the newest usable one of each key, or the one that an id names.
    mutating func wantedKeys(
        for list: RecipientList,
        with context: LazyContext
    ) throws(StoreError) -> Set<KeyID> {
        Set(try exact(for: list, with: context).targets.map(\.subkey.keyID))
    }

    private mutating func targets(
        of id: [UInt8],
        with context: LazyContext
    ) throws(StoreError) -> [EncryptionTarget] {
        let context = try context.open()
        let groups = try knownGroups(with: context)
        do throws(RecipientProblem) {
            return try context.encryptionTargets(for: id, groups: groups, found: found)
        } catch {
            throw .unusableRecipient(error)
        }
    }

    private mutating func knownGroups(with context: Context) throws(StoreError) -> [[UInt8]: [[UInt8]]] {
        if let groups { return groups }
        do throws(GPGMEError) {
            let found = try context.groups()
            groups = found
            return found
        } catch {
            throw .gnuPG(error)
        }
    }
}
