internal import Foundation

/// What the fields of an entry say of an item: everything but its secret and the user's own lines.
///
/// This is what the attribute index keeps.
struct ItemAttributes: Equatable, Sendable {
    /// The item's UUID; nil for an ordinary entry.
    var identifier: UUID?
    /// The values that fields record, in the type that they were given in.
    var values: [AttributeCode: AttributeValue] = [:]

    /// An entry without a field of ours.
    static let ordinary = ItemAttributes()
}

extension ItemAttributes {
    /// Gives an attribute a value: in the path, in a field, or nowhere when that is what its absence means.
    mutating func set(_ line: ItemAttribute, to value: AttributeValue, at location: inout ItemLocation) {
        switch line.place {
        case .component, .mark:
            location.set(line.code, to: value.bytes)
            // The path tells the bytes; the field tells the type when it is not the usual one.
            if case .text = value { values[line.code] = nil } else { values[line.code] = value }
        case .numberMark: location.set(line.code, to: value.bytes)
        case .field: values[line.code] = value == line.fallback ? nil : value
        case .location, .nowhere: break
        }
    }

    /// Keeps the values that the path of `location` shortens, and drops those that it tells by itself.
    mutating func keepShortened(at location: ItemLocation) throws(StatusError) {
        let shortened = try location.shortenedAttributes()
        for line in location.itemClass.attributes where line.isInPath {
            let recorded = values[line.code]
            guard shortened.contains(line.code) else {
                if case .text? = recorded { values[line.code] = nil }
                continue
            }
            guard let whole = location.value(of: line), whole != line.fallback else { continue }
            if recorded?.bytes != whole.bytes { values[line.code] = whole }
        }
    }
}
