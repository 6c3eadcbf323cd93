/// The value of a `SecAccessControl`.
struct AccessRule: Hashable, Sendable {
    /// One of the values of `kSecAttrAccessible`.
    let protection: Accessible
    /// The flags it was made with; nil when it only says what the item's `kSecAttrAccessible` says.
    ///
    /// Flags of zero are flags: on Apple's systems too such an object is more than its protection.
    let flags: UInt?
}

/// The values of `kSecAttrAccessible`.
enum Accessible: String, Sendable {
    case whenUnlocked = "ak"
    case afterFirstUnlock = "ck"
    case always = "dk"
    case whenPasscodeSetThisDeviceOnly = "akpu"
    case whenUnlockedThisDeviceOnly = "aku"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case alwaysThisDeviceOnly = "dku"
}

extension AccessRule {
    /// Makes `kSecAttrAccessible` and `kSecAttrAccessControl` agree in a new item or a change.
    ///
    /// - Throws: `errSecParam` when they say different things, or when flags meet a synchronizable item.
    static func reconcile(
        _ values: inout [AttributeCode: AttributeValue],
        synchronizable: Bool
    ) throws(StatusError) {
        guard case .access(let rule)? = values[.accessControl] else { return }
        let protection = AttributeValue.text(rule.protection.rawValue)
        if let given = values[.accessible] {
            guard rule.flags == nil, given == protection else {
                throw StatusError(errSecParam, "accc: it says something else than pdmn")
            }
        }
        if synchronizable, rule.flags != nil {
            throw StatusError(errSecParam, "accc: a synchronizable item takes no flags")
        }
        values[.accessible] = protection
        // Without flags it says no more than the protection does.
        if rule.flags == nil { values[.accessControl] = nil }
    }
}
