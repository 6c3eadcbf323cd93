import KeychainKit
import Security

/// A keychain with the name of a status.
public func purse() -> Keychain { Keychain(service: "\(errSecDuplicateItem)") }
