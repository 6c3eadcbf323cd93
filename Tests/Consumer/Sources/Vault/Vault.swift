import Security
import Wallet

/// The words of a locked vault.
public func unlock() -> String { words(of: errSecAuthFailed) }
