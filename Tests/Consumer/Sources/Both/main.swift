import KeychainKit
import Security

print(Keychain(service: "com.example.app").service, errSecItemNotFound)
