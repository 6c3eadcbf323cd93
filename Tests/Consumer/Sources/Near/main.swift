import KeychainKit
import Security
import Wallet

print(Keychain(service: "s").service, words(of: errSecSuccess))
