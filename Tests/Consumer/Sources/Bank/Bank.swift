import Security
import Vault
import Wallet

/// The words of two statuses.
public func business() -> [String] { [words(of: errSecSuccess), unlock()] }
