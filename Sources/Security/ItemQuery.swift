internal import SecretMemory

/// A checked query: which items, and what of them is wanted.
///
/// For add: the new item's attributes.
///
/// It follows the data-protection keychain as macOS programs reach it: strict about the
/// names and values of attributes, lax about search and result keys in update and delete.
struct ItemQuery {
    let operation: Operation
    let itemClass: ItemClass
    /// The item itself, by reference.
    var reference: PersistentReference?
    /// The attributes that must match, all of them; the group and synchronizable stand apart.
    var values: [AttributeCode: AttributeValue] = [:]
    /// The access group; nil for every group that the program may use.
    var group: [UInt8]?
    /// Whether synchronizable items are meant; nil for both kinds.
    var synchronizable: Bool?
    /// The host that the server must be, or be below of.
    var host: [UInt8]?
    var limit = Limit.one
    var wanted: Wanted = []
    var prompting = Prompting.allowed
    /// The new item's secret.
    var secret: SecretBytes?

    /// The call that a query is for.
    enum Operation {
        case add
        case copy
        case update
        case delete
    }

    /// How many items are answered, and whether as one or as an array.
    enum Limit: Equatable {
        /// The oldest, bare.
        case one
        /// At most so many, as an array; nil for all.
        case array(Int?)
        /// None: a limit of zero.
        case nothing
    }

    /// What is answered of each item.
    struct Wanted: OptionSet {
        let rawValue: Int

        static let data = Self(rawValue: 1)
        static let attributes = Self(rawValue: 2)
        static let reference = Self(rawValue: 4)
        static let persistentReference = Self(rawValue: 8)
    }

    /// What happens when the secret key is locked.
    enum Prompting {
        /// The user is asked, where that is possible.
        case allowed
        /// `errSecInteractionNotAllowed` is answered.
        case refused
        /// Items that need it are left out.
        case skipped
    }
}

extension ItemQuery {
    /// Whether it names the owner of one entry: service and account, or server and account.
    ///
    /// Only such a query may change or remove an ordinary entry, or remove one that cannot be read.
    var namesOneEntry: Bool { namesPlace && values[.account] != nil }

    /// Whether it names the service or server, as it must to see ordinary entries.
    var namesPlace: Bool {
        switch itemClass {
        case .genericPassword: values[.service] != nil
        case .internetPassword: values[.server] != nil
        case .certificate, .key, .identity: false
        }
    }

    /// Whether `location` can be an item that is meant, by all that a path says.
    func admits(_ location: ItemLocation) -> Bool {
        guard location.itemClass == itemClass else { return false }
        if let group, !location.mayBe(inGroup: group) { return false }
        if let synchronizable, synchronizable != location.isSynchronizable { return false }
        for (code, value) in values {
            guard let line = itemClass.attribute(code), line.isInPath else { continue }
            guard location.mayHave(value, for: line) else { return false }
        }
        return admitsHost(of: location)
    }

    private func admitsHost(of location: ItemLocation) -> Bool {
        guard let host, location.outline?.attributes.contains(.server) != true else { return true }
        let server = location.key[.server] ?? []
        return server == host || server.ends(with: [UInt8(ascii: ".")] + host)
    }

    /// Whether an attribute that is itself secret must match: the index has none of those.
    var filtersBySecret: Bool {
        values.values.contains { value in if case .secret = value { true } else { false } }
    }

    /// The attributes that a path tells, for the entry that they name.
    var valuesInPath: [AttributeCode: AttributeValue] {
        var values = values.filter { itemClass.attribute($0.key)?.isInPath == true }
        values[.group] = group.map { .text($0) }
        return values
    }

    /// The attributes that a path cannot decide.
    var valuesOutsidePath: [AttributeCode: AttributeValue] {
        values.filter { itemClass.attribute($0.key)?.isInPath != true }
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}
