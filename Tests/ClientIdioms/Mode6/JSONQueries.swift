// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation
import Security

/// JSON values: a copy says whether to add or to update, and the answer is read as `item[kSecValueData as String]`.
public enum JSONQueries {
    public struct Session: Codable, Equatable {
        public var token: String
        public var scopes: [String]

        public init(token: String, scopes: [String]) {
            self.token = token
            self.scopes = scopes
        }
    }

    public static func set<Value: Encodable>(_ value: Value, for key: String, service: String) throws
        -> OSStatus
    {
        let data = try JSONEncoder().encode(value)
        let query =
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: key,
            ] as CFDictionary
        if SecItemCopyMatching(query, nil) == errSecItemNotFound {
            let attributes =
                [
                    kSecClass as String: kSecClassGenericPassword as String,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: key,
                    kSecValueData as String: data,
                ] as [String: AnyHashable]
            return SecItemAdd(attributes as CFDictionary, nil)
        }
        return SecItemUpdate(query, [kSecValueData: data] as CFDictionary)
    }

    public static func get<Value: Decodable>(_ type: Value.Type, for key: String, service: String) throws
        -> Value?
    {
        let query =
            [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: key,
                kSecReturnAttributes: true,
                kSecReturnData: true,
                kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary
        var result: CFTypeRef?
        guard SecItemCopyMatching(query, &result) == errSecSuccess, let item = result else { return nil }
        guard let data = item[kSecValueData as String] as? Data else { return nil }
        return try JSONDecoder().decode(type, from: data)
    }
}
