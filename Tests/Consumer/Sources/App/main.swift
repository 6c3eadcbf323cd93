import Foundation
import Security

let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: Bundle.main.bundleIdentifier ?? "none",
    kSecAttrAccount: "alice",
]
let attributes = item.merging([kSecValueData: Data("hunter2".utf8), kSecReturnAttributes: true]) { $1 }
var result: CFTypeRef?
let status = SecItemAdd(attributes as CFDictionary, &result)
let key = Bundle.main.object(forInfoDictionaryKey: "ExampleAPIKey") as? String
print(status, (result as? [String: Any])?[kSecAttrAccessGroup as String] ?? "-", key ?? "-")
