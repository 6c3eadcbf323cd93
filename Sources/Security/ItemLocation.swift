/// Where an item stands: what its path says of it, which for a password is its whole primary key.
///
/// The mapping between locations and canonical paths is one to one; `init(path:)` answers only to those.
struct ItemLocation: Hashable, Sendable {
    var itemClass: ItemClass
    /// The access group.
    var group: [UInt8] = Self.defaultGroup
    var isSynchronizable = false
    /// The bytes of the attributes that are in the path; one that has its default is left out.
    var key: [AttributeCode: [UInt8]] = [:]
    /// The UUID that names a certificate or a key, as text.
    var name: [UInt8] = []
    /// The path that this was read from, when it shortens values; nil when all of them are known.
    var outline: Outline?

    /// The group whose folder is the store itself.
    static let defaultGroup = Array("default".utf8)

    /// The marks of an internet password, in the order in which they are written.
    static let marks: [AttributeCode] = ["sdmn", "ptcl", "atyp", "port", "path"]

    /// The longest value in bytes.
    static let longestValue = 65_536
}

// MARK: The path

extension ItemLocation {
    /// Its path.
    ///
    /// - Throws: `errSecNotAvailable` when a component must be shortened and there is no hash.
    func path() throws(StatusError) -> [UInt8] { try components().bytes }

    /// The attributes that its path shortens, so that fields must keep them.
    func shortenedAttributes() throws(StatusError) -> Set<AttributeCode> {
        try components().shortenedAttributes
    }

    private func components() throws(StatusError) -> ItemPath {
        if let outline { return outline.path }
        var path = ItemPath(itemClass: itemClass, isSynchronizable: isSynchronizable)
        if group != Self.defaultGroup { path.group = try PathComponent.fit(PathComponent.encode(group))[...] }
        path.last = try PathComponent.fit(lastComponent, to: path.roomForLast)[...]
        switch itemClass {
        case .genericPassword:
            guard !serviceStandsAlone else { break }
            path.folders = try Self.folders(of: key[.service] ?? [], room: path.roomForFolders)
        case .internetPassword:
            path.folders = [try PathComponent.fit(PathComponent.encode(key[.server] ?? []))[...]]
        case .certificate, .key, .identity: break
        }
        return path
    }

    /// Whether the path is the service alone.
    private var serviceStandsAlone: Bool {
        let service = key[.service] ?? []
        return key[.account] ?? [] == [] && !service.isEmpty && !service.contains(UInt8(ascii: "/"))
    }

    private var lastComponent: [UInt8] {
        let account = key[.account] ?? []
        return switch itemClass {
        case .genericPassword: PathComponent.encode(serviceStandsAlone ? key[.service] ?? [] : account)
        case .internetPassword: PathComponent.encode(account) + markText
        case .certificate, .key, .identity: PathComponent.encode(name)
        }
    }

    private var markText: [UInt8] {
        var text: [UInt8] = []
        for code in Self.marks {
            guard let value = key[code] else { continue }
            text += Array("%\(code.rawValue)=".utf8) + PathComponent.encode(value)
        }
        return text
    }

    /// The folders of a service: each piece between its slashes, and in one what would make the path too long or deep.
    static func folders(of service: [UInt8], room: Int) throws(StatusError) -> [ArraySlice<UInt8>] {
        let slash = UInt8(ascii: "/")
        let pieces = service.split(separator: slash, omittingEmptySubsequences: false)
        var folders: [ArraySlice<UInt8>] = []
        var length = 0
        for piece in pieces.prefix(ItemPath.mostFolders) {
            folders.append(try PathComponent.fit(PathComponent.encode(Array(piece)))[...])
            length += folders[folders.count - 1].count + 1
        }
        guard length > room || folders.count < pieces.count else { return folders }
        // At least two pieces go into the last folder. With their slash, they never look like one.
        while folders.count == ItemPath.mostFolders || length + PathComponent.longest + 1 > room {
            length -= folders.removeLast().count + 1
        }
        let rest = Array(pieces[folders.count...].joined(separator: [slash]))
        return folders + [try PathComponent.fit(PathComponent.encode(rest))[...]]
    }
}

// MARK: Values

extension ItemLocation {
    /// Gives an attribute of the path its bytes; the default, in whatever form, is left out.
    mutating func set(_ code: AttributeCode, to bytes: [UInt8]) {
        guard let line = itemClass.attribute(code) else { return }
        let normal = line.kind == .number ? AttributeValue.numberOrText(bytes).bytes : bytes
        key[code] = normal == line.fallback?.bytes ? nil : normal
    }

    /// What the path says of `line`, in the type that an attribute of its kind has by itself.
    ///
    /// It says nothing of a value that it shortens.
    func value(of line: ItemAttribute) -> AttributeValue? {
        if let outline, outline.attributes.contains(line.code) { return nil }
        switch line.place {
        case .field, .nowhere: return nil
        case .location where line.code == .group: return .text(group)
        case .location: return .number(isSynchronizable ? 1 : 0)
        case .component, .mark, .numberMark: break
        }
        guard let bytes = key[line.code] else { return line.fallback }
        if line.kind == .number { return .numberOrText(bytes) }
        return String(validating: bytes, as: UTF8.self) == nil ? .data(bytes) : .text(bytes)
    }
}
