public import Foundation
public import Security

/// Why the keychain could not do what it was asked for.
///
/// ```swift
/// do {
///     try Keychain.shared.add("hunter2", for: "alice")
/// } catch .duplicateItem {
///     // there is one already
/// }
/// ```
public enum KeychainError: Error, Hashable, Sendable {
    /// An item with the same service and account exists.
    case duplicateItem
    /// There is no such item.
    case notFound
    /// The item holds something else than was asked for, as bytes that are no text.
    case unexpectedData
    /// The keychain is locked, and nobody can be asked to unlock it.
    case locked
    /// The user cancelled.
    case cancelled
    /// The program may not use the item, its access group, or the key that protects it.
    case notAllowed
    /// What was given cannot be kept: too long, not encodable, or against the policy.
    case invalidData
    /// Any other status, with its message.
    case unhandled(OSStatus, message: String)
}

extension KeychainError {
    /// The error for a status; nil for success.
    public init?(status: OSStatus) {
        switch status {
        case errSecSuccess: return nil
        case errSecDuplicateItem: self = .duplicateItem
        case errSecItemNotFound: self = .notFound
        case errSecDecode: self = .unexpectedData
        case errSecInteractionNotAllowed: self = .locked
        case errSecUserCanceled: self = .cancelled
        case errSecAuthFailed, errSecMissingEntitlement, errSecWrPerm, errSecReadOnly: self = .notAllowed
        case errSecDataTooLarge, errSecParam: self = .invalidData
        default:
            let message = SecCopyErrorMessageString(status, nil).map { $0 as String }
            self = .unhandled(status, message: message ?? "OSStatus \(status)")
        }
    }

    /// The status that says the same; of several that became one error, the most usual.
    public var status: OSStatus {
        switch self {
        case .duplicateItem: errSecDuplicateItem
        case .notFound: errSecItemNotFound
        case .unexpectedData: errSecDecode
        case .locked: errSecInteractionNotAllowed
        case .cancelled: errSecUserCanceled
        case .notAllowed: errSecAuthFailed
        case .invalidData: errSecParam
        case .unhandled(let status, _): status
        }
    }
}

extension KeychainError: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .duplicateItem: "An item with this account exists already."
        case .notFound: "There is no such item in the keychain."
        case .unexpectedData: "The item holds something else than was expected."
        case .locked: "The keychain is locked, and there is no way to ask for its passphrase."
        case .cancelled: "The request was cancelled."
        case .notAllowed: "Access to the item is not allowed."
        case .invalidData: "This cannot be kept in the keychain."
        case .unhandled(_, let message): message
        }
    }
}
