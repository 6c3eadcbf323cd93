// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
import Foundation
import Security

/// `[CFString: Any]` queries that fall through from a duplicate to an update, and messages for statuses.
public enum CFStringQueries {
    public static func message(_ status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "\(status)"
    }

    public static func store(_ data: Data, service: String, account: String) -> (
        status: OSStatus, updated: Bool
    ) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecAttrAccount: account,
            kSecValueData: data,
            kSecAttrSynchronizable: kCFBooleanFalse!,
            kSecUseDataProtectionKeychain: kCFBooleanTrue!,
        ]
        let status = SecItemAdd(query as CFDictionary, nil)
        switch status {
        case errSecDuplicateItem:
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
            ]
            return (SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary), true)
        default:
            return (status, false)
        }
    }

    public static func load(service: String) -> [(account: String, data: Data)] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: service,
            kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnAttributes: true,
            kSecReturnData: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            let items = result as? [[CFString: Any]]
        else { return [] }
        return items.compactMap { item in
            guard let account = item[kSecAttrAccount] as? String, let data = item[kSecValueData] as? Data
            else {
                return nil
            }
            return (account, data)
        }
    }

    /// Attributes by `AnyHashable` keys: both spellings of a key find the value.
    public static func label(service: String) -> [String?] {
        let query = NSMutableDictionary()
        query.setValue(kSecClassGenericPassword, forKey: kSecClass as String)
        query.setValue(service, forKey: kSecAttrService as String)
        query.setValue(true, forKey: kSecReturnAttributes as String)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        SecItemCopyMatching(query, &result)
        let attributes = result as? [AnyHashable: Any]
        return [attributes?[kSecAttrLabel] as? String, attributes?["labl"] as? String]
    }
}
