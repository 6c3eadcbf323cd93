internal import Foundation
internal import PasswordStore
internal import Unix

extension Keychain {
    /// Adds the item that `query` describes.
    ///
    /// - Returns: what the query wants of it.
    /// - Throws: `errSecDuplicateItem` when its primary key is taken, by whatever entry; nothing is written then.
    func add(_ query: ItemQuery) throws(StatusError) -> NSObject? {
        try groups.check(query.group)
        guard query.itemClass != .identity else { throw StatusError(errSecUnimplemented) }
        let item = try newItem(query)
        let path = Path(try item.location.path())
        let fields = ItemFields(attributes: item.attributes, secret: query.secret)
        try change(.add) { () throws(StatusError) in
            if !query.itemClass.isPassword { try checkUniqueness(of: [item], besides: [], .add) }
            let contents = fields.contents(of: query.itemClass)
            return ([.create(path, contents)], "Add keychain item \(path).")
        }
        return try ItemResult(wanted: query.wanted).answer(for: FoundItem(item: item, fields: fields))
    }

    /// What a caller's attributes make of a new item.
    private func newItem(_ query: ItemQuery) throws(StatusError) -> KnownItem {
        let now = AttributeValue.date(ItemDate.now)
        let identifier = UUID()
        var location = ItemLocation(itemClass: query.itemClass)
        location.group = if let group = query.group { group } else { try groups.groupForNewItems() }
        location.isSynchronizable = query.synchronizable == true
        if !query.itemClass.isPassword { location.name = Array(identifier.uuidString.utf8) }
        var attributes = ItemAttributes(identifier: identifier)
        for (code, value) in query.values {
            guard let line = query.itemClass.attribute(code) else { continue }
            attributes.set(line, to: value, at: &location)
        }
        try check(location, .add)
        try attributes.keepShortened(at: location)
        attributes.values[.created] = now
        attributes.values[.modified] = now
        return KnownItem(location: location, attributes: attributes, fileDate: ItemDate.now)
    }

    /// Makes sure that no value of a key is longer than this keychain takes.
    ///
    /// - Throws: `errSecDataTooLarge` for one that is.
    func check(_ location: ItemLocation, _ operation: ItemQuery.Operation) throws(StatusError) {
        var values = location.key
        values[.group] = location.group
        guard let (code, value) = values.first(where: { $0.value.count > ItemLocation.longestValue }) else {
            return
        }
        throw statusError(.attributeTooLong(code, value.count, limit: ItemLocation.longestValue), operation)
    }

    /// Makes sure that certificates and keys are unique by their attributes, as their paths do not say them.
    ///
    /// The store is locked.
    func checkUniqueness(
        of items: [KnownItem],
        besides paths: Set<Path>,
        _ operation: ItemQuery.Operation
    ) throws(StatusError) {
        for item in items {
            let location = item.location
            var query = ItemQuery(operation: operation, itemClass: location.itemClass)
            query.group = location.group
            query.synchronizable = location.isSynchronizable
            for line in location.itemClass.attributes where line.isKey && !line.isInPath {
                query.values[line.code] = item.value(of: line)
            }
            for other in try matches(query) where !paths.contains(Path(try other.item.location.path())) {
                throw StatusError(errSecDuplicateItem)
            }
        }
        let keys = items.map(\.uniqueValues)
        for (index, key) in keys.enumerated() where keys[..<index].contains(key) {
            throw StatusError(errSecDuplicateItem)
        }
    }

    private func matches(_ query: ItemQuery) throws(StatusError) -> [FoundItem] {
        do throws(StatusError) {
            return try find(query, needsContents: false)
        } catch {
            guard error.status == errSecItemNotFound else { throw error }
            return []
        }
    }
}

extension KnownItem {
    /// The bytes of every attribute that makes it unique.
    fileprivate var uniqueValues: [[UInt8]] {
        location.itemClass.attributes.filter(\.isKey).map { value(of: $0)?.bytes ?? [] }
    }
}
