import Foundation
import Glibc
import TestSupport
import Testing

@testable import Security

/// A program killed at moments that nobody chose; `KEYCHAIN_KILLS` says how often.
@Suite(.serialized) struct KillTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["KEYCHAIN_KILLS"].flatMap(Int.init) ?? 50

    private static let accounts = ["a", "b", "c"]

    /// What a process is told that will not live long.
    private struct Order: Codable, Sendable {
        let variables: [String]
        let round: Int
        let microseconds: UInt32

        func enter() {
            for pair in variables {
                let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
                setenv(words[0], words.count > 1 ? words[1] : "", 1)
            }
        }
    }

    /// Updates items for as long as it is let: one, all of them, their names, and back.
    private static func update(_ order: Order) {
        order.enter()
        // The first call makes itself at home; the moment is to lie in the work.
        _ = SecItemCopyMatching(item("none", "none") as CFDictionary, nil)
        Thread.detachNewThread {
            usleep(order.microseconds)
            kill(getpid(), SIGKILL)
        }
        while true {
            let value = ["v_Data": secret("value \(order.round)")]
            SecItemUpdate(item("a", "s") as CFDictionary, value as CFDictionary)
            SecItemUpdate(genp(["svce": "s"]) as CFDictionary, ["icmt": "\(order.round)"] as CFDictionary)
            SecItemUpdate(item("b", "s") as CFDictionary, ["svce": "t"] as CFDictionary)
            SecItemUpdate(genp(["svce": "s"]) as CFDictionary, ["svce": "u"] as CFDictionary)
            SecItemUpdate(item("b", "t") as CFDictionary, ["svce": "s"] as CFDictionary)
            SecItemUpdate(genp(["svce": "u"]) as CFDictionary, ["svce": "s"] as CFDictionary)
        }
    }

    @Test func noItemIsEverLost() async throws {
        let store = try TestKeychain(git: true)
        for account in Self.accounts {
            let attributes = ["v_Data": secret("value of \(account)"), "icmt": "none"] as [String: Any]
            #expect(store.add(item(account, "s", attributes)).status == errSecSuccess)
        }
        var random = SeededGenerator.forTest()
        for round in 0..<Self.rounds {
            let order = Order(
                variables: store.variables + ["XDG_CACHE_HOME=\(store.folder).cache"],
                round: round,
                microseconds: .random(in: 0..<250_000, using: &random)
            )
            await #expect(processExitsWith: .signal(SIGKILL)) { [order = order as Order] in
                Self.update(order)
            }
            try checkAll(store, "round \(round), \(random)")
        }
        #expect(store.delete(item("last", "s")) == errSecItemNotFound)
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
        #expect(try store.git(["fsck", "--strict"]).isEmpty)
        #expect(try store.leftovers.isEmpty)
    }

    /// Has the next change finish what was interrupted, and looks at every item.
    private func checkAll(_ store: TestKeychain, _ place: String) throws {
        let keychain = store.anotherProcess()
        // Any change does it, also one that finds nothing to change.
        #expect(Answer.delete(keychain, item("none", "none")) == errSecItemNotFound)
        var comments: [String: String] = [:]
        var services: [String: String] = [:]
        for account in Self.accounts {
            let query = genp(["acct": account, "r_Attributes": true, "r_Data": true])
            let found = TestKeychain.copy(query.merging(noLimit) { $1 }, from: keychain)
            let items = try #require(found.dictionaries, "\(account) is lost after \(place): \(found.status)")
            #expect(items.count == 1, "\(account) is there \(items.count) times after \(place)")
            let text = (items[0]["v_Data"] as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
            let isWhole = text == "value of \(account)" || account == "a" && Self.isValue(text)
            #expect(isWhole, "\(account) is \(text) after \(place)")
            comments[account] = items[0]["icmt"] as? String
            services[account] = items[0]["svce"] as? String
        }
        // `a` and `c` are always updated together, and so are their comments and services.
        #expect(comments["a"] == comments["c"], "half an update after \(place)")
        #expect(services["a"] == services["c"], "half a move after \(place)")
        // What could not be recorded, while the killed program's git is still at work, may wait.
        let leftovers = try store.leftovers
        #expect(leftovers.allSatisfy { $0 == ".git/passchain-pending" }, "\(leftovers) after \(place)")
    }

    private static func isValue(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return words.count == 2 && words[0] == "value" && Int(words[1]) != nil
    }
}
