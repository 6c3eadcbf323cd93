internal import Foundation
internal import SecretMemory

/// One item of an answer, with what was wanted of it.
struct FoundItem {
    let item: KnownItem
    /// The decrypted fields; nil when nothing wanted needs them.
    var fields: ItemFields?
}

/// Puts an answer into the shape that a query asks for.
///
/// Values go out as Foundation objects: the casts that callers write work on those.
struct ItemResult {
    let wanted: ItemQuery.Wanted

    /// The answer for one item; nil for an item of which nothing was wanted, or a secret that it does not have.
    func answer(for found: FoundItem) throws(StatusError) -> NSObject? {
        switch wanted {
        case []: nil
        case .data: found.fields?.secret.map(Self.data)
        case .attributes: NSDictionary(dictionary: attributes(of: found.item))
        case .persistentReference: try Self.reference(to: found.item)
        // A password has no object that stands for it.
        case .reference: nil
        default: NSDictionary(dictionary: try dictionary(for: found))
        }
    }

    /// The answer for a query that may find several items.
    func answer(for all: [FoundItem]) throws(StatusError) -> NSArray {
        var answers: [NSObject] = []
        for found in all {
            if let answer = try answer(for: found) { answers.append(answer) }
        }
        return NSArray(array: answers)
    }

    /// Whether the secret, and so decryption, is needed.
    var needsContents: Bool { wanted.contains(.data) }

    /// Whether anything is needed that the path does not say.
    var needsAttributes: Bool {
        !wanted.isDisjoint(with: [.attributes, .persistentReference]) || wanted.isStrictSuperset(of: .data)
    }

    /// The reference that finds `item` again.
    static func reference(to item: KnownItem) throws(StatusError) -> NSData {
        let reference = PersistentReference(
            itemClass: item.location.itemClass,
            identifier: item.attributes.identifier,
            hint: try item.location.path()
        )
        return reference.data as NSData
    }

    private func dictionary(for found: FoundItem) throws(StatusError) -> [String: Any] {
        var dictionary = attributes(of: found.item)
        if wanted.contains(.data), let fields = found.fields {
            dictionary["v_Data"] = fields.secret.map(Self.data)
            // Attributes that are secret themselves come with the secret.
            for (code, value) in fields.attributes.values {
                if case .secret(let secret) = value { dictionary[code.rawValue] = Self.data(secret) }
            }
        }
        if wanted.contains(.persistentReference) {
            dictionary["v_PersistentRef"] = try Self.reference(to: found.item)
        }
        return dictionary
    }

    /// Always there: what names the item, its group, dates and protection.
    ///
    /// Everything else only when it is set.
    private func attributes(of item: KnownItem) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for line in item.location.itemClass.attributes where line.place != .nowhere {
            let isAlwaysThere = line.isInPath || line.kind == .date || line.kind == .accessible
            guard isAlwaysThere || item.attributes.values[line.code] != nil else { continue }
            guard let value = item.value(of: line) else { continue }
            dictionary[line.code.rawValue] = Self.object(value)
        }
        dictionary["accc"] = SecAccessControl(item.accessRule)
        if wanted.contains(.reference) {
            dictionary["class"] = NSString(string: item.location.itemClass.rawValue)
        }
        return dictionary
    }

    private static func object(_ value: AttributeValue) -> NSObject? {
        switch value {
        case .text(let text): NSString(string: String(decoding: text, as: UTF8.self))
        case .data(let data): Data(data) as NSData
        // An integer one: on Linux a Boolean NSNumber cannot be cast to Int.
        case .number(let number): NSNumber(value: number)
        case .date(let date): date.date as NSDate
        case .access(let rule): SecAccessControl(rule)
        case .secret: nil
        }
    }

    /// The contractual exit: here, and only here, a secret becomes `Data`.
    private static func data(_ secret: SecretBytes) -> NSData {
        secret.withBytes { bytes in
            var data = Data(capacity: bytes.count)
            for index in bytes.indices { data.append(bytes[index]) }
            return data as NSData
        }
    }
}
