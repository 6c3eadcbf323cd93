import Foundation
import Security
import ClientIdioms5
import ClientIdioms6
import Testing

/// The programs of `ClientIdioms`, in both language modes.
@Suite struct ClientIdiomTests {
    @Test func anyObjectQueriesSaveAndGet() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            #expect(
                ClientIdioms6.AnyObjectQueries.save("hunter2", service: "s", account: "a") == errSecSuccess
            )
            #expect(
                ClientIdioms5.AnyObjectQueries.save("hunter3", service: "s", account: "a")
                    == errSecDuplicateItem
            )
            #expect(ClientIdioms5.AnyObjectQueries.get(service: "s", account: "a") == "hunter2")
            #expect(ClientIdioms6.AnyObjectQueries.get(service: "s", account: "a") == "hunter2")
            #expect(
                ClientIdioms5.AnyObjectQueries.getThroughAPointer(service: "s", account: "a")
                    == Data("hunter2".utf8)
            )
            #expect(
                ClientIdioms6.AnyObjectQueries.getThroughAPointer(service: "s", account: "a")
                    == Data("hunter2".utf8)
            )
            #expect(ClientIdioms6.AnyObjectQueries.get(service: "s", account: "b") == nil)
            #expect(ClientIdioms6.AnyObjectQueries.delete(service: "s", account: "a"))
            #expect(!ClientIdioms5.AnyObjectQueries.delete(service: "s", account: "a"))
        }
    }

    @Test func credentialsAreCreatedReadAndUpdated() async {
        await #expect(processExitsWith: .success) {
            typealias Five = ClientIdioms5.CredentialQueries
            typealias Six = ClientIdioms6.CredentialQueries
            try Sandbox.enter()
            #expect(throws: Six.Failure.noPassword) { try Six.read(server: "example.org") }
            #expect(throws: Five.Failure.noPassword) {
                try Five.update(.init(username: "a", password: "b"), server: "h")
            }
            try Five.create(.init(username: "alice", password: "hunter2"), server: "example.org")
            #expect(try Six.read(server: "example.org") == .init(username: "alice", password: "hunter2"))
            try Six.update(.init(username: "bob", password: "hunter3"), server: "example.org")
            #expect(try Five.read(server: "example.org") == .init(username: "bob", password: "hunter3"))
            #expect(throws: Six.Failure.unhandledError(status: errSecDuplicateItem)) {
                try Six.create(.init(username: "bob", password: ""), server: "example.org")
            }
        }
    }

    @Test func aDuplicateFallsThroughToAnUpdate() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            let first = ClientIdioms6.CFStringQueries.store(Data([1]), service: "s", account: "a")
            #expect(first == (errSecSuccess, false))
            let second = ClientIdioms5.CFStringQueries.store(Data([2]), service: "s", account: "a")
            #expect(second == (errSecSuccess, true))
            #expect(
                ClientIdioms5.CFStringQueries.store(Data([3]), service: "s", account: "b") == (
                    errSecSuccess, false
                )
            )
            for items in [
                ClientIdioms5.CFStringQueries.load(service: "s"),
                ClientIdioms6.CFStringQueries.load(service: "s"),
            ] {
                #expect(items.map(\.account) == ["a", "b"])
                #expect(items.map(\.data) == [Data([2]), Data([3])])
            }
            SecItemUpdate(
                [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a"]
                    as CFDictionary,
                [kSecAttrLabel: "L"] as CFDictionary
            )
            #expect(ClientIdioms5.CFStringQueries.label(service: "s") == ["L", "L"])
            #expect(ClientIdioms6.CFStringQueries.label(service: "s") == ["L", "L"])
            #expect(
                ClientIdioms6.CFStringQueries.message(errSecItemNotFound)
                    == "The specified item could not be found in the keychain."
            )
        }
    }

    @Test func jsonValuesAreAddedOrUpdatedAndRead() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            typealias Five = ClientIdioms5.JSONQueries
            typealias Six = ClientIdioms6.JSONQueries
            #expect(try Six.get(Six.Session.self, for: "session", service: "s") == nil)
            #expect(
                try Five.set(Five.Session(token: "t", scopes: ["a"]), for: "session", service: "s")
                    == errSecSuccess
            )
            #expect(
                try Six.get(Six.Session.self, for: "session", service: "s")
                    == .init(token: "t", scopes: ["a"])
            )
            #expect(
                try Six.set(Six.Session(token: "u", scopes: []), for: "session", service: "s")
                    == errSecSuccess
            )
            #expect(
                try Five.get(Five.Session.self, for: "session", service: "s") == .init(token: "u", scopes: [])
            )
        }
    }

    @Test func valuesAreKeyedByTheGenericAttribute() async {
        await #expect(processExitsWith: .success) {
            try Sandbox.enter()
            typealias Five = ClientIdioms5.GenericQueries
            typealias Six = ClientIdioms6.GenericQueries
            #expect(Five.set(Data("1".utf8), for: "k", service: "s"))
            #expect(Six.set(Data("2".utf8), for: "k", service: "s"))
            #expect(Six.set(Data("3".utf8), for: "other", service: "s"))
            #expect(Five.data(for: "k", service: "s") == Data("2".utf8))
            #expect(Six.keys(service: "s") == ["k", "other"])
            #expect(Five.keys(service: "s") == ["k", "other"])
            Six.wipe()
            #expect(Six.keys(service: "s").isEmpty)
        }
    }

    @Test func accessControlsAndTheirErrors() {
        typealias Five = ClientIdioms5.AccessControls
        typealias Six = ClientIdioms6.AccessControls
        #expect(Six.make(kSecAttrAccessibleWhenUnlocked as String, .userPresence).0 != nil)
        #expect(Five.make("zz", []).1 == Int(errSecParam))
        #expect(Six.make("ak", [.or, .and]).1 == Int(errSecParam))
        #expect(Six.random(32)?.count == 32)
        #expect(Five.random(32) != Five.random(32))
    }
}
