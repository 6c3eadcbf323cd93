internal import CUnix
internal import Glibc
package import SecretMemory

/// A program to be run, and how.
///
/// Children start with default signal actions (GPGME ignores `SIGPIPE` in this process), an empty signal mask and no
/// descriptor of ours but the three standard ones, or those that stand in their places, ``secondInputNumber`` and
/// ``heldFile``. A secret goes to a child's input only, never
/// into its arguments or environment.
package struct Subprocess: Sendable {
    /// What a child reads.
    package enum Input: Sendable {
        case nothing
        case inherited
        case secret(SecretBytes)
        case bytes([UInt8])
    }

    /// Where a child's output, or its error output, goes.
    package enum Output: Sendable, Equatable {
        case nowhere
        case inherited
        case collected
        /// Collected in memory that is wiped.
        case secret
        /// Read as it comes, by ``Subprocess/runStreaming(limit:)``, into memory that is wiped; never in a file.
        case stream
        /// To a descriptor, which the caller keeps open until the child has started.
        case descriptor(Int32)
    }

    /// The first of four numbers of descriptors that programs and scripts seldom use: 100, unless no process may have as
    /// many open.
    package static let firstFarNumber: Int32 = {
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return isKnown && limit.rlim_cur < 104 ? 20 : 100
    }()

    /// The program's path.
    package var program: Path
    /// What the program sees as its own name; its path when `nil`.
    package var name: [UInt8]?
    /// The arguments, without the program's own name.
    package var arguments: [[UInt8]]
    /// The environment, whole.
    package var environment: Environment
    /// The folder it starts in; the caller's when `nil`.
    package var folder: Path?
    /// What it reads.
    package var input = Input.nothing
    /// At which descriptor it finds that: at 0, or beyond 4, and then nothing at 0.
    package var inputNumber: Int32 = 0
    /// A file of ours that it, and what it starts, holds open under a number beyond the standard ones.
    package var heldFile: FileDescriptor?
    /// A secret besides, which it finds at ``secondInputNumber``.
    package var secondInput: SecretBytes?
    /// Where that is, beyond 4.
    package var secondInputNumber = Self.firstFarNumber + 3
    /// Where its output goes.
    package var output = Output.collected
    /// The descriptor of which that is true: 1, or beyond 4, and then 1 leads where the error output does.
    package var outputNumber: Int32 = 1
    /// Where its error output goes.
    package var errorOutput = Output.collected
    /// The descriptor of which that is true: 2, or beyond 4, and then 2 leads nowhere.
    package var errorNumber: Int32 = 2

    /// Makes a request with nothing to read and both outputs collected.
    package init(_ program: Path, _ arguments: [[UInt8]], environment: Environment, folder: Path? = nil) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
    }

    /// How a child ended, and what it wrote where that was collected.
    package struct Outcome: Sendable {
        /// 0 to 255, or 128 and the signal's number, as a shell counts.
        package var status: Int32
        /// What it wrote.
        package var output: [UInt8] = []
        /// What it wrote as errors.
        package var errorOutput: [UInt8] = []
        /// What it wrote where that is a secret.
        package var secretOutput = SecretBytes.empty
        /// Whether all of the input went into the child's pipe or file; else it ended, or stopped reading, before.
        package var isInputTaken = true
        /// The `TERM` or `HUP` that came while this process waited; see ``Subprocess/runInteractively()``.
        package var interruptedBy: Int32?
    }

    /// Runs the program and waits for its end, but not for the end of what it left running in the background.
    ///
    /// - Throws: ``Errno`` when it could not be started, or nobody can tell how it ended. How it ended is no error.
    package func run() throws(Errno) -> Outcome { try start().outcome() }

    /// Starts the program and gives it its input.
    ///
    /// - Throws: ``Errno`` when it could not be started.
    package func start() throws(Errno) -> RunningChild {
        var pipes = try ChildPipes(input: input, output: output, errorOutput: errorOutput)
        let child = try spawn(pipes)
        pipes.closeChildEnds()
        let isInputTaken = pipes.write(input)
        return RunningChild(self, child, pipes, isInputTaken: isInputTaken)
    }

    /// Runs the program with its output as a stream, and waits for the end of both.
    ///
    /// - Parameter limit: the most bytes that are taken of the output.
    /// - Returns: the outcome with the output in ``Outcome/secretOutput``; `nil` when there was more than `limit`.
    /// - Throws: ``Errno`` when it could not be started or read from. How it ended is no error.
    package func runStreaming(limit: Int) throws(Errno) -> Outcome? {
        var pipes = try ChildPipes(input: input, output: .stream, errorOutput: errorOutput)
        let child = try spawn(pipes)
        pipes.closeChildEnds()
        let isInputTaken = pipes.write(input)
        let secret = Result { () throws(Errno) in try pipes.readStream(limit: limit) }
        // Whoever still writes gets an error, and ends.
        pipes.closeStream()
        let status = try wait(for: child)
        guard let secret = try secret.get() else { return nil }
        return Outcome(
            status: status,
            errorOutput: try pipes.collectedErrorOutput(),
            secretOutput: secret,
            isInputTaken: isInputTaken
        )
    }

    /// Runs a program that talks to the user on the terminal, such as an editor, and waits for its end.
    ///
    /// An interrupt from the keyboard is the program's own affair. `TERM` and `HUP` end the wait, and the outcome says
    /// so; the program then goes on without us.
    ///
    /// - Parameter started: is handed the number of the process.
    /// - Returns: how it ended.
    /// - Throws: ``Errno`` when it could not be started. How it ended is no error.
    package func runInteractively(started: (Int32) -> Void = { _ in }) throws(Errno) -> Outcome {
        let pipes = try ChildPipes(input: .inherited, output: .inherited, errorOutput: .inherited)
        // Held from before it starts: it may send its interrupt before we have begun to wait.
        return try Interruption.held { () throws(Errno) in
            let child = try spawn(pipes)
            started(child)
            var (status, signal): (Int32, Int32) = (0, 0)
            guard cunix_wait_interruptibly(child, &status, &signal) == 0 else { throw Errno(.wait, program) }
            return Outcome(status: Subprocess.status(of: status), interruptedBy: signal == 0 ? nil : signal)
        }
    }

    /// Starts the program in a session of its own, and does not wait for it.
    ///
    /// It can write to a descriptor at most, and outlives this process and its terminal. `input` of a secret is handed
    /// over through a pipe, and must fit into one (64 KiB).
    ///
    /// - Parameter holdingEndSignals: whether `TERM` and `HUP` wait until it is ready for them; see
    ///   ``FileDescriptor/endSignals()``.
    /// - Returns: its process id, for a caller that lives long enough to have to wait for it some time.
    /// - Throws: ``Errno`` when it could not be started.
    @discardableResult
    package func startDetached(holdingEndSignals: Bool = false) throws(Errno) -> Int32 {
        var output = output
        if case .collected = output { output = .nowhere }
        var pipes = try ChildPipes(input: input, output: output, errorOutput: .nowhere)
        let child = try spawn(pipes, newSession: true, holdingEndSignals: holdingEndSignals)
        pipes.closeChildEnds()
        _ = pipes.write(input)
        return child
    }

    /// Replaces this process by the program, with the three standard descriptors as they are.
    ///
    /// - Throws: ``Errno`` when that cannot be done; it returns in no other case.
    package func exec() throws(Errno) -> Never {
        try check()
        withArguments { program, arguments, environment in
            _ = cunix_exec(program, arguments, environment)
        }
        throw Errno(.start, program)
    }

    /// Refuses what C would cut: the program would be given something else than was meant.
    private func check() throws(Errno) {
        if let index = arguments.firstIndex(where: \.holdsNUL) {
            let place = program.withSuffix(": argument \(index + 1), which holds a NUL")
            throw Errno(.start, place, code: EINVAL)
        }
        if let name, name.holdsNUL {
            throw Errno(.start, program.withSuffix(": its name, which holds a NUL"), code: EINVAL)
        }
        if let variable = environment.unusableNames.min() {
            let name = variable.filter { $0 != "\0" }
            let place = program.withSuffix(": variable \(name), which cannot be set")
            throw Errno(.start, place, code: EINVAL)
        }
    }

    private func spawn(
        _ pipes: ChildPipes,
        newSession: Bool = false,
        holdingEndSignals: Bool = false
    ) throws(Errno) -> pid_t {
        try check()
        var secondFile: FileDescriptor?
        if let secondInput { secondFile = try ChildPipes.file(holding: .secret(secondInput)) }
        defer { withExtendedLifetime(secondFile) {} }
        let child = withArguments { program, arguments, environment in
            withCString(folder?.bytes ?? []) { folderText in
                var request = cunix_spawn_request()
                request.program = program
                request.arguments = UnsafePointer(arguments)
                request.environment = UnsafePointer(environment)
                request.folder = folder == nil ? nil : folderText
                request.standard_input = pipes.childInput
                request.input_number = inputNumber
                request.standard_output = pipes.childOutput
                request.output_number = outputNumber
                request.standard_error = pipes.childErrorOutput
                request.error_number = errorNumber
                request.second_input = secondFile?.number ?? -1
                request.second_input_number = secondInputNumber
                request.held_file = heldFile?.number ?? -1
                request.new_session = newSession ? 1 : 0
                request.holds_end_signals = holdingEndSignals ? 1 : 0
                return cunix_spawn(&request)
            }
        }
        guard child > 0 else { throw Errno(.start, program) }
        return child
    }

    func wait(for child: pid_t) throws(Errno) -> Int32 {
        var status: Int32 = 0
        guard cunix_wait(child, &status) == 0 else { throw Errno(.wait, program) }
        return Subprocess.status(of: status)
    }

    private typealias CStrings = UnsafeMutablePointer<UnsafePointer<CChar>?>

    /// Calls `body` with the C strings that `exec` wants, which live as long as the call.
    private func withArguments<Result>(
        _ body: (UnsafePointer<CChar>, CStrings, CStrings) -> Result
    ) -> Result {
        withCStrings([name ?? program.bytes] + arguments) { arguments in
            withCStrings(environment.assignments) { environment in
                withCString(program.bytes) { body($0, arguments, environment) }
            }
        }
    }

    /// The status as a shell counts it, of the one that `wait` gives.
    private static func status(of waitStatus: Int32) -> Int32 {
        let signal = waitStatus & 0x7f
        return signal == 0 ? (waitStatus >> 8) & 0xff : 128 + signal
    }
}
