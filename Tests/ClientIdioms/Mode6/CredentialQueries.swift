// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
import Foundation
import Security

/// Creates, reads and updates credentials with `kSecReturnAttributes` and `kSecReturnData`.
public enum CredentialQueries {
    public struct Credentials: Equatable {
        public var username: String
        public var password: String

        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    public enum Failure: Error, Equatable {
        case noPassword
        case unexpectedPasswordData
        case unhandledError(status: OSStatus)
    }

    public static func create(_ credentials: Credentials, server: String) throws {
        let password = credentials.password.data(using: String.Encoding.utf8)!
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrAccount as String: credentials.username,
            kSecAttrServer as String: server,
            kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
            kSecAttrPort as String: 8443,
            kSecValueData as String: password,
        ]
        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw Failure.unhandledError(status: status) }
    }

    public static func read(server: String) throws -> Credentials {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { throw Failure.noPassword }
        guard status == errSecSuccess else { throw Failure.unhandledError(status: status) }
        guard let existingItem = item as? [String: Any],
            let data = existingItem[kSecValueData as String] as? Data,
            let password = String(data: data, encoding: String.Encoding.utf8),
            let account = existingItem[kSecAttrAccount as String] as? String,
            existingItem[kSecAttrPort as String] as? Int == 8443,
            existingItem[kSecAttrProtocol as String] as? String == kSecAttrProtocolHTTPS as String
        else { throw Failure.unexpectedPasswordData }
        return Credentials(username: account, password: password)
    }

    public static func update(_ credentials: Credentials, server: String) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword,
            kSecAttrServer as String: server,
        ]
        let attributes: [String: Any] = [
            kSecAttrAccount as String: credentials.username,
            kSecValueData as String: Data(credentials.password.utf8),
        ]
        let status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
        guard status != errSecItemNotFound else { throw Failure.noPassword }
        guard status == errSecSuccess else { throw Failure.unhandledError(status: status) }
    }
}
