import Foundation
import PasswordStore
import TestSupport
import Testing
import Unix

@testable import Security

/// The attribute index: fewer decryptions, never another answer.
@Suite struct AttributeIndexTests {
    /// A store of ten items whose files are old enough to be remembered.
    private func filled() throws -> TestKeychain {
        let store = try TestKeychain()
        try store.countRuns()
        for index in 0..<10 {
            #expect(
                store.add(item("a\(index)", "s", ["labl": "L\(index)", "v_Data": secret("x\(index)")])).status
                    == 0
            )
        }
        try store.insert("ordinary\n", at: "o/rdinary")
        // Files younger than this are not trusted to stay as they are without a trace.
        Thread.sleep(forTimeInterval: 0.05)
        _ = store.runs()
        return store
    }

    private var everything: [String: Any] { genp(["r_Attributes": true]).merging(noLimit) { $1 } }

    private func indexFiles(_ store: TestKeychain) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: store.folder + ".cache")) ?? []
    }

    @Test func aSearchDecryptsEachEntryOnceAndThenNone() throws {
        let store = try filled()
        #expect(store.copy(everything).dictionaries?.count == 10)
        #expect(store.runs() >= 11)
        for _ in 0..<3 { #expect(store.copy(everything).dictionaries?.count == 10) }
        #expect(store.copy(genp(["labl": "L7"])).status == errSecSuccess)
        #expect(store.copy(genp(["labl": "L77"])).status == errSecItemNotFound)
        #expect(store.runs() == 0)
        #expect(store.copy(genp(["labl": "L7", "r_Data": true])).text == "x7")
        #expect(store.runs() == 1)
    }

    @Test func aFreshProcessDecryptsTheIndexAlone() throws {
        let store = try filled()
        _ = store.copy(everything)
        #expect(indexFiles(store).count == 1)
        _ = store.runs()
        let other = store.anotherProcess()
        #expect(TestKeychain.copy(everything, from: other).dictionaries?.count == 10)
        #expect(store.runs() == 1)
    }

    @Test func aNameInThePathDecryptsNothingElse() throws {
        let store = try filled()
        #expect(store.copy(item("a3")).status == errSecSuccess)
        #expect(store.copy(item("a33")).status == errSecItemNotFound)
        #expect(store.runs() == 0)
        #expect(store.copy(item("a3", "s", ["r_Data": true])).text == "x3")
        #expect(store.copy(item("a3", "s", ["r_Data": true, "r_Attributes": true])).status == errSecSuccess)
        #expect(store.runs() == 2)
    }

    @Test func onlyWhatChangedIsDecryptedAgain() throws {
        let store = try filled()
        _ = store.copy(everything)
        try store.insert("new\n", at: "s/a4")
        #expect(store.delete(item("a5")) == errSecSuccess)
        Thread.sleep(forTimeInterval: 0.05)
        _ = store.runs()
        // The one that was replaced is an ordinary entry now.
        let accounts = store.copy(everything).dictionaries?.compactMap { $0["acct"] as? String }
        #expect(accounts == ["a0", "a1", "a2", "a3", "a6", "a7", "a8", "a9"])
        // It, and the keys that the index is written for.
        #expect(store.runs() <= 1 + 4)
        let other = store.anotherProcess()
        #expect(TestKeychain.copy(everything, from: other).dictionaries?.count == 8)
    }

    /// A process that adds and deletes for years remembers no more than what is there.
    @Test func whatHasGoneIsForgotten() throws {
        let store = try filled()
        let listed = try store.keychain.store.entries()
        let candidates = try listed.map { entry in
            let location = try #require(ItemLocation(path: entry.path.bytes))
            return Candidate(path: entry.path, location: location, version: entry.version)
        }
        let index = store.keychain.index
        _ = store.copy(everything)
        #expect(index.attributes(of: candidates, from: store.keychain.store).count == 11)
        #expect(store.delete(item("a0")) == errSecSuccess)
        #expect(store.update(item("a1"), ["acct": "b1"]) == errSecSuccess)
        #expect(index.attributes(of: candidates, from: store.keychain.store).count == 9)
        // What somebody else removed is forgotten with the next entry that is new.
        try FileManager.default.removeItem(atPath: store.folder + "/s/a2.gpg")
        Thread.sleep(forTimeInterval: 0.05)
        _ = store.copy(everything)
        #expect(index.attributes(of: candidates, from: store.keychain.store).count == 8)
    }

    @Test(arguments: ["nothing", "noise", "foreign", "unreadable"])
    func withoutTheIndexTheAnswerIsTheSame(_ damage: String) throws {
        let store = try filled()
        let answer = try #require(store.copy(everything).list) as NSArray
        let name = try #require(indexFiles(store).first)
        let path = store.folder + ".cache/" + name
        switch damage {
        case "nothing": try FileManager.default.removeItem(atPath: path)
        case "noise": try Data("noise".utf8).write(to: URL(fileURLWithPath: path))
        case "foreign":
            let key = try TestKeychain.keyring.fingerprints(of: "keychain test")[0]
            let text = "passchain index 1 /elsewhere\n> 1 2 3 4 s/a0\nkeychain-label: wrong\n"
            try Data(try TestKeychain.keyring.encrypted(text, to: [key])).write(
                to: URL(fileURLWithPath: path)
            )
        default:
            try FileManager.default.removeItem(atPath: store.folder + ".cache")
            try Data().write(to: URL(fileURLWithPath: store.folder + ".cache"))
        }
        let other = store.anotherProcess()
        #expect(TestKeychain.copy(everything, from: other).list as NSArray? == answer)
    }

    @Test func theFileHoldsNoSecretAndNoLineOfTheUser() throws {
        let store = try filled()
        try store.insert("marker-one\nmarker-two: x\nkeychain-label: shown\n", at: "s/own")
        #expect(
            store.add(inet(["srvr": "h", "binn": secret("marker-three"), "v_Data": secret("marker-four")]))
                .status == 0
        )
        Thread.sleep(forTimeInterval: 0.05)
        _ = store.copy(everything)
        _ = store.copy(inet(["r_Attributes": true]).merging(noLimit) { $1 })
        _ = store.copy(inet(["r_Attributes": true, "labl": "x"]).merging(noLimit) { $1 })
        let name = try #require(indexFiles(store).first)
        let path = store.folder + ".cache/" + name
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let text = try TestKeychain.keyring.gpg(["-d", path]).text
        #expect(text.contains("keychain-label: L3") && text.contains("keychain-label: shown"))
        #expect(!text.contains("marker"))
        #expect(!text.contains(secret("marker-three").base64EncodedString()))
    }

    @Test func readsWriteNothingIntoTheStore() throws {
        let store = try filled()
        func state() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: store.folder).sorted().map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: store.folder + "/" + name)
                return "\(name) \(facts[.modificationDate] ?? "") \(facts[.size] ?? "")"
            }
        }
        let before = try state()
        _ = store.copy(everything)
        _ = store.copy(item("a1", "s", ["r_Data": true, "r_Attributes": true, "r_PersistentRef": true]))
        _ = store.copy(genp(["labl": "L7"]))
        #expect(try state() == before)
    }
}
