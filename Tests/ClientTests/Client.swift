// swift-format-ignore-file: NeverUseForceTry
import Foundation
import TestSupport
import Testing
import Unix

/// A store of its own, in which a program calls the tool as `pass`, and the program's surroundings.
final class Client: Sendable {
    private static let keyring = try! TestKeyring()
    static let key = try! keyring.makeKey("Alice <alice@example.org>")

    /// The project's top folder.
    static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where `install-clients.sh` unpacks Debian's packages.
    static let debian = top.appending(path: ".build/clients/debian").path

    /// Where the modules are that Python finds for them.
    static let pythonModules = "\(debian)/usr/lib/python3/dist-packages"

    /// Where programs are that `install-clients.sh` gets.
    private static let folders = [
        "\(debian)/usr/bin", "\(debian)/usr/lib/browserpass",
        top.appending(path: ".build/clients/python/bin").path,
    ]

    /// Where it puts pass's own sources.
    static let upstream = top.appending(path: ".build/upstream/password-store")

    /// Whether a program, or another file, is installed.
    static func has(_ path: String) -> Bool {
        path.contains("/")
            ? FileManager.default.fileExists(atPath: path)
            : TestPrograms.have(path)
                || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(path)") }
    }

    let home: TemporaryStore
    var folder: String { home.home.path }
    var store: String { home.root.path }

    /// Makes an initialized store with these entries.
    init(_ entries: [String: String] = [:]) throws {
        home = try TemporaryStore()
        let bin = home.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try Tool.underTest.link(as: "pass", in: bin)
        try pass("init", Client.key)
        for (name, contents) in entries { try pass("insert", "-m", name, input: contents) }
    }

    /// What a program left behind.
    struct Outcome: Error, CustomStringConvertible {
        var output: [UInt8]
        var errors: String
        var status: Int32
        var text: String { String(decoding: output, as: UTF8.self) }
        var description: String { "status \(status)\n\(text)--- errors ---\n\(errors)" }
    }

    private var environment: Environment {
        Environment([
            "PATH": (["\(folder)/bin", TestPrograms.folder] + Client.folders).joined(separator: ":"),
            "PYTHONPATH": Client.pythonModules, "HOME": folder,
            "LC_ALL": "C.UTF-8",
            "GNUPGHOME": Client.keyring.home, "PASSWORD_STORE_DIR": store, "TMPDIR": folder,
            "GIT_CONFIG_NOSYSTEM": "1",
        ])
    }

    /// Runs a program, and throws unless it ends with status 0.
    @discardableResult
    func run(
        _ program: String,
        _ words: [String],
        input: [UInt8] = [],
        with variables: [String: String] = [:]
    ) throws -> Outcome {
        let outcome = try outcome(program, words, input: input, with: variables)
        guard outcome.status == 0 else { throw outcome }
        return outcome
    }

    /// Runs a program, whatever its status.
    func outcome(
        _ program: String,
        _ words: [String],
        input: [UInt8] = [],
        with variables: [String: String] = [:]
    ) throws -> Outcome {
        var environment = environment
        for (name, value) in variables { environment[name] = Array(value.utf8) }
        let path = try #require(environment.findProgram(Array(program.utf8)), "\(program) is not installed")
        // Not for ever: some of the programs are not ours.
        let limit = ["--kill-after=5", "300"].map { Array($0.utf8) } + [path.bytes]
        let words = limit + words.map { Array($0.utf8) }
        var child = Subprocess("/usr/bin/timeout", words, environment: environment)
        child.input = .bytes(input)
        let outcome = try child.run()
        return Outcome(
            output: outcome.output,
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    /// Runs the tool as `pass`; the answer is what it prints.
    @discardableResult
    func pass(_ words: String..., input: String = "") throws -> String {
        try run("pass", words, input: Array(input.utf8)).text
    }

    /// Writes a file below the home.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = home.home.appending(path: name)
        try writeFile(Data(text.utf8), to: file, mode: mode)
        return file.path
    }

    /// The text of a file below the home.
    func text(of name: String) throws -> String {
        try String(contentsOf: home.home.appending(path: name), encoding: .utf8)
    }
}
