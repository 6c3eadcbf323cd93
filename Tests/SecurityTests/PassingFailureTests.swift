import Foundation
import Glibc
import PasswordStore
import TestSupport
import Testing

@testable import Security

/// What fails for a moment, or for all items alike, is never taken for items that are somebody else's.
@Suite(.serialized) struct PassingFailureTests {
    private static var everything: [String: Any] {
        genp(["svce": "s", "r_Attributes": true, "r_Data": true]).merging(noLimit) { $1 }
    }
    private static var names: [String: Any] {
        genp(["svce": "s", "r_Attributes": true]).merging(noLimit) { $1 }
    }

    /// A key of 4096 bits without a passphrase: some ten decryptions at a time use up gpg-agent's memory.
    private static func largeKeyring(_ configuration: String = "") throws -> TestKeyring {
        let keyring = try TestKeyring()
        try keyring.write("no-random-seed-file\n" + configuration, to: "gpg.conf")
        let options = ["--passphrase", "", "--pinentry-mode", "loopback"]
        try keyring.gpg(options + ["--quick-gen-key", "keychain test", "rsa4096", "cert,sign", "never"])
        let key = try keyring.fingerprints(of: "keychain test")[0]
        try keyring.gpg(options + ["--quick-add-key", key, "rsa4096", "encr", "never"])
        return keyring
    }

    private static func fill(
        _ store: TestKeychain,
        _ keyring: TestKeyring,
        count: Int,
        _ options: [String] = []
    ) throws {
        let key = try keyring.fingerprints(of: "keychain test")[0]
        for number in 0..<count {
            try store.insert(bytes: try keyring.encrypted("x", to: [key], options), at: "s/\(number)")
        }
    }

    /// Asks with `threads` keychains that know nothing, all at once.
    private static func answers(_ store: TestKeychain, threads: Int) -> [(status: OSStatus, count: Int)] {
        let answers = Collected()
        DispatchQueue.concurrentPerform(iterations: threads) { number in
            let query = number.isMultiple(of: 2) ? everything : names
            let answer = TestKeychain.copy(query, from: store.anotherProcess())
            answers.add((answer.status, answer.dictionaries?.count ?? 0))
        }
        return answers.all
    }

    private final class Collected: @unchecked Sendable {
        // Unchecked: the lock guards it.
        private let lock = NSLock()
        private var answers: [(status: OSStatus, count: Int)] = []
        func add(_ answer: (OSStatus, Int)) { lock.withLock { answers.append((answer.0, answer.1)) } }
        var all: [(status: OSStatus, count: Int)] { lock.withLock { answers } }
    }

    @Test(arguments: ["", "quiet\n", "throw-keyids\n"])
    func aLargeKeyAndManyThreadsFindEveryItem(_ configuration: String) throws {
        let keyring = try Self.largeKeyring(configuration)
        let store = try TestKeychain(keyring: keyring)
        try Self.fill(store, keyring, count: 30)
        for (status, count) in Self.answers(store, threads: 8) {
            #expect(status == errSecSuccess && count == 30)
        }
    }

    @Test func aLargeKeyAndManyProcessesFindEveryItem() async throws {
        let keyring = try Self.largeKeyring()
        let store = try TestKeychain(keyring: keyring)
        try Self.fill(store, keyring, count: 30)
        let variables = store.variables + ["XDG_CACHE_HOME=/proc/none", "PASSCHAIN_JOBS=8"]
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [variables = variables as [String]] in
                        for pair in variables {
                            let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
                            setenv(words[0], words[1], 1)
                        }
                        var result: CFTypeRef?
                        let status = SecItemCopyMatching(Self.everything as CFDictionary, &result)
                        let count = (result as? [Any])?.count
                        #expect(status == errSecSuccess && count == 30)
                    }
                }
            }
        }
    }

    /// Something about gpg's home that is not as it should be, and what it was.
    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String

        static let all = [
            Trouble(
                testDescription: "no agent, and none may be started",
                script: "echo no-autostart >> gpg.conf"
            ),
            Trouble(
                testDescription: "an agent that cannot be started",
                script: "echo agent-program /nonexistent >> gpg.conf"
            ),
            Trouble(
                testDescription: "an agent that ends at once",
                script: "echo agent-program /bin/false >> gpg.conf"
            ),
            Trouble(
                testDescription: "no agent, and quiet",
                script: "printf 'no-autostart\\nquiet\\n' >> gpg.conf"
            ),
            Trouble(
                testDescription: "a file for the folder of keys",
                script: "mv private-keys-v1.d k; echo > private-keys-v1.d"
            ),
            Trouble(
                testDescription: "a link to nothing for it",
                script: "mv private-keys-v1.d k; ln -s /proc/none private-keys-v1.d"
            ),
            Trouble(
                testDescription: "a loop of links for it",
                script: "mv private-keys-v1.d k; ln -s private-keys-v1.d private-keys-v1.d"
            ),
            Trouble(
                testDescription: "keys that cannot be read",
                script: "cd private-keys-v1.d; for f in *; do rm $f; mkdir $f; done"
            ),
            Trouble(
                testDescription: "keys that are links to nothing",
                script: "cd private-keys-v1.d; for f in *; do ln -sf /proc/none $f; done"
            ),
            Trouble(
                testDescription: "keys that are empty",
                script: "cd private-keys-v1.d; for f in *; do : > $f; done"
            ),
            Trouble(
                testDescription: "keys that are cut",
                script: "cd private-keys-v1.d; for f in *; do head -c 40 $f > k; cat k > $f; done; rm k"
            ),
            Trouble(
                testDescription: "a key on a card, and no program for cards",
                script: "\(CardStub.script); echo scdaemon-program /proc/none >> gpg-agent.conf"
            ),
            Trouble(
                testDescription: "a key on a card, and cards are not allowed",
                script: "\(CardStub.script); echo disable-scdaemon >> gpg-agent.conf"
            ),
            Trouble(
                testDescription: "the same, and quiet",
                script: "\(CardStub.script); echo disable-scdaemon >> gpg-agent.conf; echo quiet >> gpg.conf"
            ),
            Trouble(
                testDescription: "a file for the passphrase that is not there",
                script: "printf 'passphrase-file /proc/none\\npinentry-mode loopback\\n' >> gpg.conf"
            ),
            Trouble(
                testDescription: "a keyring that is cut",
                script: "head -c 500 pubring.kbx > k; cat k > pubring.kbx"
            ),
            Trouble(
                testDescription: "something else for the keyring",
                script: "head -c 3000 /bin/sh > pubring.kbx"
            ),
            Trouble(testDescription: "no keyring beside the keys", script: "rm pubring.kbx*"),
            Trouble(testDescription: "an empty one", script: ": > pubring.kbx"),
            Trouble(testDescription: "a folder for the keyring", script: "rm pubring.kbx; mkdir pubring.kbx"),
            Trouble(
                testDescription: "a link to nothing for the keyring",
                script: "rm pubring.kbx; ln -s /proc/none pubring.kbx"
            ),
        ]
    }

    @Test(arguments: Trouble.all)
    func whatConcernsAllItemsIsAnErrorOfTheSearch(_ trouble: Trouble) throws {
        let keyring = try TestKeyring()
        let key = try keyring.makeKey("keychain test")
        let store = try TestKeychain(keyring: keyring)
        for number in 0..<3 {
            try store.insert(bytes: try keyring.encrypted("x", to: [key]), at: "s/\(number)")
        }
        _ = try keyring.run("gpgconf", ["--homedir", keyring.home, "--kill", "all"])
        _ = try keyring.run("sh", ["-c", "cd \(keyring.home); \(trouble.script)"])
        for query in [Self.everything, Self.names, genp(["labl": "L"]), item("1", "s", ["r_Data": true])] {
            let status = TestKeychain.copy(query, from: store.anotherProcess()).status
            #expect(status == errSecNotAvailable, "\(query)")
        }
        #expect(Answer.delete(store.anotherProcess(), genp(["labl": "x"])) == errSecNotAvailable)
        #expect(store.entries == ["s/0.gpg", "s/1.gpg", "s/2.gpg"])
    }

    @Test("somebody else's items are left out still", arguments: ["", "quiet\n"], [[], ["--throw-keyids"]])
    func whatIsKnownToBeSomebodyElsesIsLeftOut(_ configuration: String, _ options: [String]) throws {
        let keyring = try TestKeyring()
        try keyring.write("no-random-seed-file\n" + configuration, to: "gpg.conf")
        let key = try keyring.makeKey("keychain test")
        let other = try TestKeyring()
        let foreign = try other.makeKey("other")
        let exported = try other.gpg(["--export", foreign]).output
        let store = try TestKeychain(keyring: keyring)
        try store.insert(bytes: try keyring.encrypted("x", to: [key]), at: "s/own")
        try store.insert(bytes: try other.encrypted("x", to: [foreign], options), at: "s/unknown")
        #expect(store.copy(Self.everything).dictionaries?.count == 1)
        // With and without the other's public key.
        try keyring.gpg(["--import"], input: exported)
        #expect(TestKeychain.copy(Self.everything, from: store.anotherProcess()).dictionaries?.count == 1)
        #expect(store.copy(item("unknown", "s", ["r_Data": true])).status == errSecAuthFailed)
    }

    @Test("no file to open: everything is found, or nothing is said to be", arguments: [8, 12, 20])
    func tooManyOpenFilesLeaveNothingOut(_ more: Int) async throws {
        let store = try TestKeychain()
        for number in 0..<20 { try store.insert("x", at: "s/\(number)") }
        let variables = store.variables + ["XDG_CACHE_HOME=/proc/none", "PASSCHAIN_JOBS=16"]
        await #expect(processExitsWith: .success) { [variables = variables as [String], more = more as Int] in
            for pair in variables {
                let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
                setenv(words[0], words[1], 1)
            }
            let free = open("/dev/null", O_RDONLY)
            close(free)
            let most = rlim_t(Int(free) + more)
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var result: CFTypeRef?
            let status = SecItemCopyMatching(Self.everything as CFDictionary, &result)
            if status == errSecSuccess {
                #expect((result as? [Any])?.count == 20)
            } else {
                #expect([errSecIO, errSecNotAvailable].contains(status))
            }
        }
    }
}
