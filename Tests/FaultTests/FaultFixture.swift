// swift-format-ignore-file: NeverUseForceTry
import Foundation
import Glibc
import TestSupport
import Unix

/// The keys that all suites share: `alice` and `bob` have their secret keys here, of `carol` there is the public one.
enum Keys {
    static let ring = try! TestKeyring()
    static let alice = try! ring.makeKey("Alice <alice@example.org>")
    static let bob = try! ring.makeKey("Bob <bob@example.org>")
    static let carol: String = {
        let elsewhere = try! TestKeyring()
        let fingerprint = try! elsewhere.makeKey("Carol <carol@example.org>")
        try! ring.gpg(["--import"], input: elsewhere.gpg(["--export", fingerprint]).output)
        try! ring.gpg(["--import-ownertrust"], input: Array("\(fingerprint):6:\n".utf8))
        return fingerprint
    }()

    /// The id of the subkey that encrypts.
    static func encryptionKey(_ fingerprint: String) throws -> String {
        String(try ring.fingerprints(of: fingerprint)[1].suffix(16))
    }
}

/// How a program ended.
struct Outcome: Equatable, CustomStringConvertible {
    var status: Int32
    var output: String
    var errors: String
    var description: String { "status \(status)\n\(output)--- errors ---\n\(errors)" }
}

/// A store, and the built tool to use it with.
final class FaultFixture: Sendable {
    /// Holds everything of one test.
    let folder: String
    var store: String { folder + "/store" }

    static let tool = Tool.underTest.url.path

    let environment: [String: String]

    /// Makes a store for alice, in git unless told otherwise.
    convenience init(inGit: Bool = true) throws {
        try self.init(withoutStore: ())
        try run("init", Keys.alice).check()
        if inGit { try run("git", "init").check() }
    }

    /// Makes a copy of the store in a folder.
    convenience init(copying store: String) throws {
        try self.init(withoutStore: ())
        try shell("cp -a '\(store)' $S").check()
    }

    private init(withoutStore: Void) throws {
        var template = Array("/tmp/pcf.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = [
            "PATH": "\(folder)/bin:\(TestPrograms.folder)", "HOME": folder, "LC_ALL": "C.UTF-8",
            "GNUPGHOME": Keys.ring.home, "GIT_CONFIG_GLOBAL": folder + "/gitconfig",
            "GIT_CONFIG_SYSTEM": "/dev/null",
            "PASSWORD_STORE_DIR": folder + "/store",
        ]
        try write(
            "[user]\nname = n\nemail = e@example.org\n[init]\ndefaultBranch = main\n[gc]\nauto = 0\n",
            to: "gitconfig"
        )
        try make("bin")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func make(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(name)",
            withIntermediateDirectories: true
        )
    }

    /// Writes a file below ``folder``.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
        try writeFile(Data(bytes), to: URL(fileURLWithPath: "\(folder)/\(name)"), mode: mode)
    }

    /// Puts a program of this name before all others.
    func program(_ name: String, _ script: String) throws {
        try write("#!/bin/sh\n\(script)\n", to: "bin/\(name)", mode: 0o755)
    }

    func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    }

    func exists(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

    /// Runs the tool.
    ///
    /// A run that takes two minutes is ended, with status 137.
    @discardableResult
    func run(_ words: String..., input: String = "", with variables: [String: String] = [:]) throws -> Outcome
    {
        try run(words: words.map { Array($0.utf8) }, input: Array(input.utf8), with: variables)
    }

    @discardableResult
    func run(words: [[UInt8]], input: [UInt8] = [], with variables: [String: String] = [:]) throws -> Outcome
    {
        try execute([Array(Self.tool.utf8)] + words, input: input, with: variables)
    }

    /// Runs the tool below another program, such as `strace` with its options.
    @discardableResult
    func run(below program: [String], _ words: [String], input: String = "") throws -> Outcome {
        try execute((program + [Self.tool] + words).map { Array($0.utf8) }, input: Array(input.utf8))
    }

    /// Copies the keyring to a new folder, without the sockets, and the locks that come and go while others use it.
    func copyKeyring(to folder: String) throws {
        let script = "shopt -s nullglob; mkdir -m 700 $0; cd $GNUPGHOME; cp -a *.conf *.d *.kbx *.gpg *.db $0"
        try shell("bash -c '\(script)' '\(folder)'").check()
    }

    /// Runs a shell script with the tool as `$TOOL`, the store as `$S` and the fixture's folder as `$F`.
    @discardableResult
    func shell(_ script: String, input: String = "", with variables: [String: String] = [:]) throws -> Outcome
    {
        var variables = variables
        variables["TOOL"] = Self.tool
        variables["S"] = store
        variables["F"] = folder
        variables["ALICE"] = Keys.alice
        variables["BOB"] = Keys.bob
        return try execute(
            ["/bin/bash", "-c", script].map { Array($0.utf8) },
            input: Array(input.utf8),
            with: variables
        )
    }

    func execute(
        _ words: [[UInt8]],
        input: [UInt8] = [],
        with variables: [String: String] = [:]
    ) throws -> Outcome {
        let all = Environment(environment.merging(variables) { $1 })
        var child = Subprocess(
            "/usr/bin/timeout",
            ["-s", "KILL", "120"].map { Array($0.utf8) } + words,
            environment: all
        )
        child.input = .bytes(input)
        let outcome = try child.run()
        return Outcome(
            status: outcome.status,
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self)
        )
    }

    @discardableResult
    func git(_ words: String..., in folder: String? = nil) throws -> String {
        let outcome = try execute((["/usr/bin/git", "-C", folder ?? store] + words).map { Array($0.utf8) })
        return try outcome.check().output
    }

    func log() throws -> [String] { try git("log", "--format=%s").split(separator: "\n").map(String.init) }
    func status() throws -> String { try git("status", "--porcelain") }

    /// The entry as gpg itself decrypts it; `nil` when there is no file.
    func decrypted(_ name: String) throws -> String? {
        guard exists("store/\(name).gpg") else { return nil }
        return try Keys.ring.gpg(["-d", "\(store)/\(name).gpg"]).text
    }

    /// All files below the store but those of git, with what they hold; links with their targets.
    func everything() throws -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        for name in try paths() {
            let path = "\(store)/\(name)"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            switch attributes[.type] as? FileAttributeType {
            case .typeRegular?: result[name] = try read("store/\(name)")
            case .typeSymbolicLink?:
                result[name] = Array(try FileManager.default.destinationOfSymbolicLink(atPath: path).utf8)
            default: result[name + "/"] = []
            }
        }
        return result
    }

    /// The paths of everything below the store but what is in `.git`.
    func paths() throws -> [String] {
        let all = FileManager.default.subpaths(atPath: store) ?? []
        return all.filter { !$0.hasPrefix(".git/") && $0 != ".git" }.sorted()
    }

    /// Temporary files, journals and other things that should be gone after a run.
    func leftovers() throws -> [String] {
        (FileManager.default.subpaths(atPath: store) ?? []).filter { $0.contains("passchain-") }
    }
}

extension Outcome {
    struct Unexpected: Error, CustomStringConvertible {
        let outcome: Outcome
        var description: String { outcome.description }
    }

    @discardableResult
    func check(_ expected: Int32 = 0) throws -> Outcome {
        guard status == expected else { throw Unexpected(outcome: self) }
        return self
    }
}
