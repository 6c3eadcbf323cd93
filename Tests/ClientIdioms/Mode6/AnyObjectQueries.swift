// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
import Foundation
import Security

/// Saves and gets with `[String: AnyObject]` and `kCFBooleanTrue`.
public enum AnyObjectQueries {
    static func query(_ service: String, _ account: String) -> [String: AnyObject] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service as AnyObject,
            kSecAttrAccount as String: account as AnyObject,
        ]
    }

    public static func save(_ password: String, service: String, account: String) -> OSStatus {
        var query = query(service, account)
        query[kSecValueData as String] = password.data(using: .utf8) as AnyObject?
        query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlocked
        return SecItemAdd(query as CFDictionary, nil)
    }

    public static func get(service: String, account: String) -> String? {
        var query = query(service, account)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = kCFBooleanTrue
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let data = result as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// The same with a pointer to the result.
    public static func getThroughAPointer(service: String, account: String) -> Data? {
        var query = query(service, account)
        query[String(kSecReturnData)] = kCFBooleanTrue!
        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
        }
        return status == noErr ? result as? Data : nil
    }

    public static func delete(service: String, account: String) -> Bool {
        SecItemDelete(query(service, account) as CFDictionary) == noErr
    }
}
