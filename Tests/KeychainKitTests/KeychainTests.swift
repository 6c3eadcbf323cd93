import Foundation
import KeychainKit
import Security
import TestSupport
import Testing

/// A value that is kept as JSON.
private struct Session: Codable, Equatable {
    var token: String
    var expires: Date
}

@Suite struct KeychainTests {
    @Test func savingCreatesAndThenUpdates() async {
        await #expect(processExitsWith: .success) {
            let keyring = try Sandbox.enter()
            let keychain = KeychainKit.Keychain(service: "com.example.app")
            #expect(try !keychain.contains("alice"))
            try keychain.save("hunter2", for: "alice")
            #expect(try keychain.readString(for: "alice") == "hunter2")
            try keychain.save(Data([0, 255]), for: "alice")
            #expect(try keychain.read(for: "alice") == Data([0, 255]))
            #expect(throws: KeychainError.unexpectedData) { try keychain.readString(for: "alice") }
            #expect(try keychain.contains("alice"))
            try keychain.save("hunter3", for: "alice")
            #expect(try Sandbox.contents("com.example.app/alice", keyring).hasPrefix("hunter3\n"))
        }
    }

    @Test func addingUpdatingAndRemovingAreStrict() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            let keychain = KeychainKit.Keychain(service: "s")
            #expect(throws: KeychainError.notFound) { try keychain.read(for: "a") }
            #expect(throws: KeychainError.notFound) { try keychain.update("x", for: "a") }
            #expect(throws: KeychainError.notFound) { try keychain.remove("a") }
            try keychain.add("x", for: "a")
            #expect(throws: KeychainError.duplicateItem) { try keychain.add("y", for: "a") }
            #expect(try keychain.readString(for: "a") == "x")
            try keychain.update("z", for: "a")
            #expect(try keychain.readString(for: "a") == "z")
            try keychain.remove("a")
            #expect(try !keychain.contains("a"))
            #expect(throws: KeychainError.invalidData) {
                try keychain.add("x", for: String(repeating: "a", count: 65_537))
            }
            let long = String(repeating: "a", count: 65_536)
            try keychain.save("x", for: long)
            try keychain.save("y", for: long)
            #expect(try keychain.readString(for: long) == "y")
            #expect(try keychain.accounts() == [long])
        }
    }

    @Test func codableValuesAreKeptAsJSON() async {
        await #expect(processExitsWith: .success) {
            let keyring = try Sandbox.enter()
            let keychain = KeychainKit.Keychain(service: "s")
            let session = Session(token: "t/1", expires: Date(timeIntervalSinceReferenceDate: 5))
            try keychain.save(session, for: "a")
            #expect(try keychain.read(Session.self, for: "a") == session)
            #expect(try Sandbox.contents("s/a", keyring).hasPrefix(#"{"expires":5,"token":"t/1"}"#))
            try keychain.save([1, 2, 3], for: "b")
            let numbers: [Int] = try keychain.read(for: "b")
            #expect(numbers == [1, 2, 3])
            #expect(throws: KeychainError.unexpectedData) { try keychain.read(Session.self, for: "b") }
            #expect(throws: KeychainError.invalidData) { try keychain.save(Double.nan, for: "c") }
            #expect(try !keychain.contains("c"))
        }
    }

    @Test func servicesAndGroupsAreKeptApart() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            let one = KeychainKit.Keychain(service: "one")
            let other = KeychainKit.Keychain(service: "other")
            let team = KeychainKit.Keychain(service: "one", accessGroup: "team")
            for (keychain, value) in [(one, "1"), (other, "2"), (team, "3")] {
                try keychain.save(value, for: "a")
            }
            try one.save("4", for: "b")
            #expect(try team.accounts() == ["a"])
            #expect(try other.accounts() == ["a"])
            #expect(try team.readString(for: "a") == "3")
            try other.removeAll()
            try other.removeAll()
            #expect(try other.accounts().isEmpty)
            #expect(
                try KeychainKit.Keychain(service: "one", accessGroup: "default").accounts() == ["a", "b"]
            )
            #expect(!KeychainKit.Keychain.shared.service.isEmpty)
        }
    }

    @Test func tokensAreKeptApartByTheirKey() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            let keychain = KeychainKit.Keychain(service: "s")
            try keychain.saveToken(Data("1".utf8), key: "access")
            try keychain.saveToken(Data("2".utf8), key: "refresh")
            try keychain.saveToken(Data("3".utf8), key: "access")
            #expect(try keychain.readToken(key: "access") == Data("3".utf8))
            #expect(try keychain.readToken(key: "refresh") == Data("2".utf8))
            try keychain.removeToken(key: "access")
            #expect(throws: KeychainError.notFound) { try keychain.readToken(key: "access") }
            #expect(try keychain.readToken(key: "refresh") == Data("2".utf8))
            try keychain.save("password", for: "alice")
            #expect(throws: KeychainError.duplicateItem) { try keychain.saveToken(Data(), key: "alice") }
            #expect(try keychain.readString(for: "alice") == "password")
        }
    }

    @Test func credentialsAreCreatedVerifiedAndChanged() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            let keychain = KeychainKit.Keychain(service: "s")
            let alice = Credentials(account: "alice", password: "hunter2!")
            #expect(throws: KeychainError.notFound) { try Credentials.read("alice", from: keychain) }
            #expect(throws: KeychainError.notFound) { try alice.verify(in: keychain) }
            #expect(throws: KeychainError.invalidData) {
                try Credentials(account: "alice", password: "short").create(in: keychain, policy: .standard)
            }
            try alice.create(in: keychain, policy: .standard)
            #expect(throws: KeychainError.duplicateItem) { try alice.create(in: keychain) }
            #expect(try Credentials.read("alice", from: keychain) == alice)
            #expect(try alice.verify(in: keychain))
            let wrong = Credentials(account: "alice", password: "hunter3!")
            #expect(try !wrong.verify(in: keychain))
            #expect(throws: KeychainError.notAllowed) { try wrong.change(to: "hunter4!", in: keychain) }
            #expect(throws: KeychainError.invalidData) { try alice.change(to: "weak", in: keychain) }
            #expect(try alice.verify(in: keychain))
            try alice.change(to: "hunter4!", in: keychain)
            #expect(try keychain.readString(for: "alice") == "hunter4!")
            try Credentials(account: "alice", password: "any").update(in: keychain)
            #expect(try keychain.readString(for: "alice") == "any")
        }
    }

    @Test func credentialsDoNotShowTheirPassword() {
        let alice = Credentials(account: "alice", password: "hunter2!")
        var dumped = ""
        dump(alice, to: &dumped)
        #expect(!"\(alice) \(String(reflecting: alice)) \(dumped)".contains("hunter2!"))
        #expect("\(alice)".contains("alice"))
    }
}

@Suite struct KeychainErrorTests {
    @Test(
        arguments: [
            (errSecDuplicateItem, .duplicateItem), (errSecItemNotFound, .notFound),
            (errSecDecode, .unexpectedData),
            (errSecInteractionNotAllowed, .locked), (errSecUserCanceled, .cancelled),
            (errSecAuthFailed, .notAllowed),
            (errSecMissingEntitlement, .notAllowed), (errSecParam, .invalidData),
            (errSecDataTooLarge, .invalidData),
            (errSecDiskFull, .unhandled(errSecDiskFull, message: "The disk is full.")),
            (12_345, .unhandled(12_345, message: "OSStatus 12345")),
        ] as [(OSStatus, KeychainError)]
    )
    func eachStatusIsAnErrorWithADescription(_ status: OSStatus, _ error: KeychainError) {
        #expect(KeychainError(status: status) == error)
        #expect(error.errorDescription?.isEmpty == false)
        #expect(error.localizedDescription == error.errorDescription)
        if case .unhandled = error { #expect(error.status == status) }
    }

    @Test func successIsNoError() {
        #expect(KeychainError(status: errSecSuccess) == nil)
        for error in [
            KeychainError.duplicateItem, .notFound, .unexpectedData, .locked, .cancelled, .notAllowed,
            .invalidData,
        ] {
            #expect(KeychainError(status: error.status) == error)
        }
    }
}

@Suite struct PasswordPolicyTests {
    @Test(
        arguments: [
            ("hunter2!", nil), ("a1!aaaaa", nil), ("A1-aaaaaaaaaaaaa", nil), ("hunter2", .length(7)),
            ("a1!aaaaaaaaaaaaaa", .length(17)), ("hunter22", .missing(.symbol)),
            ("hunters!", .missing(.digit)),
            ("1234567!", .missing(.letter)), ("hunter2! ", .forbidden(" ")), ("hünter2!", .forbidden("ü")),
            ("hunter2!b\u{302}", .forbidden("b\u{302}")), ("hunters!1\u{20E3}", .missing(.digit)),
            ("hunter2?!", .forbidden("?")), ("", .length(0)),
        ] as [(String, PasswordPolicy.Fault?)]
    )
    func theStandardPolicy(_ password: String, _ fault: PasswordPolicy.Fault?) {
        #expect(PasswordPolicy.standard.accepts(password) == (fault == nil))
        guard let fault else { return }
        #expect(throws: fault) { try PasswordPolicy.standard.check(password) }
    }

    @Test func everySymbolOfTheStandardPolicyCounts() {
        for symbol in "!@#$%^&*()_+=-" { #expect(PasswordPolicy.standard.accepts("hunter2\(symbol)")) }
    }

    @Test func policiesOfOnesOwn() {
        let cases = PasswordPolicy(length: 2...64, required: [.lowercase, .uppercase])
        #expect(cases.accepts("aB"))
        #expect(cases.accepts("aB é 🐘"))
        #expect(!cases.accepts("ab"))
        let pattern = PasswordPolicy(length: 0...99, pattern: "[a-z]+-[a-z]+")
        #expect(pattern.accepts("correct-horse"))
        #expect(!pattern.accepts("correct-horse-battery"))
        #expect(!PasswordPolicy(length: 0...99, pattern: "[").accepts("x"))
    }
}
