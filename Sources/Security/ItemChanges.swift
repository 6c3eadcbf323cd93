internal import Foundation
internal import SecretMemory

/// The checked second dictionary of an update: what becomes of every item that matches.
struct ItemChanges {
    /// The new values; the group and synchronizable stand apart.
    private(set) var values: [AttributeCode: AttributeValue] = [:]
    private(set) var group: [UInt8]?
    private(set) var synchronizable: Bool?
    private(set) var secret: SecretBytes?

    /// Checks a caller's dictionary of changes to items of `itemClass`.
    ///
    /// - Throws: `errSecNoSuchAttr` for anything but the class' attributes and the secret, `errSecParam` for a value
    ///   of the wrong type.
    init(_ dictionary: NSDictionary, to itemClass: ItemClass) throws(StatusError) {
        for (key, value) in try QueryDictionary(dictionary).entries {
            do throws(StatusError) {
                try take(key, value, of: itemClass)
            } catch {
                throw error.about(key)
            }
        }
        try AccessRule.reconcile(&values, synchronizable: synchronizable == true)
    }

    private mutating func take(_ key: String, _ value: GivenValue, of itemClass: ItemClass)
        throws(StatusError)
    {
        switch key {
        case "v_Data":
            guard let secret = value.secret else { throw StatusError(errSecParam) }
            self.secret = secret
        case "clip": throw StatusError(errSecParam)
        case "nleg": break
        default:
            guard let code = AttributeCode(rawValue: key) else {
                throw StatusError(errSecNoSuchAttr, "an update takes attributes and v_Data only")
            }
            try take(code, value, of: itemClass)
        }
    }

    private mutating func take(
        _ code: AttributeCode,
        _ value: GivenValue,
        of itemClass: ItemClass
    ) throws(StatusError) {
        guard let line = itemClass.attribute(code) else { throw StatusError(errSecNoSuchAttr) }
        switch code {
        case .group: group = try ItemQuery.group(value)
        case .synchronizable:
            guard let isSynchronizable = try ItemQuery.synchronizable(value) else {
                throw StatusError(errSecParam)
            }
            synchronizable = isSynchronizable
        default:
            let checked = try AttributeValue(value, as: line.kind)
            // The date of a change is the date of the change.
            if code != .modified, line.place != .nowhere { values[code] = checked }
        }
    }
}
