internal import Glibc
internal import Unix

/// How a program ended, and what it wrote.
public struct ProgramOutcome: Error, Sendable, CustomStringConvertible {
    /// 0 to 255, or 128 and the number of the signal that ended it.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: [UInt8]
    /// What it wrote to standard error.
    public let errors: [UInt8]

    /// The output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// What it wrote as errors, as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// All of it, for messages of tests.
    public var description: String { "status \(status)\n\(text)--- errors ---\n\(errorText)" }
}

/// Runs a program to its end, with nothing but `environment` of this process.
///
/// Foundation's `Process` will not do: called from a test, it hands the blocked signals of the test's thread on to the
/// program, which can then not be ended by them.
///
/// - Parameters:
///   - program: its path, or a name among ``TestPrograms``.
///   - arguments: without the program's own name.
///   - input: what it reads; nothing by default.
///   - environment: all of its variables.
/// - Returns: its status and what it wrote.
/// - Throws: `Errno` when it cannot be started. A non-zero status is not an error.
public func runProgram(
    _ program: String,
    _ arguments: [String],
    input: [UInt8] = [],
    environment: [String: String]
) throws -> ProgramOutcome {
    let path = program.contains("/") ? program : "\(TestPrograms.folder)/\(program)"
    var child = Subprocess(
        Path(path),
        arguments.map { Array($0.utf8) },
        environment: Environment(environment)
    )
    child.input = .bytes(input)
    let outcome = try child.run()
    return ProgramOutcome(status: outcome.status, output: outcome.output, errors: outcome.errorOutput)
}

/// The number of a process that has ended.
public func endedProcess() throws -> Int32 {
    let child = Subprocess("/bin/true", [], environment: Environment())
    let number = try child.startDetached()
    while waitpid(number, nil, 0) == -1, errno == EINTR {}
    return number
}
