internal import Foundation
internal import PasswordStore
internal import Unix

extension Keychain {
    /// Changes every item that `query` means, or none.
    ///
    /// - Throws: `errSecItemNotFound` for no item; `errSecDuplicateItem` when a new primary key is taken.
    func update(_ query: ItemQuery, _ changes: ItemChanges) throws(StatusError) {
        try groups.check(changes.group)
        try change(.update) { () throws(StatusError) in
            var updated: [Updated] = []
            for one in try find(query, needsContents: true) {
                let after = try Updated(one, changes)
                try check(after.item.location, .update)
                updated.append(after)
            }
            try checkKeys(of: updated, changes)
            let name = updated.count == 1 ? "item \(updated[0].path)" : "\(updated.count) items"
            return (updated.map(\.edit), "Update keychain \(name).")
        }
    }

    /// Refuses two items with one path, and two certificates or keys with the same unique attributes.
    private func checkKeys(of updated: [Updated], _ changes: ItemChanges) throws(StatusError) {
        guard Set(updated.map(\.newPath)).count == updated.count else {
            throw StatusError(errSecDuplicateItem)
        }
        let unnamed = updated.filter { !$0.item.location.itemClass.isPassword }
        let touchesKey = unnamed.contains { one in
            changes.group != nil || changes.synchronizable != nil
                || changes.values.keys.contains { one.item.location.itemClass.attribute($0)?.isKey == true }
        }
        if touchesKey {
            try checkUniqueness(of: unnamed.map(\.item), besides: Set(unnamed.map(\.path)), .update)
        }
    }
}

/// An item as an update leaves it.
private struct Updated {
    let entry: Transaction.Entry
    let newPath: Path
    let item: KnownItem
    let fields: ItemFields

    /// - Throws: `errSecReadOnlyAttr` for attributes of an entry that is one secret as a whole, and for a name of it
    ///   that only a field can keep; `errSecDecode` for an item whose fields do not have its name.
    init(_ found: FoundItem, _ changes: ItemChanges) throws(StatusError) {
        guard var fields = found.fields else { throw StatusError(errSecDecode) }
        var location = found.item.location
        if let group = changes.group { location.group = group }
        if let synchronizable = changes.synchronizable { location.isSynchronizable = synchronizable }
        for (code, value) in changes.values {
            guard let line = location.itemClass.attribute(code) else { continue }
            fields.attributes.set(line, to: value, at: &location)
        }
        // A protection by itself takes the place of an access control that said more.
        if changes.values[.accessible] != nil, changes.values[.accessControl] == nil {
            fields.attributes.values[.accessControl] = nil
        }
        if let secret = changes.secret { fields.replaceSecret(with: secret) }
        guard location.outline == nil else { throw StatusError(errSecDecode) }
        if fields.wholeFile == nil {
            try fields.attributes.keepShortened(at: location)
        } else {
            let keepsName = location == found.item.location
            let needsField = keepsName ? false : try !location.shortenedAttributes().isEmpty
            guard !needsField, fields.attributes.values.isEmpty else { throw StatusError(errSecReadOnlyAttr) }
        }
        // An ordinary entry keeps no dates: its file does.
        if !found.item.isOrdinary {
            let modified = max(ItemDate.now, ItemDate(microseconds: found.item.modified.microseconds + 1_000))
            fields.attributes.values[.modified] = .date(modified)
        }
        self.fields = fields
        entry = try found.item.entry()
        newPath = Path(try location.path())
        item = KnownItem(location: location, attributes: fields.attributes, fileDate: found.item.fileDate)
    }

    var path: Path { entry.path }

    /// What makes it so.
    var edit: Transaction.Edit {
        let contents = fields.contents(of: item.location.itemClass)
        return newPath == path ? .replace(entry, contents) : .move(entry, to: newPath, contents)
    }
}
