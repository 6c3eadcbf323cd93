import Foundation
import Testing

@testable import Security

/// One change, one commit; and nothing of a read anywhere.
@Suite struct KeychainHistoryTests {
    @Test func eachChangeIsOneCommit() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.add(item("b", "s", oneSecret)).status == errSecSuccess)
        #expect(store.update(genp(["svce": "s"]), ["labl": "L"]) == errSecSuccess)
        #expect(store.update(item("a"), ["acct": "c"]) == errSecSuccess)
        #expect(store.delete(genp()) == errSecSuccess)
        #expect(
            try store.commits == [
                "Remove keychain 2 items.", "Update keychain item s/a.", "Update keychain 2 items.",
                "Add keychain item s/b.", "Add keychain item s/a.", "Start.",
            ]
        )
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.folder + "/s"))
    }

    @Test func whatFailsCommitsNothing() throws {
        let store = try TestKeychain(git: true)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        _ = store.add(item("a", "s", oneSecret))
        _ = store.update(item("b"), [:])
        _ = store.delete(item("b"))
        _ = store.copy(genp(["r_Attributes": true, "r_Data": true]).merging(noLimit) { $1 })
        #expect(try store.commits.count == 2)
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
    }

    @Test func aCommitThatFailsLeavesTheItemSaved() throws {
        let store = try TestKeychain(git: true)
        let hook = store.folder + "/.git/hooks/pre-commit"
        try FileManager.default.createDirectory(
            atPath: store.folder + "/.git/hooks",
            withIntermediateDirectories: true
        )
        try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(fileURLWithPath: hook))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: hook)
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.copy(item("a", "s", ["r_Data": true])).text == "x")
        #expect(try store.commits.count == 1)
    }

    @Test func filesAndFoldersAreTheUsersAlone() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        let manager = FileManager.default
        let file = try manager.attributesOfItem(atPath: store.folder + "/s/a.gpg")
        #expect(file[.posixPermissions] as? Int == 0o600)
        #expect(try manager.attributesOfItem(atPath: store.folder + "/s")[.posixPermissions] as? Int == 0o700)
    }

    @Test func nothingIsLeftBesideTheEntries() throws {
        let store = try TestKeychain()
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(store.update(item(), ["v_Data": secret("y")]) == errSecSuccess)
        #expect(store.update(item(), ["svce": "t"]) == errSecSuccess)
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder).sorted()
        #expect(files == [".gpg-id", "t", "t/a.gpg"])
    }
}
