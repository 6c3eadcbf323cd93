import CUnix
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import Unix

/// A terminal of our own: what is written to `master` is typed.
struct PseudoTerminal {
    let master: Int32
    let slave: Int32

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        // Unlocks it and asks for its number: TIOCSPTLCK and TIOCGPTN, which are macros with arguments in C.
        var zero: Int32 = 0
        var number: Int32 = -1
        guard master >= 0, ioctl(master, 0x4004_5431, &zero) == 0, ioctl(master, 0x8004_5430, &number) == 0
        else {
            throw Errno(.open, "/dev/ptmx")
        }
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Errno(.open, "/dev/pts") }
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// What the terminal shows so far.
    func shown() -> String {
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let got = read(master, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, got)], as: UTF8.self)
    }

    var echoes: Bool {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }
}

@Suite struct TerminalTests {
    @Test func hidesWhatIsTypedAndPutsTheTerminalBack() async {
        await #expect(processExitsWith: .success) {
            let terminal = try PseudoTerminal()
            dup2(terminal.slave, 0)
            // Turning echo off waits for what is typed before to be shown; so type after that, from a thread.
            var thread = pthread_t()
            let box = Unmanaged.passRetained(TypingThread(terminal)).toOpaque()
            pthread_create(
                &thread,
                nil,
                { Unmanaged<TypingThread>.fromOpaque($0!).takeRetainedValue().run() },
                box
            )
            guard let answer = try Terminal.readLine(.hidden) else { exit(1) }
            pthread_join(thread, nil)
            guard answer.isTerminated,
                answer.line.isEqual(to: SecretBytes(copying: Array("hidden".utf8).span))
            else { exit(2) }
            guard terminal.echoes else { exit(3) }
            guard !terminal.shown().contains("hidden") else { exit(4) }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aSignalPutsTheTerminalBack(_ signal: Int32) async throws {
        // The terminal lives on in this process, whose child is interrupted while it asks.
        let terminal = try PseudoTerminal()
        let name = Terminal.name(of: FileDescriptor(owning: dup(terminal.slave)))
        await #expect(processExitsWith: .signal(signal)) { [signal, name = "\(name ?? "")"] in
            Interruption.installForTest()
            dup2(open(name, O_RDWR | O_NOCTTY), 0)
            let parent = pthread_self()
            var thread = pthread_t()
            let box = Unmanaged.passRetained(InterruptingThread(parent, signal)).toOpaque()
            pthread_create(
                &thread,
                nil,
                { Unmanaged<InterruptingThread>.fromOpaque($0!).takeRetainedValue().run() },
                box
            )
            _ = try Terminal.readLine(.hidden)
        }
        #expect(terminal.echoes)
    }

    @Test func readsALineAtATimeAndNothingBehindIt() async {
        await #expect(processExitsWith: .success) {
            var numbers: [Int32] = [0, 0]
            pipe(&numbers)
            dup2(numbers[0], 0)
            let text = Array("one\n\ntwo  \nlast".utf8)
            _ = text.withUnsafeBytes { write(numbers[1], $0.baseAddress, $0.count) }
            close(numbers[1])
            let expected: [(String, Bool)] = [("one", true), ("", true), ("two  ", true), ("last", false)]
            for (line, isTerminated) in expected {
                guard let answer = try Terminal.readLine(.hidden),
                    answer.line.isEqual(to: SecretBytes(copying: Array(line.utf8).span)),
                    answer.isTerminated == isTerminated
                else { exit(1) }
            }
            guard try Terminal.readLine(.edited) == nil else { exit(2) }
        }
    }

    @Test func whatIsNoTerminalHasNoName() throws {
        let file = FileDescriptor(owning: open("/dev/null", O_RDONLY))
        #expect(Terminal.name(of: file) == nil)
        #expect(!file.isTerminal)
        let terminal = try PseudoTerminal()
        let slave = FileDescriptor(owning: terminal.slave)
        #expect(slave.isTerminal)
        #expect("\(try #require(Terminal.name(of: slave)))".hasPrefix("/dev/pts/"))
    }
}

private final class TypingThread {
    private let terminal: PseudoTerminal
    init(_ terminal: PseudoTerminal) { self.terminal = terminal }

    func run() -> UnsafeMutableRawPointer? {
        while terminal.echoes { usleep(1000) }
        terminal.type("hidden\n")
        return nil
    }
}

private final class InterruptingThread {
    private let thread: pthread_t
    private let signal: Int32
    init(_ thread: pthread_t, _ signal: Int32) {
        self.thread = thread
        self.signal = signal
    }

    func run() -> UnsafeMutableRawPointer? {
        var settings = termios()
        repeat {
            usleep(1000)
            tcgetattr(0, &settings)
        } while settings.c_lflag & tcflag_t(ECHO) != 0
        pthread_kill(thread, signal)
        return nil
    }
}
