public import Foundation
internal import Security

// Several tokens of one account are kept apart by a key of the program's own choice. The key stands in
// `kSecAttrGeneric`, so that a search finds it, and in the account, so that two tokens are two items.

extension Keychain {
    /// Keeps a token under `key`, whether or not there was one before.
    ///
    /// ```swift
    /// try keychain.saveToken(Data("abc".utf8), key: "refresh")
    /// ```
    public func saveToken(_ token: Data, key: String) throws(KeychainError) {
        for _ in 0..<8 {
            do throws(KeychainError) {
                let changes = [kSecValueData as String: token]
                return try check(SecItemUpdate(self.token(key) as CFDictionary, changes as CFDictionary))
            } catch .notFound {}
            do throws(KeychainError) {
                var attributes = self.token(key)
                attributes[kSecAttrAccount as String] = key
                attributes[kSecValueData as String] = token
                return try check(SecItemAdd(attributes as CFDictionary, nil))
            } catch .duplicateItem {
                // An item of this account that is no token is not ours to replace.
                let isTaken = try contains(key)
                let isToken = try containsToken(key)
                guard !isTaken || isToken else { throw .duplicateItem }
            }
        }
        throw .duplicateItem
    }

    /// The token that is kept under `key`.
    ///
    /// ```swift
    /// let token = try keychain.readToken(key: "refresh")
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when there is none.
    public func readToken(key: String) throws(KeychainError) -> Data {
        var query = token(key)
        query[kSecReturnData as String] = true
        guard let data = try copy(query) as? Data else { throw .unexpectedData }
        return data
    }

    /// Removes the token that is kept under `key`.
    ///
    /// ```swift
    /// try keychain.removeToken(key: "refresh")
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when there is none.
    public func removeToken(key: String) throws(KeychainError) {
        try check(SecItemDelete(token(key) as CFDictionary))
    }

    private func containsToken(_ key: String) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try check(SecItemCopyMatching(token(key) as CFDictionary, nil))
            return true
        } catch .notFound {
            return false
        }
    }

    private func token(_ key: String) -> [String: Any] {
        var query = query
        query[kSecAttrGeneric as String] = Data(key.utf8)
        return query
    }
}
