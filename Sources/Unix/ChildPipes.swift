internal import Glibc
internal import SecretMemory

/// The pipes between this process and one child.
struct ChildPipes {
    private var inputPipe: (reader: FileDescriptor, writer: FileDescriptor)?
    private var outputPipe: (reader: FileDescriptor, writer: FileDescriptor)?
    private var errorPipe: (reader: FileDescriptor, writer: FileDescriptor)?
    private var writer: FileDescriptor?
    private var outputReader: FileDescriptor?
    private var errorReader: FileDescriptor?

    /// What the child gets as descriptors 0, 1 and 2; -1 stands for `/dev/null`.
    let childInput: Int32
    let childOutput: Int32
    let childErrorOutput: Int32

    /// What was collected.
    private(set) var output: [UInt8] = []
    private(set) var errorOutput: [UInt8] = []

    init(
        input: Subprocess.Input,
        output: Subprocess.Output,
        errorOutput: Subprocess.Output
    ) throws(Errno) {
        switch input {
        case .nothing: childInput = -1
        case .inherited: childInput = 0
        case .secret, .bytes:
            let pipe = try openPipe()
            inputPipe = pipe
            writer = pipe.writer
            childInput = pipe.reader.number
        }
        let out = try ChildPipes.open(output, inherited: 1)
        outputPipe = out.pipe
        outputReader = out.pipe?.reader
        childOutput = out.number
        let error = try ChildPipes.open(errorOutput, inherited: 2)
        errorPipe = error.pipe
        errorReader = error.pipe?.reader
        childErrorOutput = error.number
    }

    private static func open(
        _ output: Subprocess.Output,
        inherited: Int32
    ) throws(Errno) -> (pipe: (reader: FileDescriptor, writer: FileDescriptor)?, number: Int32) {
        switch output {
        case .nowhere: return (nil, -1)
        case .inherited: return (nil, inherited)
        case .collected:
            let pipe = try openPipe()
            return (pipe, pipe.writer.number)
        }
    }

    /// Closes what only the child may hold, so that either side sees the other's end.
    mutating func closeChildEnds() {
        inputPipe = nil
        outputPipe = nil
        errorPipe = nil
    }

    /// Writes the input and reads the outputs, each as it becomes possible, up to their ends.
    mutating func transfer(_ input: Subprocess.Input) throws(Errno) {
        // A child that does not read must not end this process; GPGME ignores the signal as well.
        signal(SIGPIPE, SIG_IGN)
        switch input {
        case .nothing, .inherited: try transfer(UnsafeRawBufferPointer(start: nil, count: 0))
        case .bytes(let bytes):
            try bytes.span.withUnsafeBytes { (buffer) throws(Errno) in try transfer(buffer) }
        case .secret(let secret):
            try secret.withUnsafeBytes { (buffer) throws(Errno) in try transfer(buffer) }
        }
    }

    private mutating func transfer(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        if rest.isEmpty { writer = nil }
        if let writer { _ = fcntl(writer.number, F_SETFL, O_NONBLOCK) }
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while writer != nil || outputReader != nil || errorReader != nil {
            var polled = [
                pollfd(fd: writer?.number ?? -1, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: outputReader?.number ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorReader?.number ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard retrying({ Int(poll(&polled, 3, -1)) }) >= 0 else { throw Errno(.read, "pipe") }
            if polled[0].revents != 0, let descriptor = writer {
                let written = retrying { write(descriptor.number, rest.baseAddress, rest.count) }
                if written >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
                    if rest.isEmpty { writer = nil }
                } else if errno != EAGAIN {
                    writer = nil  // the child does not want the rest; its status tells why
                }
            }
            if polled[1].revents != 0, !ChildPipes.collect(outputReader, &block, into: &output) {
                outputReader = nil
            }
            if polled[2].revents != 0, !ChildPipes.collect(errorReader, &block, into: &errorOutput) {
                errorReader = nil
            }
        }
    }

    /// Reads once; false at the end.
    private static func collect(
        _ descriptor: FileDescriptor?,
        _ block: inout [UInt8],
        into bytes: inout [UInt8]
    ) -> Bool {
        guard let descriptor else { return false }
        let got = retrying { read(descriptor.number, &block, block.count) }
        guard got > 0 else { return false }
        bytes.append(contentsOf: block[..<got])
        return true
    }
}

private func openPipe() throws(Errno) -> (reader: FileDescriptor, writer: FileDescriptor) {
    var numbers: [Int32] = [-1, -1]
    guard pipe(&numbers) == 0 else { throw Errno(.open, "pipe") }
    for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    return (FileDescriptor(owning: numbers[0]), FileDescriptor(owning: numbers[1]))
}
