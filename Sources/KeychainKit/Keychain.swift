public import Foundation
internal import Security

/// The passwords and other small secrets of one service, by account.
///
/// ```swift
/// let keychain = Keychain(service: "com.example.app")
/// try keychain.save("hunter2", for: "alice")
/// let password = try keychain.readString(for: "alice")
/// try keychain.remove("alice")
/// ```
///
/// It speaks to the system's keychain through `SecItem…` alone, and so works alike on Linux and on Apple's systems.
/// It may be used from any thread.
public struct Keychain: Sendable, Hashable {
    /// The service whose items these are.
    public let service: String
    /// The access group whose items these are; nil for the program's own.
    public let accessGroup: String?

    /// The keychain of this program: its service is the bundle's identifier, or else the program's name.
    ///
    /// ```swift
    /// try Keychain.shared.save("hunter2", for: "alice")
    /// ```
    public static let shared = Keychain(
        service: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    )

    /// Makes a keychain of the items of `service`.
    ///
    /// ```swift
    /// let shared = Keychain(service: "com.example.app", accessGroup: "team")
    /// ```
    public init(service: String, accessGroup: String? = nil) {
        self.service = service
        self.accessGroup = accessGroup
    }
}

// MARK: Writing

extension Keychain {
    /// Keeps `data` for `account`, whether or not there was something before.
    ///
    /// ```swift
    /// try keychain.save(Data([1, 2, 3]), for: "alice")
    /// ```
    public func save(_ data: Data, for account: String) throws(KeychainError) {
        for _ in 0..<Self.mostAttempts {
            do throws(KeychainError) {
                return try update(data, for: account)
            } catch .notFound {}
            do throws(KeychainError) {
                return try add(data, for: account)
            } catch .duplicateItem {}
        }
        throw .duplicateItem
    }

    /// How often a save tries both of its calls.
    ///
    /// Both fail when somebody else removes the item before the first and adds it before the second: then it is tried
    /// again. But not for ever, for on Apple's systems an item may be in the way that this program cannot see.
    private static let mostAttempts = 8

    /// Keeps `data` for `account`, for which nothing is kept yet.
    ///
    /// ```swift
    /// try keychain.add(Data([1, 2, 3]), for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/duplicateItem`` when there is something; it stays as it is.
    public func add(_ data: Data, for account: String) throws(KeychainError) {
        var attributes = item(account)
        attributes[kSecValueData as String] = data
        try check(SecItemAdd(attributes as CFDictionary, nil))
    }

    /// Keeps `data` for `account` in place of what is kept.
    ///
    /// ```swift
    /// try keychain.update(Data([4, 5, 6]), for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when nothing is kept.
    public func update(_ data: Data, for account: String) throws(KeychainError) {
        let changes = [kSecValueData as String: data]
        try check(SecItemUpdate(item(account) as CFDictionary, changes as CFDictionary))
    }

    /// Removes what is kept for `account`.
    ///
    /// ```swift
    /// try keychain.remove("alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when nothing is kept.
    public func remove(_ account: String) throws(KeychainError) {
        try check(SecItemDelete(item(account) as CFDictionary))
    }

    /// Removes every item of this service, and none of another; that there is none is no error.
    ///
    /// ```swift
    /// try keychain.removeAll()
    /// ```
    public func removeAll() throws(KeychainError) {
        do throws(KeychainError) {
            try check(SecItemDelete(query as CFDictionary))
        } catch .notFound {}
    }
}

// MARK: Reading

extension Keychain {
    /// What is kept for `account`.
    ///
    /// ```swift
    /// let data = try keychain.read(for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/notFound`` when nothing is kept.
    public func read(for account: String) throws(KeychainError) -> Data {
        var query = item(account)
        query[kSecReturnData as String] = true
        guard let data = try copy(query) as? Data else { throw .unexpectedData }
        return data
    }

    /// Whether anything is kept for `account`.
    ///
    /// ```swift
    /// if try keychain.contains("alice") { … }
    /// ```
    public func contains(_ account: String) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try check(SecItemCopyMatching(item(account) as CFDictionary, nil))
            return true
        } catch .notFound {
            return false
        }
    }

    /// The accounts for which something is kept, oldest first.
    ///
    /// ```swift
    /// for account in try keychain.accounts() { print(account) }
    /// ```
    public func accounts() throws(KeychainError) -> [String] {
        var query = query
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        do throws(KeychainError) {
            guard let items = try copy(query) as? [[String: Any]] else { throw .unexpectedData }
            return items.compactMap { $0[kSecAttrAccount as String] as? String }
        } catch .notFound {
            return []
        }
    }
}

// MARK: Queries

extension Keychain {
    /// What every query of this keychain has.
    var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    func item(_ account: String) -> [String: Any] {
        var query = query
        query[kSecAttrAccount as String] = account
        return query
    }

    func copy(_ query: [String: Any]) throws(KeychainError) -> AnyObject? {
        var result: AnyObject?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        return result
    }

    func check(_ status: OSStatus) throws(KeychainError) {
        if let error = KeychainError(status: status) { throw error }
    }
}
