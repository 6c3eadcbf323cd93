internal import PasswordStore
internal import Unix

/// The user's editor: `EDITOR` with its arguments, else Debian's `editor`, else `vi`.
struct Editor {
    /// The command as the user wrote it, for the commit's text.
    let command: [UInt8]
    private let child: Subprocess
    private let output: Output

    /// Finds the editor, before anything is decrypted for it.
    init(_ session: Session) throws(Failure) {
        output = session.output
        let environment = session.environment
        let fallback = ["editor", "vi"].map { Array($0.utf8) }.first { environment.findProgram($0) != nil }
        let words = environment.words("EDITOR")
        command = words.isEmpty ? fallback ?? Array("vi".utf8) : environment["EDITOR"] ?? []
        let parts = words.isEmpty ? [command] : words
        // A path with a blank in it is a program too, as long as there is such a file.
        if let whole = environment.findProgram(command), command.contains(UInt8(ascii: "/")) {
            child = Subprocess(whole, [], environment: environment)
        } else if let program = environment.findProgram(parts[0]) {
            child = Subprocess(program, Array(parts.dropFirst()), environment: environment)
        } else {
            throw Failure("Error: the editor \(parts[0]) is not in PATH. Set EDITOR.")
        }
    }

    /// Lets the user edit a file, and waits.
    func edit(_ file: SecretFile) throws(Failure) -> Subprocess.Outcome {
        try output.flush()
        var child = child
        child.arguments.append(file.path.bytes)
        do throws(Errno) {
            return try child.runInteractively(in: file.folder)
        } catch {
            throw Failure("Error: cannot start the editor \(child.program): \(error.reason).")
        }
    }
}
