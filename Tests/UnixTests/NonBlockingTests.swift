// swift-format-ignore-file: NeverForceUnwrap
import Glibc
import SecretMemory
import Testing

@testable import Unix

/// Descriptors that another program has made non-blocking.
@Suite(.timeLimit(.minutes(10))) struct NonBlockingTests {
    private static let pipeSize: Int32 = 4096
    private static let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }

    /// A pipe of one page, both ends of which do not block.
    private static func smallPipe() -> (reader: FileDescriptor, writer: FileDescriptor) {
        var numbers: [Int32] = [0, 0]
        precondition(pipe(&numbers) == 0)
        for number in numbers { precondition(fcntl(number, F_SETFL, O_NONBLOCK) == 0) }
        // F_SETPIPE_SZ, which the Glibc module hides.
        precondition(fcntl(numbers[1], 1031, pipeSize) >= pipeSize)
        return (FileDescriptor(owning: numbers[0]), FileDescriptor(owning: numbers[1]))
    }

    private static func waiting(in pipe: FileDescriptor) -> Int32 {
        var count: Int32 = 0
        precondition(ioctl(pipe.number, UInt(FIONREAD), &count) == 0)
        return count
    }

    @Test(arguments: [false, true]) func aWriterWaitsForRoom(isSecret: Bool) throws {
        let (reader, writer) = Self.smallPipe()
        let other = OtherThread {
            if isSecret {
                try writer.write(SecretBytes(copying: Self.text.span))
            } else {
                try writer.write(Self.text)
            }
            return []
        }
        var got: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 8192)
        while got.count < Self.text.count {
            // The writer has met a full pipe each time before it gets any room.
            let wanted = min(Self.pipeSize, Int32(Self.text.count - got.count))
            while Self.waiting(in: reader) < wanted { usleep(100) }
            let count = read(reader.number, &block, block.count)
            got += block[..<count]
        }
        _ = try other.result()
        #expect(got == Self.text)
    }

    @Test(arguments: ["all", "secret", "line"]) func aReaderWaitsForMore(_ kind: String) throws {
        let (reader, writer) = Self.smallPipe()
        let expected = kind == "line" ? Self.text.filter { $0 != 0x0A } : Self.text
        let other = OtherThread {
            if kind == "all" { return try reader.readAll() }
            let line = kind == "line" ? try reader.readSecretLine()?.line : nil
            let secret = try line ?? reader.readSecret()
            return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        }
        for start in stride(from: 0, to: expected.count, by: Int(Self.pipeSize)) {
            let part = Array(expected[start..<min(expected.count, start + Int(Self.pipeSize))])
            // The reader has met an empty pipe each time before it gets any more.
            while Self.waiting(in: reader) > 0 { usleep(100) }
            let count = part.withUnsafeBytes { write(writer.number, $0.baseAddress, $0.count) }
            precondition(count == part.count)
        }
        while Self.waiting(in: reader) > 0 { usleep(100) }
        if kind == "line" { try writer.write([0x0A]) }
        close(writer)
        #expect(try other.result() == expected)
    }

    /// Ends the input: the writer's own end stays open as long as the value lives.
    private func close(_ writer: FileDescriptor) {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(null, writer.number)
        Glibc.close(null)
    }

    @Test func aLineMayBeTooLong() throws {
        let (reader, writer) = Self.smallPipe()
        try writer.write(Array("123456789\n".utf8))
        #expect(throws: Errno(.read, "input", code: EFBIG)) { try reader.readSecretLine(limit: 8) }
    }
}

/// Work on a thread of its own: those of Swift's tasks are few, and must not wait for each other.
private final class OtherThread: @unchecked Sendable {
    // Unchecked: the outcome is read after the thread has ended.
    private var outcome: Result<[UInt8], any Error>?
    private var thread: Thread?

    init(_ work: @escaping @Sendable () throws -> [UInt8]) {
        thread = Thread { self.outcome = Result(catching: work) }
    }

    /// Waits for the end.
    func result() throws -> [UInt8] {
        thread!.join()
        return try outcome!.get()
    }
}
