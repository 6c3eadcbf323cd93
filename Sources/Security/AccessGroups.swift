internal import Foundation

/// The access groups that the program may use; each is a folder of the store.
struct AccessGroups: Sendable {
    /// The groups that the program declares, first the one for new items; nil when it declares none and may use all.
    let declared: [[UInt8]]?

    /// Reads the declaration: `KEYCHAIN_ACCESS_GROUPS`, separated by colons, or `keychain-access-groups` of the
    /// Info.plist beside the executable.
    init(environment: [String: String], propertyList: [String: Any]?) {
        let listed = environment["KEYCHAIN_ACCESS_GROUPS"]?.split(separator: ":").map(String.init) ?? []
        let groups = listed.isEmpty ? propertyList?["keychain-access-groups"] as? [String] : listed
        declared = groups.map { $0.filter { !$0.isEmpty }.map { Array($0.utf8) } }
    }

    /// The group of a new item that names none.
    ///
    /// - Throws: `errSecMissingEntitlement` when the program declares that it has no group at all.
    func groupForNewItems() throws(StatusError) -> [UInt8] {
        guard let declared else { return ItemLocation.defaultGroup }
        guard let first = declared.first(where: { $0 != Self.all }) ?? allowsAll() else {
            throw StatusError(
                errSecMissingEntitlement,
                "agrp: the program declares that it has no access group"
            )
        }
        return first
    }

    /// Checks that the program has any group, and `group` if one is named.
    ///
    /// - Throws: `errSecMissingEntitlement` when not.
    func check(_ group: [UInt8]?) throws(StatusError) {
        guard let declared else { return }
        guard !declared.isEmpty, group.map(contains) ?? true else {
            let name = group.map { "'\(String(decoding: $0, as: UTF8.self))'" } ?? "none at all"
            throw StatusError(
                errSecMissingEntitlement,
                "agrp: \(name) is not among the access groups that the program declares"
            )
        }
    }

    /// Whether items of `group` are visible to the program.
    func contains(_ group: [UInt8]) -> Bool {
        guard let declared else { return true }
        return declared.contains(group) || declared.contains(Self.all)
    }

    /// Whether items at `location` can be visible to the program.
    func mayContain(_ location: ItemLocation) -> Bool {
        guard let declared, !declared.contains(Self.all) else { return true }
        return declared.contains { location.mayBe(inGroup: $0) }
    }

    private static let all = Array("*".utf8)

    private func allowsAll() -> [UInt8]? {
        declared?.contains(Self.all) == true ? ItemLocation.defaultGroup : nil
    }
}
