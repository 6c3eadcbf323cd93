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
        let tooLong = item(String(repeating: "n", count: 65_537))
        #expect(SecItemAdd(tooLong as CFDictionary, nil) == errSecDataTooLarge)
        try Data("nobody@example.org\n".utf8).write(to: URL(fileURLWithPath: keyring.home + "/store/.gpg-id"))
        let another = item("c").merging([kSecValueData: Data("marker-secret".utf8)]) { $1 }
        #expect(SecItemAdd(another as CFDictionary, nil) == errSecNotAvailable)
    }

    @Test func failuresAreLoggedWithTheirEntryAndWithoutASecret() async throws {
        let run = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.damage("1")
        }
        let text = String(decoding: try #require(run).standardErrorContent, as: UTF8.self)
        #expect(text.contains("keychain: copy: s/b.gpg: decryption failed"))
        #expect(text.contains("keychain: add: s/a: exists"))
        #expect(text.contains("keychain: add: acct has 65537 bytes; 65536 are allowed"))
        #expect(text.contains("nobody@example.org: unknown"), "\(text)")
        #expect(!text.contains("marker-secret"))
    }

    private static func callWrongly() throws {
        let keyring = try Sandbox.enter(["KEYCHAIN_LOG": "1", "KEYCHAIN_ACCESS_GROUPS": "mine"])
        defer { withExtendedLifetime(keyring) {} }
        func query(_ more: [String: Any]) -> CFDictionary {
            ["class": "genp", "svce": "s", "acct": "a"].merging(more) { $1 } as CFDictionary
        }
        let secret = "marker-secret"
        #expect(SecItemCopyMatching(query(["r_Data": "yes"]), nil) == errSecParam)
        #expect(SecItemCopyMatching(query(["sync": "marker-value"]), nil) == errSecParam)
        #expect(SecItemCopyMatching(["svce": "s"] as CFDictionary, nil) == errSecParam)
        #expect(SecItemCopyMatching(query(["v_PersistentRef": Data("short".utf8)]), nil) == errSecParam)
        #expect(SecItemCopyMatching(query(["x_Nothing": 1]), nil) == errSecParam)
        #expect(SecItemAdd(query(["v_Data": secret]), nil) == errSecParam)
        #expect(SecItemAdd(query(["agrp": "theirs"]), nil) == errSecMissingEntitlement)
        #expect(SecItemUpdate(query([:]), ["xxxx": secret] as CFDictionary) == errSecNoSuchAttr)
        #expect(SecItemDelete(query(["m_ItemList": [secret]])) == errSecParam)
        #expect(SecItemDelete(["class": "none"] as CFDictionary) == errSecNoSuchClass)
        #expect(SecItemCopyMatching(query([:]), nil) == errSecItemNotFound)
    }

    @Test("a call that is refused is logged with the key that it is due to, without a value")
    func aRefusedCallIsLogged() async throws {
        let run = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.callWrongly()
        }
        let lines = String(decoding: try #require(run).standardErrorContent, as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("keychain:") }
        let starts = [
            "copy: r_Data: ", "copy: sync: ", "copy: class: ", "copy: v_PersistentRef: ", "copy: x_Nothing: ",
            "add: v_Data: ", "add: agrp: 'theirs' ", "update: xxxx: ", "delete: m_ItemList: ",
            "delete: class: ",
        ]
        let statuses = [-50, -50, -50, -50, -50, -50, -34018, -25303, -50, -25306]
        #expect(lines.count == starts.count, "\(lines)")
        for (line, (start, status)) in zip(lines, zip(starts, statuses)) {
            #expect(line.hasPrefix("keychain: \(start)") && line.hasSuffix(" (\(status))"), "\(line)")
            #expect(!line.contains("marker"))
        }
    }

    private static func refuseACommit() throws {
        let keyring = try Sandbox.enter(["KEYCHAIN_LOG": "1"])
        let store = keyring.home + "/store"
        func git(_ words: String...) throws { _ = try keyring.run("git", ["-C", store] + words) }
        func add(_ account: String) {
            let attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: account,
                kSecValueData: Data("marker-secret".utf8),
            ]
            #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
        }
        try git("init", "-q")
        try git("config", "user.email", "test@example.org")
        try git("config", "user.name", "")
        try git("config", "user.useConfigOnly", "true")
        add("a")
        try git("config", "user.name", "Test")
        add("b")
    }

    @Test func aCommitThatFailsIsLoggedAndSoIsThatTheNextChangeMadeIt() async throws {
        let run = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try Self.refuseACommit()
        }
        let lines = String(decoding: try #require(run).standardErrorContent, as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("keychain:") }
        #expect(lines.count == 2)
        #expect(
            lines.first?.hasPrefix("keychain: add: saved, but not committed: git ended with status 128: ")
                == true
        )
        #expect(lines.last == "keychain: add: what an earlier change left uncommitted is committed now")
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
