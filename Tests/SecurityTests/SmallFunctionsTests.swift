import Foundation
import Testing

@testable import Security

@Suite struct SecRandomTests {
    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func itFillsExactlyTheBytesThatItIsGiven(_ count: Int) {
        var bytes = [UInt8](repeating: 0, count: count + 8)
        #expect(SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
        #expect(bytes.suffix(8).allSatisfy { $0 == 0 })
        if count > 200 { #expect(Set(bytes.prefix(count)).count > 50) }
    }

    @Test func twoCallsDiffer() {
        var one = [UInt8](repeating: 0, count: 16)
        var other = one
        SecRandomCopyBytes(nil, 16, &one)
        SecRandomCopyBytes(nil, 16, &other)
        #expect(one != other)
    }

    @Test func aNegativeCountIsAParameterError() {
        var byte: UInt8 = 7
        #expect(SecRandomCopyBytes(nil, -1, &byte) == errSecParam)
        #expect(byte == 7)
    }
}

@Suite struct SharedWebCredentialPasswordTests {
    @Test func itHasFourGroupsOfThreeWithLettersAndDigits() throws {
        var seen: Set<String> = []
        for _ in 0..<200 {
            let password = try #require(SecCreateSharedWebCredentialPassword() as String?)
            #expect(password.wholeMatch(of: /[a-zA-Z3-9]{3}(-[a-zA-Z3-9]{3}){3}/) != nil)
            #expect(!password.contains { "ijlzIO012".contains($0) })
            #expect(password.contains { $0.isLowercase } && password.contains { $0.isUppercase })
            #expect(password.contains { $0.isNumber })
            seen.insert(password)
        }
        #expect(seen.count == 200)
    }
}

@Suite struct SecAccessControlTests {
    private func make(_ protection: String, _ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, protection as NSString, flags, nil)
    }

    @Test(
        arguments: [
            ("ak", [], true), ("akpu", .userPresence, true),
            ("cku", [.biometryAny, .or, .devicePasscode], true),
            ("aku", [.userPresence, .applicationPassword], true),
            ("aku", [.userPresence, .privateKeyUsage], true),
            ("zz", [], false), ("f", [], false), ("ak", [.or, .and], false),
            ("ak", [.biometryAny, .biometryCurrentSet], false),
            ("ak", [.userPresence, .devicePasscode], false), ("ak", [.userPresence, .watch], false),
        ] as [(String, SecAccessControlCreateFlags, Bool)]
    )
    func whichFlagsGoTogether(_ protection: String, _ flags: SecAccessControlCreateFlags, _ isValid: Bool) {
        #expect((make(protection, flags) != nil) == isValid)
    }

    @Test func anErrorIsGivenWhereOneIsWanted() {
        var error: Unmanaged<CFError>?
        #expect(SecAccessControlCreateWithFlags(kCFAllocatorDefault, "zz" as NSString, [], &error) == nil)
        let failure = error?.takeRetainedValue()
        #expect(failure?.domain == NSOSStatusErrorDomain)
        #expect(failure?.code == Int(errSecParam))
    }

    @Test func equalOnesAreEqual() {
        #expect(make("ak", .userPresence) == make("ak", .userPresence))
        #expect(make("ak", .userPresence)?.hash == make("ak", .userPresence)?.hash)
        #expect(make("ak", .userPresence) != make("aku", .userPresence))
        #expect(make("ak", []) != make("ak", .userPresence))
        #expect(make("ak", []) != SecAccessControl(AccessRule(protection: .whenUnlocked, flags: nil)))
    }

    @Test func flagsHaveApplesBits() {
        let bits: [(SecAccessControlCreateFlags, UInt)] = [
            (.userPresence, 1), (.biometryAny, 2), (.touchIDAny, 2), (.biometryCurrentSet, 8),
            (.touchIDCurrentSet, 8),
            (.devicePasscode, 16), (.watch, 32), (.or, 1 << 14), (.and, 1 << 15), (.privateKeyUsage, 1 << 30),
            (.applicationPassword, 1 << 31),
        ]
        for (flag, bit) in bits { #expect(flag.rawValue == bit) }
    }
}

@Suite struct CoreFoundationNamesTests {
    @Test func aFoundationStringIsTheSameKeyAsASwiftOne() {
        #expect(AnyHashable(NSString("acct")) == AnyHashable("acct"))
        let attributes: [AnyHashable: Any] = ["acct": "alice"]
        #expect(attributes[kSecAttrAccount] as? String == "alice")
        let others: [AnyHashable: Any] = [kSecAttrAccount: "alice"]
        #expect(others["acct"] as? String == "alice")
    }

    @Test func anAnswerCanBeAskedByKey() {
        let answer: CFTypeRef = ["v_Data": Data([1])] as NSDictionary
        #expect(answer[kSecValueData as String] as? Data == Data([1]))
        #expect((Data() as NSData as CFTypeRef)["v_Data"] == nil)
    }

    @Test func mutableDictionariesTakeValuesByKey() {
        let query = NSMutableDictionary()
        query.setValue("alice", forKey: kSecAttrAccount as String)
        #expect(query["acct"] as? String == "alice")
        query.setValue(nil, forKey: "acct")
        #expect(query.count == 0)
    }

    @Test func booleansAndErrors() {
        #expect(kCFBooleanTrue.boolValue && !kCFBooleanFalse.boolValue)
        let error = NSError(domain: "d", code: 5, userInfo: ["k": "v"])
        #expect(CFErrorGetDomain(error) as String == "d")
        #expect(CFErrorGetCode(error) == 5)
        #expect(CFErrorCopyUserInfo(error)["k"] as? String == "v")
        #expect((CFErrorCopyDescription(error) as String).isEmpty == false)
        #expect(noErr == errSecSuccess)
    }
}
