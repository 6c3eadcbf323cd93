// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
import Foundation
import Security

/// Values keyed by `kSecAttrGeneric`, replaced by deleting and then adding.
public enum GenericQueries {
    private static func query(_ key: String, service: String) -> [String: Any] {
        let identifier = key.data(using: .utf8)!
        return [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrGeneric as String: identifier,
            kSecAttrAccount as String: identifier,
        ]
    }

    @discardableResult
    public static func set(_ value: Data, for key: String, service: String) -> Bool {
        var query = query(key, service: service)
        SecItemDelete(query as CFDictionary)
        query[kSecValueData as String] = value
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(query as CFDictionary, nil) == errSecSuccess
    }

    public static func data(for key: String, service: String) -> Data? {
        var query = query(key, service: service)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return status == noErr ? result as? Data : nil
    }

    public static func keys(service: String) -> Set<String> {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecReturnAttributes as String: kCFBooleanTrue!,
            kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        var result: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            let items = result as? [[AnyHashable: Any]]
        else { return [] }
        return Set(
            items.compactMap { $0[kSecAttrAccount] as? Data }.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    public static func wipe() {
        for itemClass in [
            kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
            kSecClassIdentity,
        ] {
            SecItemDelete([kSecClass as String: itemClass] as CFDictionary)
        }
    }
}
