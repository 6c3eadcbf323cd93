internal import Foundation
internal import Glibc

/// A program could not be started.
public struct SpawnFailure: Error {
    public let program: String
    public let code: Int32
}

/// Runs a program to its end, with nothing on its standard input.
///
/// Foundation's `Process` will not do: called from a test, it hands the blocked signals of the test's thread on to the
/// program, which can then not be ended by them.
///
/// - Returns: its status (128 and the signal's number when it was killed) and all that it printed.
public func runProgram(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
) throws -> (status: Int32, output: String) {
    let pipe = Pipe()
    let writingEnd = pipe.fileHandleForWriting
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, writingEnd.fileDescriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, writingEnd.fileDescriptor, 2)

    let child = try spawn(program, arguments, environment: environment, actions: &actions)
    try writingEnd.close()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7F
    return (
        signal == 0 ? status >> 8 & 0xFF : 128 + signal,
        String(decoding: output, as: UTF8.self)
    )
}

/// Starts a program with no signal blocked or ignored.
private func spawn(
    _ program: String,
    _ arguments: [String],
    environment: [String: String],
    actions: UnsafePointer<posix_spawn_file_actions_t>
) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, actions, &attributes, &words, &variables)
    guard code == 0 else {
        throw SpawnFailure(program: program, code: code)
    }
    return child
}
