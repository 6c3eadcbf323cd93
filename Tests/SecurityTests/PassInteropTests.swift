import Foundation
import TestSupport
import Testing

@testable import Security

/// Security and Debian's pass on one store.
@Suite(.enabled(if: TestKeychain.hasPass, "Debian's pass is not installed"))
struct PassInteropTests {
    @Test func passShowsTheSecretInLineOne() throws {
        let store = try TestKeychain(git: true)
        #expect(
            store.add(item("alice", "com.example.app", ["v_Data": secret("hunter2"), "labl": "L"])).status
                == 0
        )
        let shown = try store.pass("show", "com.example.app/alice").text.split(separator: "\n")
        #expect(shown.first == "hunter2")
        #expect(shown.contains("keychain-label: L"))
        #expect(shown.contains { $0.hasPrefix("keychain-id: ") })
        #expect(try store.pass("ls").text.contains("alice"))
        #expect(try store.pass("grep", "hunter2").text.contains("hunter2"))
    }

    @Test(arguments: ["wifi-at-home", "a/b c/Ünïcode", "50%25/x", "%/Rhode", "a/%2Ehidden"])
    func passFindsEveryPathByItsName(_ path: String) throws {
        let store = try TestKeychain()
        let location = try #require(ItemLocation(path: Array(path.utf8)))
        var query = genp(["v_Data": secret("x")])
        for (code, bytes) in location.key { query[code.rawValue] = String(decoding: bytes, as: UTF8.self) }
        #expect(store.add(query).status == errSecSuccess)
        #expect(try store.pass("show", path).text.hasPrefix("x\n"))
    }

    @Test func everyLineOfTheUserSurvivesAnUpdate() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("alice", "app", oneSecret)).status == 0)
        let before = try store.pass("show", "app/alice").text
        let edited = before + "user: me\n\nurl: https://example.org\n"
        try store.pass("insert", "-f", "-m", "app/alice", input: edited)
        #expect(store.update(item("alice", "app"), ["v_Data": secret("new"), "labl": "L"]) == errSecSuccess)
        let after = try store.pass("show", "app/alice").text
        #expect(after.hasPrefix("new\nuser: me\n\nurl: https://example.org\nkeychain-id: "))
        #expect(after.contains("keychain-label: L\n"))
    }

    @Test func whatPassInsertsEditsAndGeneratesIsSeenAtOnce() throws {
        let store = try TestKeychain(git: true)
        let read = item("alice", "app", ["r_Data": true])
        try store.pass("insert", "-e", "app/alice", input: "one\n")
        #expect(store.copy(read).text == "one")
        try store.pass("insert", "-e", "-f", "app/alice", input: "two\n")
        #expect(store.copy(read).text == "two")
        try store.pass("insert", "-m", "-f", "app/alice", input: "three\nuser: me\n")
        #expect(store.copy(read).text == "three")
        try store.pass("generate", "-i", "-n", "app/alice", "12")
        let generated = try #require(store.copy(read).text)
        #expect(generated.count == 12)
        #expect(try store.pass("show", "app/alice").text == "\(generated)\nuser: me\n")
        try store.pass("rm", "-f", "app/alice")
        #expect(store.copy(read).status == errSecItemNotFound)
    }

    @Test func passEditIsSeenAtOnce() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("alice", "app", ["v_Data": secret("old"), "labl": "L"])).status == 0)
        let editor = store.folder + ".editor"
        let script = "#!/bin/sh\nsed -i '1s/.*/edited/' \"$1\"\n"
        try writeFile(Data(script.utf8), to: URL(filePath: editor), mode: 0o700)
        let words = store.variables + ["EDITOR=\(editor)", "pass", "edit", "app/alice"]
        #expect(try TestKeychain.keyring.run("env", words).status == 0)
        let answer = store.copy(item("alice", "app", ["r_Data": true, "r_Attributes": true]))
        #expect(answer.attributes?["v_Data"] as? Data == secret("edited"))
        #expect(answer.attributes?["labl"] as? String == "L")
    }

    @Test func aMoveWithPassIsAnotherKeyAndTheReferenceStillFindsIt() throws {
        let store = try TestKeychain(git: true)
        let account = Data("alice".utf8)
        let added = store.add(
            genp(["acct": account, "svce": "app", "r_PersistentRef": true]).merging(oneSecret) { $1 }
        )
        let reference = try #require(added.data)
        try store.pass("mv", "app/alice", "moved/bob")
        #expect(store.copy(item("alice", "app")).status == errSecItemNotFound)
        let found = store.copy(item("bob", "moved", ["r_Attributes": true, "r_Data": true]))
        // The path is the truth: the recorded account is not the path's any more.
        #expect(found.attributes?["acct"] as? String == "bob")
        #expect(found.attributes?["v_Data"] as? Data == secret("x"))
        #expect(store.copy(["v_PersistentRef": reference, "r_Data": true]).text == "x")
        #expect(Answer.text(store.anotherProcess(), ["v_PersistentRef": reference, "r_Data": true]) == "x")
    }

    @Test func aPullFromAnotherCloneIsSeenAtOnce() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("alice", "app", oneSecret)).status == 0)
        let clone = store.folder + ".clone"
        defer { try? FileManager.default.removeItem(atPath: clone) }
        try store.git(["clone", "-q", store.folder, clone])
        let there =
            store.variables.filter { !$0.hasPrefix("PASSWORD_STORE_DIR") } + ["PASSWORD_STORE_DIR=\(clone)"]
        let identity = ["-c", "user.email=t@example.org", "-c", "user.name=T"]
        for (name, value) in [("app/alice", "pulled"), ("app/bob", "new")] {
            _ = try TestKeychain.keyring.run(
                "env",
                there + [
                    "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@e.org",
                    "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@e.org", "pass", "insert", "-e", "-f", name,
                ],
                input: Array("\(value)\n".utf8)
            )
        }
        #expect(store.copy(item("alice", "app", ["r_Data": true])).text == "x")
        try store.git(identity + ["pull", "-q", clone, "HEAD"])
        #expect(store.copy(item("alice", "app", ["r_Data": true])).text == "pulled")
        #expect(store.copy(item("bob", "app", ["r_Data": true])).text == "new")
    }

    @Test func otherDataThanOneLineIsKeptBesideAnEmptyFirstLine() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", ["v_Data": Data([0, 1, 2, 255])])).status == 0)
        #expect(try store.pass("show", "s/a").text.hasPrefix("\nkeychain-id: "))
        #expect(store.copy(item("a", "s", ["r_Data": true])).data == Data([0, 1, 2, 255]))
        try store.pass("generate", "-i", "-n", "s/a", "9")
        #expect(store.copy(item("a", "s", ["r_Data": true])).text?.count == 9)
    }
}

extension Answer {
    static func text(_ keychain: Keychain, _ query: [String: Any]) -> String? {
        TestKeychain.copy(query, from: keychain).text
    }
}
