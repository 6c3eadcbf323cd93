import Foundation
import Security
import TestSupport
import Testing

/// What `KEYCHAIN_LOG=1` tells, and what it never does.
@Suite struct KeychainLogTests {
    private static func damage(_ log: String) throws {
        let keyring = try Sandbox.enter(["KEYCHAIN_LOG": log])
        func item(_ account: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: account]
        }
        let attributes = item("a").merging([kSecValueData: Data("marker-secret".utf8)]) { $1 }
        #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
        try Data("noise".utf8).write(to: URL(fileURLWithPath: keyring.home + "/store/s/b.gpg"))
        var result: CFTypeRef?
        let read = item("b").merging([kSecReturnData: true]) { $1 }
        #expect(SecItemCopyMatching(read as CFDictionary, &result) == errSecDecode)
        #expect(result == nil)
        #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecDuplicateItem)
    }

    @Test func failuresAreLoggedWithTheirEntryAndWithoutASecret() async throws {
        let run = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.damage("1")
        }
        let text = String(decoding: try #require(run).standardErrorContent, as: UTF8.self)
        #expect(text.contains("keychain: copy: s/b.gpg: decryption failed"))
        #expect(text.contains("keychain: add: s/a: exists"))
        #expect(!text.contains("marker-secret"))
    }

    @Test func nothingIsLoggedUnasked() async throws {
        let run = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.damage("0")
        }
        #expect(
            !String(decoding: try #require(run).standardErrorContent, as: UTF8.self).contains("keychain:")
        )
    }
}
