// swift-format-ignore-file: NeverUseForceTry
import Foundation
import PasswordStore
import TestSupport
import Testing
import Unix

@testable import Security

/// A keychain on a store of its own, with a keyring that all suites share.
final class TestKeychain: @unchecked Sendable {
    // Unchecked: nothing changes after init.

    /// A keyring whose one key has no passphrase.
    static let keyring: TestKeyring = {
        let keyring = try! TestKeyring()
        try! keyring.makeKey("keychain test")
        return keyring
    }()

    let folder: String
    let keychain: Keychain
    private let home: String
    private let program: TestKeyring

    /// Makes an empty store: with a history or without, for a program that declares `groups` or none.
    init(git: Bool = false, groups: [String]? = nil, keyring: TestKeyring = TestKeychain.keyring) throws {
        home = keyring.home
        program = keyring
        folder = "\(home)/s\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let fingerprint = try keyring.fingerprints(of: "keychain test")[0]
        try Data("\(fingerprint)\n".utf8).write(to: URL(fileURLWithPath: folder + "/.gpg-id"))
        keychain = Self.keychain(folder, home: home, groups: groups)
        guard git else { return }
        try self.git(["init", "-q"])
        try self.git(["config", "user.email", "test@example.org"])
        try self.git(["config", "user.name", "Test"])
        try self.git(["add", "."])
        try self.git(["commit", "-q", "-m", "Start."])
    }

    deinit {
        for suffix in ["", ".bin", ".runs", ".cache", ".editor"] {
            try? FileManager.default.removeItem(atPath: folder + suffix)
        }
    }

    /// Counts how often gpg runs for more than its version from now on; must come before the first call.
    func countRuns() throws {
        try replaceGPG("case \"$*\" in *--version*) ;; *) echo >>'\(folder).runs' ;; esac")
    }

    /// Has a shell script run before every encryption, with the store as `$S`; for ``anotherProcess(groups:)``.
    func whileGPGRuns(_ script: String) throws {
        try replaceGPG("S='\(folder)'\ncase \"$*\" in *--encrypt*) \(script) ;; esac")
    }

    /// Has a shell script run before gpg does.
    private func replaceGPG(_ script: String) throws {
        try writeFile(
            Data("#!/bin/sh\n\(script)\nexec /usr/bin/gpg \"$@\"\n".utf8),
            to: URL(fileURLWithPath: folder + ".bin/gpg"),
            mode: 0o700
        )
    }

    /// How often gpg ran since the last time that this was asked.
    func runs() -> Int {
        let url = URL(fileURLWithPath: folder + ".runs")
        defer { try? FileManager.default.removeItem(at: url) }
        return (try? Data(contentsOf: url).count) ?? 0
    }

    /// The same store as another process would see it: nothing is remembered.
    func anotherProcess(home: String? = nil, groups: [String]? = nil) -> Keychain {
        Self.keychain(folder, home: home ?? self.home, groups: groups)
    }

    private static func keychain(_ folder: String, home: String, groups: [String]?) -> Keychain {
        let environment = [
            // The first folder is where a test counts gpg's runs; see `countRuns`.
            "PATH": "\(folder).bin:\(TestPrograms.folder)", "HOME": home, "LC_ALL": "C.UTF-8",
            "GNUPGHOME": home, "PASSWORD_STORE_DIR": folder, "GIT_CONFIG_NOSYSTEM": "1",
        ]
        return Keychain(
            settings: Settings(environment: Environment(environment), currentFolder: "/"),
            groups: AccessGroups(
                environment: [:],
                propertyList: groups.map { ["keychain-access-groups": $0] }
            ),
            cacheFolder: Path(folder + ".cache"),
            log: KeychainLog(environment: ProcessInfo.processInfo.environment)
        )
    }

    // MARK: The four calls

    func add(_ attributes: [String: Any]) -> Answer {
        Answer { () throws(StatusError) in
            try keychain.add(try ItemQuery(attributes as NSDictionary, for: .add))
        }
    }

    func copy(_ query: [String: Any]) -> Answer { Self.copy(query, from: keychain) }

    static func copy(_ query: [String: Any], from keychain: Keychain) -> Answer {
        Answer { () throws(StatusError) in
            try keychain.copy(try ItemQuery(query as NSDictionary, for: .copy))
        }
    }

    func update(_ query: [String: Any], _ changes: [String: Any]) -> OSStatus {
        Answer { () throws(StatusError) in
            let query = try ItemQuery(query as NSDictionary, for: .update)
            try keychain.update(query, try ItemChanges(changes as NSDictionary, to: query.itemClass))
            return nil
        }.status
    }

    func delete(_ query: [String: Any]) -> OSStatus {
        Answer { () throws(StatusError) in
            try keychain.remove(try ItemQuery(query as NSDictionary, for: .delete))
            return nil
        }.status
    }

    // MARK: The store as others see it

    /// Runs Debian's pass on the store.
    @discardableResult
    func pass(_ arguments: String..., input: String = "") throws -> ProgramOutcome {
        try program.run("env", variables + ["pass"] + arguments, input: Array(input.utf8))
    }

    /// Runs git in the store.
    @discardableResult
    func git(_ arguments: [String]) throws -> String {
        try program.run("git", ["-C", folder] + arguments).text
    }

    var variables: [String] {
        ["PASSWORD_STORE_DIR=\(folder)", "GNUPGHOME=\(home)"]
    }

    /// What `git log` has, newest first.
    var commits: [String] {
        get throws { try git(["log", "--format=%s"]).split(separator: "\n").map(String.init) }
    }

    /// The entries, sorted.
    var entries: [String] {
        (FileManager.default.subpaths(atPath: folder) ?? [])
            .filter { $0.hasSuffix(".gpg") && !$0.hasPrefix(".git/") }.sorted()
    }

    /// What a change that is over should not have left: temporary files, a journal.
    ///
    /// Nothing lies among git's objects, whose folders come and go while git tidies up behind a killed program.
    var leftovers: [String] {
        get throws {
            let walk = try #require(FileManager.default.enumerator(atPath: folder))
            var found: [String] = []
            while let path = walk.nextObject() as? String {
                if path == ".git/objects" { walk.skipDescendants() }
                if path.contains("passchain-") { found.append(path) }
            }
            return found
        }
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)",
            withIntermediateDirectories: true
        )
    }

    /// Encrypts with gpg itself and puts the result where an entry is.
    func insert(_ contents: String, at name: String) throws {
        let key = try program.fingerprints(of: "keychain test")[0]
        try insert(bytes: try program.encrypted(contents, to: [key]), at: name)
    }

    func insert(bytes: [UInt8], at name: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(name).gpg")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    /// The decrypted contents of an entry.
    func contents(_ name: String) throws -> String {
        try program.gpg(["-d", "\(folder)/\(name).gpg"]).text
    }

    static let pinentry = "/usr/bin/pinentry-curses"
    static let hasPinentry = FileManager.default.isExecutableFile(atPath: pinentry)
    static let preset = "/usr/lib/gnupg/gpg-preset-passphrase"
    static let hasPreset = FileManager.default.isExecutableFile(atPath: preset)
    static let hasPass = FileManager.default.isExecutableFile(atPath: "/usr/bin/pass")
}

/// What a call answered.
struct Answer: @unchecked Sendable {
    // Unchecked: the object is never changed.
    var status: OSStatus = errSecSuccess
    var object: NSObject?

    init(_ body: () throws(StatusError) -> NSObject?) {
        do throws(StatusError) {
            object = try body()
        } catch {
            status = error.status
        }
    }

    /// Deletes what `query` means in `keychain`.
    static func delete(_ keychain: Keychain, _ query: [String: Any]) -> OSStatus {
        Answer { () throws(StatusError) in
            try keychain.remove(try ItemQuery(query as NSDictionary, for: .delete))
            return nil
        }.status
    }

    var data: Data? { object as? Data }
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
    var attributes: [String: Any]? { object as? [String: Any] }
    var list: [Any]? { object as? [Any] }
    var dictionaries: [[String: Any]]? { object as? [[String: Any]] }
}
