internal import CUnix
internal import Glibc
package import SecretMemory

/// Reading from the user: a line, shown or hidden.
package enum Terminal {
    /// Reads one line from descriptor 0, and nothing behind it.
    ///
    /// - Parameters:
    ///   - echoing: whether the terminal shows what is typed. A pipe or file is read either way.
    ///   - prompt: asks for the line, once nothing is shown any more that should not be.
    /// - Returns: the line without its line end, and whether it had one; `nil` at the end of input.
    /// - Throws: ``Errno`` when the terminal cannot be read or hidden.
    package static func readLine(
        echoing: Bool,
        prompt: () -> Void = {}
    ) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        let input = FileDescriptor.standardInput
        guard !echoing, input.isTerminal else {
            prompt()
            return try input.readSecretLine()
        }
        var settings = termios()
        guard tcgetattr(input.number, &settings) == 0, cunix_interruption_keep_terminal(input.number) == 0
        else { throw Errno(.read, "terminal") }
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        defer {
            var before = before
            tcsetattr(input.number, TCSADRAIN, &before)
            _ = cunix_interruption_keep_terminal(-1)
        }
        guard tcsetattr(input.number, TCSADRAIN, &settings) == 0 else { throw Errno(.read, "terminal") }
        prompt()
        return try input.readSecretLine()
    }

    /// The path of the terminal on a descriptor, for `GPG_TTY`; `nil` when it is none.
    package static func name(of descriptor: FileDescriptor) -> Path? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor.number, &name, name.count) == 0 else { return nil }
        return Path(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    }
}
