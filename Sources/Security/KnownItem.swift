internal import PasswordStore
internal import Unix

/// An item of which everything is known but, perhaps, its secret.
struct KnownItem: Sendable {
    let location: ItemLocation
    let attributes: ItemAttributes
    /// When the file was changed: the dates of an entry that has none of its own.
    let fileDate: ItemDate
    /// The facts of the file that all this is from; nil for a new item.
    var version: FileStatus?

    var isOrdinary: Bool { attributes.identifier == nil }

    var created: ItemDate { date(.created) }
    var modified: ItemDate { date(.modified) }

    private func date(_ code: AttributeCode) -> ItemDate {
        if case .date(let date)? = attributes.values[code] { date } else { fileDate }
    }

    /// The value of an attribute; nil when the item has none, not even by default.
    func value(of line: ItemAttribute) -> AttributeValue? {
        let recorded = attributes.values[line.code]
        guard line.isInPath else {
            switch line.code {
            case .created, .modified: return .date(date(line.code))
            default: return recorded ?? line.fallback
            }
        }
        // The path is the truth. A recorded value tells the type, as long as it is the same value.
        guard let inPath = location.value(of: line) else { return nil }
        guard let recorded, recorded.bytes == inPath.bytes else { return inPath }
        return recorded
    }

    /// Whether it has every one of `values`.
    func matches(_ values: [AttributeCode: AttributeValue]) -> Bool {
        values.allSatisfy { code, wanted in
            guard let line = location.itemClass.attribute(code) else { return false }
            return value(of: line)?.matches(wanted) == true
        }
    }

    /// What its access control says: nothing beside its protection, unless it was given one.
    var accessRule: AccessRule {
        if case .access(let rule)? = attributes.values[.accessControl] { return rule }
        let protection = location.itemClass.attribute(.accessible).flatMap(value)
        let name = protection.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        return AccessRule(protection: Accessible(rawValue: name) ?? .whenUnlocked, flags: nil)
    }
}

extension KnownItem {
    /// The entry that it was read from.
    func entry() throws(StatusError) -> Transaction.Entry {
        guard let version else { throw StatusError(errSecItemNotFound) }
        return Transaction.Entry(at: Path(try location.path()), version)
    }
}
