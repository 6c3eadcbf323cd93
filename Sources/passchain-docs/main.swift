internal import Glibc
internal import Unix

// Prints the files that are generated from the descriptions of the commands: without a word their paths, with a path
// that file. `make generate` writes them, and `make check` compares.

let words = Process.arguments().dropFirst().map { String(decoding: $0, as: UTF8.self) }
let text: String
switch words.count {
case 0: text = Manual.files.map { $0.path + "\n" }.joined()
default:
    guard words.count == 1, let file = Manual.files.first(where: { $0.path == words[0] }) else {
        try FileDescriptor.standardError.write(
            Array("Usage: passchain-docs [path]; without a path the paths are printed.\n".utf8)
        )
        exit(1)
    }
    text = file.text
}
try FileDescriptor.standardOutput.write(Array(text.utf8))
