// Part of passchain. See LICENSE.

internal import Foundation

/// Runs a program to its end.
///
/// - Returns: its status (a signal's number when it was killed) and all that it printed.
public func runProgram(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
