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

    /// The group whose folder is the store itself.
    static let defaultGroup = Array("default".utf8)

    /// The longest component, without `.gpg`; with it, and a file system's usual limit of 255 bytes, one is left.
    static let longestComponent = 250
    /// The longest path.
    static let longestPath = 3_000

    private static let groups = Array("%groups".utf8)
    private static let syncMark = Array("%sync".utf8)

    /// The marks of an internet password, in the order in which they are written.
    static let marks: [AttributeCode] = ["sdmn", "ptcl", "atyp", "port", "path"]

    /// The folder of a class, if it has one.
    static func folder(of itemClass: ItemClass) -> [UInt8]? {
        itemClass == .genericPassword ? nil : Array("%\(itemClass.rawValue)".utf8)
    }
}

// MARK: The path

extension ItemLocation {
    /// The components of its path.
    ///
    /// - Throws: `errSecDataTooLarge` when a component has more than 250 bytes, or the path more than 3,000.
    func path() throws(StatusError) -> [UInt8] {
        var components = folderPrefix + classComponents
        components[components.count - 1] += markText
        let path = Array(components.joined(separator: [UInt8(ascii: "/")]))
        guard components.allSatisfy({ $0.count <= Self.longestComponent }), path.count <= Self.longestPath
        else { throw StatusError(errSecDataTooLarge) }
        return path
    }

    /// The folders of the group and the class.
    var folderPrefix: [[UInt8]] {
        let group = self.group == Self.defaultGroup ? [] : [Self.groups, PathComponent.encode(self.group)]
        return group + (Self.folder(of: itemClass).map { [$0] } ?? [])
    }

    private var classComponents: [[UInt8]] {
        let account = key[.account] ?? []
        switch itemClass {
        case .genericPassword:
            let service = key[.service] ?? []
            if account.isEmpty, !service.isEmpty, !service.contains(UInt8(ascii: "/")) {
                return [PathComponent.encode(service)]
            }
            return Self.pieces(of: service).map(PathComponent.encode) + [PathComponent.encode(account)]
        case .internetPassword:
            return [PathComponent.encode(key[.server] ?? []), PathComponent.encode(account)]
        case .certificate, .key, .identity:
            return [PathComponent.encode(name)]
        }
    }

    private static func pieces(of service: [UInt8]) -> [[UInt8]] {
        service.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }

    private var markText: [UInt8] {
        var text: [UInt8] = []
        for code in Self.marks {
            guard let value = key[code] else { continue }
            text += Array("%\(code.rawValue)=".utf8) + PathComponent.encode(value)
        }
        return text + (isSynchronizable ? Self.syncMark : [])
    }
}

// MARK: Reading a path

extension ItemLocation {
    /// The location that a canonical path names; nil for every other path.
    init?(path: [UInt8]) {
        var components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        var location = ItemLocation(itemClass: .genericPassword)
        if components.first?.elementsEqual(Self.groups) == true {
            guard components.count > 2, let group = PathComponent.decode(components[1]) else { return nil }
            location.group = group.piece
            components = components.dropFirst(2)
        }
        location.itemClass = Self.itemClass(ofFolder: components.first)
        if location.itemClass != .genericPassword { components = components.dropFirst() }
        guard let last = components.last, let (piece, marks) = PathComponent.decode(last) else { return nil }
        var pieces: [[UInt8]] = []
        for component in components.dropLast() {
            guard let folder = PathComponent.decode(component), folder.marks.isEmpty else { return nil }
            pieces.append(folder.piece)
        }
        guard location.take(pieces, last: piece), location.take(marks: marks) else { return nil }
        // The rule that makes the mapping one to one, whatever was let pass above.
        guard let canonical = try? location.path(), canonical == path else { return nil }
        self = location
    }

    /// The class of the item that an item's path names, which is no more than a look at its first folders.
    static func itemClass(ofItemAt path: [UInt8]) -> ItemClass {
        var components = path.split(
            separator: UInt8(ascii: "/"),
            maxSplits: 3,
            omittingEmptySubsequences: false
        )[...]
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

    /// Takes the decoded components; false when the class has no such path.
    private mutating func take(_ folders: [[UInt8]], last: [UInt8]) -> Bool {
        switch itemClass {
        case .genericPassword:
            guard !folders.isEmpty else {
                set(.service, to: last)
                return !last.isEmpty
            }
            set(.service, to: Array(folders.joined(separator: [UInt8(ascii: "/")])))
            set(.account, to: last)
            return true
        case .internetPassword:
            guard folders.count == 1 else { return false }
            set(.server, to: folders[0])
            set(.account, to: last)
            return true
        case .certificate, .key, .identity:
            name = last
            return folders.isEmpty && Self.isUUID(last)
        }
    }

    /// Takes marks in any order; that they come back as they stood is checked by writing the path again.
    private mutating func take(marks: ArraySlice<UInt8>) -> Bool {
        var rest = marks
        while !rest.isEmpty {
            if rest.elementsEqual(Self.syncMark) {
                isSynchronizable = true
                return true
            }
            guard itemClass == .internetPassword,
                let code = Self.marks.first(where: { rest.starts(with: Array("%\($0.rawValue)=".utf8)) }),
                let (value, next) = PathComponent.decode(rest.dropFirst(code.rawValue.utf8.count + 2))
            else { return false }
            set(code, to: value)
            rest = next
        }
        return true
    }

    /// Gives an attribute of the path its bytes; the default, in whatever form, is left out.
    mutating func set(_ code: AttributeCode, to bytes: [UInt8]) {
        guard let line = itemClass.attribute(code) else { return }
        let normal = line.kind == .number ? AttributeValue.numberOrText(bytes).bytes : bytes
        key[code] = normal == line.fallback?.bytes ? nil : normal
    }

    private static func isUUID(_ text: [UInt8]) -> Bool {
        guard text.count == 36 else { return false }
        return text.indices.allSatisfy { index in
            switch text[index] {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(index)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                ![8, 13, 18, 23].contains(index)
            default: false
            }
        }
    }
}

// MARK: Values

extension ItemLocation {
    /// What the path says of `line`, in the type that an attribute of its kind has by itself.
    func value(of line: ItemAttribute) -> AttributeValue? {
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
