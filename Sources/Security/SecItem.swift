public import Foundation

// Each function has a second form for callers whose result is an `AnyObject?`; both compile, as on Apple's systems.

/// Adds an item.
///
/// ```swift
/// let status = SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app",
///     kSecAttrAccount: "alice", kSecValueData: Data("hunter2".utf8)] as CFDictionary, nil)
/// ```
///
/// - Parameters:
///   - attributes: the class, attributes and secret of the item, and what is wanted of it.
///   - result: receives what is wanted; nil for nothing.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` when its primary key is taken; any status of a query.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    unsafe answer(.add, into: result) { () throws(StatusError) in
        try Keychain.current.add(ItemQuery(attributes, for: .add))
    }
}

/// Adds an item; see the other form.
@discardableResult
@_disfavoredOverload
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    unsafe answer(.add, into: result) { () throws(StatusError) in
        try Keychain.current.add(ItemQuery(attributes, for: .add))
    }
}

/// Finds items, and answers what is wanted of them.
///
/// ```swift
/// var result: CFTypeRef?
/// let status = SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app",
///     kSecAttrAccount: "alice", kSecReturnData: true] as CFDictionary, &result)
/// let secret = result as? Data
/// ```
///
/// - Parameters:
///   - query: the class and attributes that items must have, how many are wanted, and what of them.
///   - result: receives what is wanted, of the oldest item or, with `kSecMatchLimitAll`, in an array; it stays as it
///     is for every status but success.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; any status of a query.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{
    unsafe answer(.copy, into: result) { () throws(StatusError) in
        try Keychain.current.copy(ItemQuery(query, for: .copy))
    }
}

/// Finds items; see the other form.
@discardableResult
@_disfavoredOverload
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?)
    -> OSStatus
{
    unsafe answer(.copy, into: result) { () throws(StatusError) in
        try Keychain.current.copy(ItemQuery(query, for: .copy))
    }
}

/// Changes every item that matches, or none.
///
/// - Parameters:
///   - query: the class and attributes that items must have.
///   - attributesToUpdate: their new attributes and secret.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; `errSecDuplicateItem` when a new primary
///   key is taken; any status of a query.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    status(.update) { () throws(StatusError) in
        let query = try ItemQuery(query, for: .update)
        try Keychain.current.update(query, ItemChanges(attributesToUpdate, to: query.itemClass))
    }
}

/// Removes every item that matches.
///
/// Entries that no keychain program made are removed only by a query that names both service (or server) and account.
///
/// - Parameter query: the class and attributes that items must have.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; any status of a query.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    status(.delete) { () throws(StatusError) in try Keychain.current.remove(ItemQuery(query, for: .delete)) }
}

private func status(_ operation: ItemQuery.Operation, _ body: () throws(StatusError) -> Void) -> OSStatus {
    do throws(StatusError) {
        try body()
        return errSecSuccess
    } catch {
        if let line = error.line { Keychain.current.log.write(operation, line) }
        return error.status
    }
}

private func answer<Object: AnyObject>(
    _ operation: ItemQuery.Operation,
    into result: UnsafeMutablePointer<Object?>?,
    _ body: () throws(StatusError) -> NSObject?
) -> OSStatus {
    status(operation) { () throws(StatusError) in
        let object = try body()
        if let result = unsafe result { unsafe result.pointee = object as? Object }
    }
}
