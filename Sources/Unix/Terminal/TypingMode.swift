internal import CUnix
internal import Glibc
internal import SecretMemory

/// The terminal while a line is typed: it hands over each byte at once, shows nothing, and raises no signal.
///
/// In its usual mode the kernel keeps no more than 4,095 bytes of a line, and drops the others without a word. The usual
/// mode comes back when this object goes away, when a signal ends the process, and while the process is stopped.
final class TypingMode {
    /// What the terminal acts upon in its usual mode.
    let characters: TerminalCharacters
    /// Where to write what the terminal is to show; `nil` when it shows nothing, or cannot be written to.
    private let screen: FileDescriptor?
    private let input: FileDescriptor

    /// Sets the mode.
    ///
    /// With `marksPastes`, the terminal says where a text begins and ends that is pasted.
    ///
    /// - Throws: ``Errno`` when the terminal's settings cannot be read or set.
    init(_ input: FileDescriptor, marksPastes: Bool) throws(Errno) {
        var settings = termios()
        guard tcgetattr(input.number, &settings) == 0 else { throw Errno(.read, "terminal") }
        let characters = TerminalCharacters(settings)
        // Where nothing of what is typed shows in the usual mode, as below a program of Emacs', nothing shows here.
        let isEchoing = settings.c_lflag & tcflag_t(ECHO) != 0
        let screen = isEchoing ? TypingMode.screen(of: input) : nil
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHOE | ECHOK | ECHONL | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        let marking = marksPastes ? screen?.number ?? -1 : -1
        guard cunix_typing_begin(input.number, marking, &settings) == 0 else {
            throw Errno(.read, "terminal")
        }
        self.input = input
        self.characters = characters
        self.screen = screen
    }

    deinit { cunix_typing_end() }

    /// The input itself, where it can be written to; else the same terminal, opened anew.
    private static func screen(of input: FileDescriptor) -> FileDescriptor? {
        guard fcntl(input.number, F_GETFL) & O_ACCMODE != O_RDWR else { return input }
        let number = open("/proc/self/fd/\(input.number)", O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        return number < 0 ? nil : FileDescriptor(owning: number)
    }

    /// Reads one byte.
    ///
    /// - Parameter resumed: called when the process was stopped and goes on.
    /// - Returns: the byte; `nil` at the end of input, as after a hangup.
    /// - Throws: ``Errno``.
    func readByte(resumed: () -> Void) throws(Errno) -> UInt8? {
        var byte: UInt8 = 0
        defer { byte = 0 }
        while true {
            // A key stops the process in between, a signal within the call.
            if cunix_typing_resumed() != 0 { resumed() }
            let got = read(input.number, &byte, 1)
            let failure = got < 0 ? errno : 0
            switch (got, failure) {
            case (1, _): return byte
            case (0, _): return nil
            case (_, EINTR): continue
            case (_, EAGAIN): _ = waits(milliseconds: -1)
            default: throw Errno(.read, "terminal", code: failure)
            }
        }
    }

    /// Whether something is typed already.
    var hasInput: Bool { waits(milliseconds: 0) }

    private func waits(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: input.number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// Does what the terminal does in its usual mode for a character that raises a signal.
    func raise(_ signal: Int32) {
        if !characters.keepsTypedAhead { discardInput() }
        // The terminal signals the group in its foreground. Where it is not the one that controls this process, that
        // group is another's.
        kill(tcgetpgrp(input.number) == getpgrp() ? 0 : getpid(), signal)
    }

    /// Drops what is typed and not read.
    private func discardInput() { tcflush(input.number, TCIFLUSH) }

    /// Shows something; the line counts, whether or not it can be shown.
    func show(_ secret: SecretBytes) { try? screen?.write(secret) }
    func show(_ bytes: [UInt8]) { try? screen?.write(bytes) }

    /// How many columns the terminal has; 80 when it does not say.
    var columns: Int {
        var size = winsize()
        return ioctl(input.number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
