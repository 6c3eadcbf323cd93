internal import SecretMemory

/// The components of an item's path, each as it stands there.
struct ItemPath: Hashable, Sendable {
    var itemClass = ItemClass.genericPassword
    /// The folder of the access group; nil for the default group, which has none.
    var group: ArraySlice<UInt8>?
    /// The folders of the service or server.
    var folders: [ArraySlice<UInt8>] = []
    /// The last component, without the mark of synchronizable items.
    var last: ArraySlice<UInt8> = []
    var isSynchronizable = false

    /// The longest path in bytes.
    static let longest = 3_000
    /// The most folders of a service: each call opens them one after another.
    static let mostFolders = 100

    private static let slash = UInt8(ascii: "/")
    private static let groups = Array("%groups".utf8)
    private static let syncMark = Array("%sync".utf8)

    /// The folder of a class, if it has one.
    static func folder(of itemClass: ItemClass) -> [UInt8]? {
        itemClass == .genericPassword ? nil : Array("%\(itemClass.rawValue)".utf8)
    }
}

// MARK: Writing

extension ItemPath {
    var bytes: [UInt8] {
        var path: [UInt8] = []
        path.reserveCapacity(256)
        if let group { path += Self.groups + [Self.slash] + group + [Self.slash] }
        if let folder = Self.folder(of: itemClass) { path += folder + [Self.slash] }
        for folder in folders { path += folder + [Self.slash] }
        path += last
        if isSynchronizable { path += Self.syncMark }
        return path
    }

    /// How many bytes the last component may have.
    var roomForLast: Int { PathComponent.longest - (isSynchronizable ? Self.syncMark.count : 0) }

    /// How many bytes the folders of the service may have, with their slashes.
    var roomForFolders: Int {
        var others = self
        others.folders = []
        return Self.longest - others.bytes.count
    }
}

// MARK: Reading

extension ItemPath {
    /// Takes a path apart; nil for one that ends before an item's last component.
    init?(_ path: [UInt8]) {
        var components = path.split(separator: Self.slash, omittingEmptySubsequences: false)[...]
        if components.first?.elementsEqual(Self.groups) == true {
            group = components.dropFirst().first
            components = components.dropFirst(2)
        }
        itemClass = Self.itemClass(ofFolder: components.first)
        if itemClass != .genericPassword { components = components.dropFirst() }
        guard let last = components.last else { return nil }
        folders = Array(components.dropLast())
        isSynchronizable =
            last.count >= Self.syncMark.count && last.suffix(Self.syncMark.count).elementsEqual(Self.syncMark)
        self.last = isSynchronizable ? last.dropLast(Self.syncMark.count) : last
    }

    /// The class of the item that an item's path names, which is no more than a look at its first folders.
    static func itemClass(ofItemAt path: [UInt8]) -> ItemClass {
        var components = path.split(separator: slash, maxSplits: 3, omittingEmptySubsequences: false)[...]
        if components.first?.elementsEqual(groups) == true { components = components.dropFirst(2) }
        return itemClass(ofFolder: components.first)
    }

    private static func itemClass(ofFolder folder: ArraySlice<UInt8>?) -> ItemClass {
        // Of an item's folders only those of classes start like this.
        guard folder?.first == UInt8(ascii: "%") else { return .genericPassword }
        let named: [ItemClass] = [.internetPassword, .certificate, .key]
        return named.first { itemClass in
            guard let folder, let name = Self.folder(of: itemClass) else { return false }
            return folder.elementsEqual(name)
        } ?? .genericPassword
    }
}

// MARK: Shortened values

extension ItemPath {
    /// The attributes of which it shows no more than the beginning.
    var shortenedAttributes: Set<AttributeCode> {
        var codes: Set<AttributeCode> = []
        if let group, PathComponent.isShortened(group) { codes.insert(.group) }
        if folders.contains(where: PathComponent.isShortened) {
            codes.insert(itemClass == .internetPassword ? .server : .service)
        }
        guard PathComponent.isShortened(last) else { return codes }
        switch itemClass {
        case .genericPassword: codes.insert(folders.isEmpty ? .service : .account)
        case .internetPassword: codes.formUnion([.account] + ItemLocation.marks)
        case .certificate, .key, .identity: break
        }
        return codes
    }
}
