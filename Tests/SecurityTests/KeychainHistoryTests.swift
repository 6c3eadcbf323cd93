import Foundation
import TestSupport
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

    /// Ways to have git refuse a commit, each with the words that allow it again.
    static let refusals = [
        (refuse: ["config", "core.hooksPath", "HOOKS"], allow: ["config", "--unset", "core.hooksPath"]),
        (["config", "core.bare", "true"], ["config", "core.bare", "false"]),
        (["config", "commit.gpgSign", "true"], ["config", "commit.gpgSign", "false"]),
    ]

    @Test(arguments: refusals)
    func aCommitThatFailsLeavesTheItemSavedAndIsMadeByTheNextChange(
        refuse: [String],
        allow: [String]
    ) throws {
        let store = try TestKeychain(git: true)
        try store.makeFolder(".git/refusing")
        try writeFile(
            Data("#!/bin/sh\nexit 1\n".utf8),
            to: URL(fileURLWithPath: store.folder + "/.git/refusing/pre-commit"),
            mode: 0o700
        )
        try store.git(["config", "user.signingKey", "nobody@example.org"])
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        try store.git(refuse.map { $0 == "HOOKS" ? store.folder + "/.git/refusing" : $0 })
        #expect(store.add(item("b", "s", oneSecret)).status == errSecSuccess)
        #expect(store.update(item("a"), ["v_Data": secret("y")]) == errSecSuccess)
        #expect(store.update(item("a"), ["acct": "c"]) == errSecSuccess)
        #expect(store.delete(item("b")) == errSecSuccess)
        #expect(store.copy(item("c", "s", ["r_Data": true])).text == "y")
        #expect(store.entries == ["s/c.gpg"])
        #expect(try store.commits == ["Add keychain item s/a.", "Start."])
        try store.git(allow)
        #expect(store.add(item("d", "s", oneSecret)).status == errSecSuccess)
        #expect(try store.commits.first == "Add keychain item s/d.")
        #expect(try store.commits.contains("Update keychain item s/a."))
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
        #expect(try store.git(["ls-files"]) == ".gpg-id\ns/c.gpg\ns/d.gpg\n")
        #expect(try store.leftovers.isEmpty)
    }

    @Test func whoGitDoesNotKnowCommitsAllTheSame() throws {
        let store = try TestKeychain(git: true)
        try store.git(["config", "user.name", ""])
        #expect(store.add(item("a", "s", oneSecret)).status == errSecSuccess)
        #expect(try store.commits.first == "Add keychain item s/a.")
        #expect(try !store.git(["log", "-1", "--format=%an"]).trimmingCharacters(in: .newlines).isEmpty)
        #expect(try store.git(["log", "-1", "--format=%ae"]) == "test@example.org\n")
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
    }

    /// However many commits wait, a change tries one of them, and one of its own.
    @Test func manyCommitsThatWaitAreNotAllTriedEachTime() throws {
        let store = try TestKeychain(git: true)
        try store.makeFolder(".git/refusing")
        try writeFile(
            Data("#!/bin/sh\necho >>'\(store.folder)/.git/tries'\nexit 1\n".utf8),
            to: URL(fileURLWithPath: store.folder + "/.git/refusing/pre-commit"),
            mode: 0o700
        )
        try store.git(["config", "core.hooksPath", store.folder + "/.git/refusing"])
        for account in 0..<6 {
            #expect(store.add(item("\(account)", "s", oneSecret)).status == errSecSuccess)
        }
        let tries = URL(fileURLWithPath: store.folder + "/.git/tries")
        #expect(try Data(contentsOf: tries).count == 1 + 5 * 2)
        try store.git(["config", "--unset", "core.hooksPath"])
        #expect(store.add(item("6", "s", oneSecret)).status == errSecSuccess)
        #expect(try Set(store.commits) == Set((0...6).map { "Add keychain item s/\($0)." } + ["Start."]))
        #expect(try store.git(["status", "--porcelain"]).isEmpty)
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
