internal import CUnix
internal import Glibc
internal import SecretMemory

/// What connects this process with one child: a pipe for what it reads, and files in memory for what it writes; or
/// the other way round for a stream.
///
/// Files, because a child may leave a process of its own in the background, such as a hook that pushes: a pipe would
/// make us wait for that one's end, or end it by `SIGPIPE` when we do not.
struct ChildPipes {
    /// What the child reads from: a pipe's end, or a file that holds all of it.
    private var inputReader: FileDescriptor?
    private var inputWriter: FileDescriptor?
    private var streamReader: FileDescriptor?
    private var streamWriter: FileDescriptor?
    private let outputFile: FileDescriptor?
    private let errorFile: FileDescriptor?

    /// What the child gets as descriptors 0, 1 and 2; -1 stands for `/dev/null`.
    let childInput: Int32
    let childOutput: Int32
    let childErrorOutput: Int32

    init(
        input: Subprocess.Input,
        output: Subprocess.Output,
        errorOutput: Subprocess.Output
    ) throws(Errno) {
        switch input {
        case .nothing: childInput = -1
        case .inherited: childInput = 0
        case .secret, .bytes:
            // With two pipes each side could wait for the other: the child to be read from, and we to be read from.
            if output == .stream {
                let file = try ChildPipes.file(holding: input)
                inputReader = file
                childInput = file.number
                break
            }
            let pipe = try openPipe()
            inputReader = pipe.reader
            inputWriter = pipe.writer
            childInput = pipe.reader.number
        }
        if output == .stream {
            let pipe = try openPipe()
            streamReader = pipe.reader
            streamWriter = pipe.writer
            (outputFile, childOutput) = (nil, pipe.writer.number)
        } else {
            (outputFile, childOutput) = try ChildPipes.open(output, inherited: 1)
        }
        (errorFile, childErrorOutput) = try ChildPipes.open(errorOutput, inherited: 2)
    }

    private static func open(
        _ output: Subprocess.Output,
        inherited: Int32
    ) throws(Errno) -> (file: FileDescriptor?, number: Int32) {
        switch output {
        case .nowhere, .stream: return (nil, -1)
        case .inherited: return (nil, inherited)
        case .descriptor(let number): return (nil, number)
        case .collected, .secret:
            let file = try memoryFile("output")
            return (file, file.number)
        }
    }

    /// A file in memory, at its start, with the whole input in it.
    static func file(holding input: Subprocess.Input) throws(Errno) -> FileDescriptor {
        let file = try memoryFile("input")
        switch input {
        case .nothing, .inherited: break
        case .bytes(let bytes): try file.write(bytes)
        case .secret(let secret): try file.write(secret)
        }
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw Errno(.write, "a file in memory") }
        return file
    }

    private static func memoryFile(_ name: String) throws(Errno) -> FileDescriptor {
        let number = cunix_memory_file(name)
        guard number >= 0 else { throw Errno(.open, "a file in memory") }
        return FileDescriptor(owning: number)
    }

    /// Closes what only the child may hold, so that either side sees the other's end.
    mutating func closeChildEnds() {
        inputReader = nil
        streamWriter = nil
    }

    /// Writes the input into its pipe, as far as the child wants it, and answers whether that was all.
    mutating func write(_ input: Subprocess.Input) -> Bool {
        // A child that does not read must not end this process, whose own affair the signal's action is. That it does
        // not read all is no error of ours: its status tells why.
        let hold = cunix_hold_pipe_signal()
        defer {
            inputWriter = nil
            cunix_release_pipe_signal(hold)
        }
        do throws(Errno) {
            switch input {
            case .nothing, .inherited: break
            case .bytes(let bytes): try inputWriter?.write(bytes)
            case .secret(let secret): try inputWriter?.write(secret)
            }
            return true
        } catch {
            return false
        }
    }

    /// Reads what the child writes until it ends it; `nil` when that is more than `limit` bytes.
    func readStream(limit: Int) throws(Errno) -> SecretBytes? {
        guard let streamReader else { return .empty }
        var buffer = SecretBuffer()
        while true {
            let size = min(max(4 * 1024, buffer.count), 64 * 1024)
            let got = try buffer.appendUninitialized(upTo: size) { (block) throws(Errno) in
                let got = retrying(on: streamReader.number, until: POLLIN) {
                    Glibc.read(streamReader.number, block.baseAddress, block.count)
                }
                guard got >= 0 else { throw Errno(.read, "a pipe") }
                return got
            }
            if got == 0 { return buffer.finish() }
            if buffer.count > limit { return nil }
        }
    }

    /// Takes no more of what the child writes.
    mutating func closeStream() { streamReader = nil }

    /// What the child wrote, where that was to be collected.
    func collectedOutput() throws(Errno) -> [UInt8] { try ChildPipes.content(of: outputFile) }

    /// What the child wrote as errors, where that was to be collected.
    func collectedErrorOutput() throws(Errno) -> [UInt8] { try ChildPipes.content(of: errorFile) }

    /// What the child wrote, where that was to be collected as a secret.
    ///
    /// The file's own pages go back to the kernel with its last descriptor, and it clears them before it gives them to
    /// anybody else.
    func collectedSecret() throws(Errno) -> SecretBytes {
        guard let outputFile else { return .empty }
        let size = try outputFile.status().size
        var buffer = SecretBuffer(capacity: size)
        while buffer.count < size {
            let start = buffer.count
            let got = try buffer.appendUninitialized(upTo: size - start) { (block) throws(Errno) in
                let got = ChildPipes.read(outputFile, into: block, from: start)
                guard got >= 0 else { throw Errno(.read, "a file in memory") }
                return got
            }
            if got == 0 { break }
        }
        return buffer.finish()
    }

    private static func content(of file: FileDescriptor?) throws(Errno) -> [UInt8] {
        guard let file else { return [] }
        let size = try file.status().size
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let got = bytes.withUnsafeMutableBytes { buffer in
                read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), from: filled)
            }
            guard got >= 0 else { throw Errno(.read, "a file in memory") }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    /// Reads by position: the file's own one is shared with whoever still writes.
    private static func read(
        _ file: FileDescriptor,
        into block: UnsafeMutableRawBufferPointer,
        from position: Int
    ) -> Int {
        retrying { pread(file.number, block.baseAddress, block.count, off_t(position)) }
    }
}

private func openPipe() throws(Errno) -> (reader: FileDescriptor, writer: FileDescriptor) {
    var numbers: [Int32] = [-1, -1]
    guard cunix_pipe(&numbers) == 0 else { throw Errno(.open, "pipe") }
    return (FileDescriptor(owning: numbers[0]), FileDescriptor(owning: numbers[1]))
}
