import Foundation
import TestSupport

/// A program that tests run, found by its path.
struct Program {
    let path: String

    static let getopt = Program(path: "/usr/bin/getopt")
    static let bash = Program(path: "/bin/bash")
    static let zsh = Program(path: "/usr/bin/zsh")
    static let fish = Program(path: "/usr/bin/fish")
    static let mandoc = Program(path: "/usr/bin/mandoc")
    static let shellcheck = Program(path: "/usr/bin/shellcheck")
    static let expect = Program(path: "/usr/bin/expect")

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Result {
        let status: Int32
        /// What the program wrote to its standard output, and then what it wrote to its standard error.
        let output: [UInt8]
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs the program to its end, for five minutes at most, without anything on its standard input.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        let outcome = try runProgram(
            "timeout",
            ["--kill-after=5", "300", path] + arguments,
            environment: ["PATH": TestPrograms.folder, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        )
        return Result(status: outcome.status, output: outcome.output + outcome.errors)
    }
}

/// A folder that goes away with the object.
final class TemporaryFolder {
    private let url: URL

    /// Where it is.
    var path: String { url.path }

    init() throws {
        url = URL(fileURLWithPath: "/tmp/grammar-\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// What is in a file that is then removed; nothing when there is none.
    func take(_ name: String) throws -> [UInt8] {
        let file = url.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        defer { try? FileManager.default.removeItem(at: file) }
        return try [UInt8](Data(contentsOf: file))
    }

    /// Writes a file into the folder and says where it is.
    func write(_ bytes: [UInt8], to name: String, executable: Bool = false) throws -> String {
        let file = url.appendingPathComponent(name)
        try writeFile(Data(bytes), to: file, mode: executable ? 0o755 : 0o600)
        return file.path
    }
}
