// swift-format-ignore-file: NeverUseForceTry
import Glibc
import GPGME
import SecretMemory
import TestSupport
import Testing

@testable import PasswordStore
@testable import Unix

/// The keys that all suites share.
///
/// `alice` and `bob` have their secret keys here; `carol` is a colleague, of whom only the public key is.
enum Keys {
    static let ring = try! TestKeyring()
    static let alice = try! ring.makeKey("Alice <alice@example.org>")
    static let bob = try! ring.makeKey("Bob <bob@example.org>")
    static let carol: String = {
        let elsewhere = try! TestKeyring()
        let fingerprint = try! elsewhere.makeKey("Carol <carol@example.org>")
        let exported = try! elsewhere.gpg(["--export", fingerprint]).output
        try! ring.gpg(["--import"], input: exported)
        try! ring.gpg(["--import-ownertrust"], input: Array("\(fingerprint):6:\n".utf8))
        return fingerprint
    }()

    /// The id of the subkey that encrypts.
    static func encryptionKey(_ fingerprint: String) throws -> String {
        String(try ring.fingerprints(of: fingerprint)[1].suffix(16))
    }
}

/// A store of its own for one test.
final class StoreFixture {
    let folder = TestFolder()
    var variables: [String: String]

    init(_ variables: [String: String] = [:]) {
        self.variables = [
            "PASSWORD_STORE_DIR": "\(folder.path)", "PATH": TestPrograms.folder,
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@a",
            "GNUPGHOME": Keys.ring.home, "HOME": "/nowhere",
        ].merging(variables) { $1 }
    }

    var store: Store {
        Store(Settings(environment: Environment(variables), currentFolder: "/"))
    }

    var root: ConfinedFolder { try! ConfinedFolder(folder.path) }

    static func bytes(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    /// Makes the store, with a list for the whole of it.
    @discardableResult
    func initialize(_ ids: String..., in folder: String = "") throws -> Store.Initialization {
        try store.initialize(
            EntryName(folder),
            recipients: ids.map { Array($0.utf8) },
            messages: (list: Array("list".utf8), entries: Array("entries".utf8))
        )
    }

    @discardableResult
    func insert(_ name: String, _ text: String = "secret\n", _ existing: Existing = .replace) throws
        -> Receipt
    {
        try store.write(
            Self.bytes(text),
            to: EntryName(name),
            message: Array("Add \(name)".utf8),
            existing: existing
        )
    }

    func read(_ name: String) throws -> String {
        try store.read(EntryName(name)).bytes.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    func move(_ old: String, to new: String) throws -> Store.RelocationReceipt {
        let relocation = try store.planRelocation(of: EntryName(old), to: EntryName(new))
        return try store.move(
            relocation,
            messages: (rename: Array("Move \(old)".utf8), removal: Array("Remove".utf8))
        )
    }

    func copy(_ old: String, to new: String) throws -> Store.RelocationReceipt {
        let relocation = try store.planRelocation(of: EntryName(old), to: EntryName(new))
        return try store.copy(relocation, message: Array("Copy \(old)".utf8))
    }

    func ciphertext(_ path: Path) throws -> [UInt8] { try readFile(folder.path.appending(path)) }

    /// The ids of the subkeys that a file is encrypted to.
    func recipients(_ path: Path) throws -> Set<String> {
        let message = try ciphertext(path)
        let keys = try MessagePackets.recipients(of: message.span)
        return Set(keys.map(\.description))
    }

    func write(_ bytes: [UInt8], to path: Path) throws {
        folder.file(path)
        let place = try root.locate(path)
        try AtomicFile.prepare(bytes, for: place, temporaryName: Array(".fixture".utf8)).commit()
    }

    func write(_ text: String, to path: Path) throws { try write(Array(text.utf8), to: path) }

    /// Everything but what git keeps for itself.
    func paths() throws -> [String] {
        try root.contents(below: "").map { "\($0.path)" }.filter {
            !$0.hasPrefix(".git/") && !$0.contains("/.git/")
        }
    }

    /// Everything with its content, to see whether anything changed.
    func everything() throws -> [Path: [UInt8]] {
        var result: [Path: [UInt8]] = [:]
        for item in try root.contents(below: "") where item.kind == .file {
            result[item.path] = try ciphertext(item.path)
        }
        return result
    }

    @discardableResult
    func git(_ arguments: String..., in subfolder: Path = Path([])) throws -> String {
        try git(arguments, in: subfolder)
    }

    @discardableResult
    func git(_ arguments: [String], in subfolder: Path = Path([])) throws -> String {
        let child = Subprocess(
            "/usr/bin/git",
            arguments.map { Array($0.utf8) },
            environment: Environment(variables),
            folder: subfolder.isEmpty ? folder.path : folder.path.appending(subfolder)
        )
        let outcome = try child.run()
        guard outcome.status == 0 else {
            throw GitFailure(text: String(decoding: outcome.output + outcome.errorOutput, as: UTF8.self))
        }
        return String(decoding: outcome.output, as: UTF8.self)
    }

    struct GitFailure: Error { let text: String }

    func initializeGit() throws {
        _ = try store.initializeHistory(
            [Array("init".utf8)],
            messages: (contents: Array("contents".utf8), attributes: Array("attributes".utf8))
        )
    }

    /// The subjects of all commits, the newest first.
    func log(in subfolder: Path = Path([])) throws -> [String] {
        try git("log", "--format=%s", in: subfolder).split(separator: "\n").map(String.init)
    }

    /// What git sees as changed.
    func status(in subfolder: Path = Path([])) throws -> String {
        try git("status", "--porcelain", in: subfolder)
    }
}
