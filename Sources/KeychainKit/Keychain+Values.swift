internal import Foundation

// The same verbs for text and for everything that is `Codable`; text is kept as its UTF-8 bytes, values as JSON.

extension Keychain {
    /// Keeps `text` for `account`, whether or not there was something before.
    ///
    /// ```swift
    /// try keychain.save("hunter2", for: "alice")
    /// ```
    public func save(_ text: String, for account: String) throws(KeychainError) {
        try save(Data(text.utf8), for: account)
    }

    /// Keeps `text` for `account`, for which nothing is kept yet.
    ///
    /// ```swift
    /// try keychain.add("hunter2", for: "alice")
    /// ```
    public func add(_ text: String, for account: String) throws(KeychainError) {
        try add(Data(text.utf8), for: account)
    }

    /// Keeps `text` for `account` in place of what is kept.
    ///
    /// ```swift
    /// try keychain.update("hunter3", for: "alice")
    /// ```
    public func update(_ text: String, for account: String) throws(KeychainError) {
        try update(Data(text.utf8), for: account)
    }

    /// The text that is kept for `account`.
    ///
    /// ```swift
    /// let password = try keychain.readString(for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/unexpectedData`` when it is not UTF-8.
    public func readString(for account: String) throws(KeychainError) -> String {
        let data = try read(for: account)
        let text = String(decoding: data, as: UTF8.self)
        // Decoding mends what is no UTF-8; a password must not be mended.
        guard text.utf8.elementsEqual(data) else { throw .unexpectedData }
        return text
    }

    /// Keeps `value` for `account`, whether or not there was something before.
    ///
    /// ```swift
    /// try keychain.save(Session(token: "t", expires: .now), for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/invalidData`` when it cannot be encoded.
    public func save<Value: Encodable>(_ value: Value, for account: String) throws(KeychainError) {
        try save(try encoded(value), for: account)
    }

    /// Keeps `value` for `account`, for which nothing is kept yet.
    ///
    /// ```swift
    /// try keychain.add(Session(token: "t", expires: .now), for: "alice")
    /// ```
    public func add<Value: Encodable>(_ value: Value, for account: String) throws(KeychainError) {
        try add(try encoded(value), for: account)
    }

    /// Keeps `value` for `account` in place of what is kept.
    ///
    /// ```swift
    /// try keychain.update(Session(token: "t", expires: .now), for: "alice")
    /// ```
    public func update<Value: Encodable>(_ value: Value, for account: String) throws(KeychainError) {
        try update(try encoded(value), for: account)
    }

    /// The value that is kept for `account`.
    ///
    /// ```swift
    /// let session = try keychain.read(Session.self, for: "alice")
    /// ```
    ///
    /// - Throws: ``KeychainError/unexpectedData`` when it is something else.
    public func read<Value: Decodable>(
        _ type: Value.Type = Value.self,
        for account: String
    ) throws(KeychainError) -> Value {
        let data = try read(for: account)
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw .unexpectedData
        }
    }

    func encoded<Value: Encodable>(_ value: Value) throws(KeychainError) -> Data {
        let encoder = JSONEncoder()
        // One value, one text: an item that did not change is the same line for pass and git.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw .invalidData
        }
    }
}
