internal import Foundation
internal import PasswordStore

/// What `kSecReturnPersistentRef` answers: it finds its item after updates, renames and restarts.
///
/// The bytes are the class, the item's UUID, and the path as a hint where to look first. Apple's have 20 bytes and
/// no hint; such a one is understood too.
struct PersistentReference: Hashable, Sendable {
    let itemClass: ItemClass
    /// The item's UUID; zero for an ordinary entry, which its path alone names.
    let identifier: UUID
    /// The item's path when the reference was made; empty when there is none.
    let hint: [UInt8]

    /// The UUID of every ordinary entry.
    static let ordinary = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private static let classLength = 4
    private static let length = 20

    init(itemClass: ItemClass, identifier: UUID?, hint: [UInt8]) {
        self.itemClass = itemClass
        self.identifier = identifier ?? Self.ordinary
        self.hint = hint
    }

    /// Reads a reference.
    ///
    /// - Throws: `errSecParam` for bytes that are none.
    init(_ data: Data) throws(StatusError) {
        let bytes = Array(data)
        guard bytes.count >= Self.length,
            let identifier = UUID(bytes: Array(bytes[Self.classLength..<Self.length]))
        else { throw StatusError(errSecParam, "v_PersistentRef: it has less than \(Self.length) bytes") }
        let name = String(decoding: bytes[..<Self.classLength], as: UTF8.self)
        guard let itemClass = ItemClass(rawValue: name), itemClass != .identity else {
            throw StatusError(errSecParam, "v_PersistentRef: it names no class of items")
        }
        self.itemClass = itemClass
        self.identifier = identifier
        hint = Array(bytes[Self.length...])
    }

    /// The bytes that a caller gets.
    var data: Data { Data(Array(itemClass.rawValue.utf8) + identifier.bytes + hint) }

    /// Where the hint says that the item is; nil when it says nothing, or something of another class.
    ///
    /// Callers may hand over any bytes. Those that no entry can have for a name are no hint.
    var hintedLocation: ItemLocation? {
        guard let location = ItemLocation(path: hint), location.itemClass == itemClass,
            (try? EntryName(hint)) != nil
        else { return nil }
        return location
    }
}
