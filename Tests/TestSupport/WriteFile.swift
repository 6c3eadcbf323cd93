public import Foundation

/// Writes a file with these permissions; one that can be run can be run at once.
///
/// Tests run side by side, and some start programs. A program that is started while this process has an executable
/// open for writing goes on holding it open, and for as long as it lives nobody can run that executable ("Text file
/// busy"). So an executable is written by a process of its own, which nobody inherits from.
public func writeFile(_ bytes: Data, to file: URL, mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
    )
    guard mode & 0o111 != 0 else {
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return
    }
    let text = URL(fileURLWithPath: file.path + ".text")
    try bytes.write(to: text)
    defer { try? FileManager.default.removeItem(at: text) }
    let words = ["-m", String(mode, radix: 8), text.path, file.path]
    let outcome = try runProgram("/usr/bin/install", words, environment: [:])
    guard outcome.status == 0 else { throw CocoaError(.fileWriteUnknown) }
}
