internal import Foundation

/// The keys and values of a caller's dictionary, normalised once, in the order of their keys.
///
/// A dictionary with several faults is answered the status of any one of them; the order makes it always the same.
struct QueryDictionary {
    let entries: [(key: String, value: GivenValue)]

    /// The most keys that a dictionary may have.
    private static let mostEntries = 128

    /// Reads `dictionary`.
    ///
    /// - Throws: `errSecParam` for too many keys, and for a key that is no string.
    init(_ dictionary: NSDictionary) throws(StatusError) {
        guard dictionary.count <= Self.mostEntries else {
            throw StatusError(errSecParam, "the dictionary has more than \(Self.mostEntries) keys")
        }
        var entries: [(key: String, value: GivenValue)] = []
        for key in dictionary.allKeys {
            guard case .text(let name) = GivenValue(key), let value = dictionary.object(forKey: key) else {
                throw StatusError(errSecParam, "a key of the dictionary is no string")
            }
            entries.append((String(decoding: name, as: UTF8.self), GivenValue(value)))
        }
        self.entries = entries.sorted { $0.key < $1.key }
    }

    subscript(key: String) -> GivenValue? { entries.first { $0.key == key }?.value }

    /// What a key is, by its shape (SecDbQuery.c).
    enum Shape {
        case itemClass
        case attribute
        case match
        case result
        case use
        case value
    }

    /// The shape of `key`; nil for a key of no kind.
    static func shape(of key: String) -> Shape? {
        let bytes = Array(key.utf8)
        guard bytes.count > 1 else { return nil }
        if bytes.count == 4 { return .attribute }
        switch bytes.first {
        case UInt8(ascii: "c"): return key == "class" ? .itemClass : nil
        case UInt8(ascii: "m"): return .match
        case UInt8(ascii: "r"): return .result
        case UInt8(ascii: "u"): return .use
        case UInt8(ascii: "v"): return .value
        default: return nil
        }
    }
}
