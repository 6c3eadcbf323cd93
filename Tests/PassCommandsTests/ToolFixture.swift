// swift-format-ignore-file: NeverUseForceTry
import Foundation
import TestSupport
import Unix

/// A git store with one key, and the built tool to use it with.
final class ToolFixture: Sendable {
    private static let keyring = try! TestKeyring()
    static let fingerprint = try! keyring.makeKey("Alice <alice@example.org>")
    static let otherFingerprint = try! keyring.makeKey("Bob <bob@example.org>")

    private static let tool = Tool.underTest.url.path

    /// The folder of small programs that stand in for others.
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    let folder: String
    var store: String { folder + "/store" }

    init() throws {
        folder = "/tmp/pc-tool-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        try write("[user]\nname = n\nemail = e@example.org\n[init]\ndefaultBranch = main\n", to: "gitconfig")
        for name in ["pass", "passchain"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/bin/\(name)",
                withDestinationPath: ToolFixture.tool
            )
        }
        _ = try git("init", "-q")
        try write(ToolFixture.fingerprint + "\n", to: "store/.gpg-id")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try writeFile(Data(text.utf8), to: URL(fileURLWithPath: "\(folder)/\(name)"), mode: mode)
    }

    /// How a run of the tool ended.
    struct Outcome: Error, Equatable, CustomStringConvertible {
        var output: String
        var errors: String
        var status: Int32
        var description: String { "status \(status)\n\(output)--- errors ---\n\(errors)" }
    }

    var environment: Environment {
        Environment([
            "PATH": "\(folder)/bin:\(TestPrograms.folder)", "HOME": folder, "LC_ALL": "C.UTF-8",
            "GNUPGHOME": ToolFixture.keyring.home, "GIT_CONFIG_GLOBAL": folder + "/gitconfig",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PASSWORD_STORE_DIR": store,
        ])
    }

    /// Runs the tool, by default as `pass`.
    @discardableResult
    func run(
        _ words: String...,
        input: String = "",
        as name: String = "pass",
        with variables: [String: String] = [:]
    ) throws -> Outcome {
        try run(words, input: .bytes(Array(input.utf8)), as: name, with: variables)
    }

    /// Runs the tool with words and input of any bytes.
    @discardableResult
    func run(
        _ words: [String],
        input: Subprocess.Input = .nothing,
        as name: String = "pass",
        with variables: [String: String] = [:]
    ) throws -> Outcome {
        var environment = environment
        for (name, value) in variables { environment[name] = Array(value.utf8) }
        var child = Subprocess(
            Path("\(folder)/bin/\(name)"),
            words.map { Array($0.utf8) },
            environment: environment
        )
        child.input = input
        let outcome = try child.run()
        return Outcome(
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    func git(_ arguments: String...) throws -> String {
        let words = (["-C", store] + arguments).map { Array($0.utf8) }
        let outcome = try Subprocess("/usr/bin/git", words, environment: environment).run()
        return String(decoding: outcome.output, as: UTF8.self)
    }

    /// The text of the last commit.
    func lastCommit() throws -> String { try git("log", "-1", "--format=%s") }

    /// Signs a file with the store's key, beside it.
    func sign(_ file: String) throws {
        try ToolFixture.keyring.gpg(["-u", ToolFixture.fingerprint, "--detach-sign", file])
    }

    /// Makes an entry of exactly these bytes.
    func insert(_ contents: String, as name: String) throws {
        let outcome = try run("insert", "-m", "-f", name, input: contents)
        guard outcome.status == 0 else { throw outcome }
    }

    /// The bytes of an entry.
    func contents(of name: String) throws -> String { try run("show", name).output }
}
