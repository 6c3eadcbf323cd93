internal import Glibc
package import SecretMemory

/// An open file, folder, pipe or terminal; closed when the last reference goes away.
package final class FileDescriptor: Sendable {
    /// The number that the kernel gave.
    package let number: Int32
    private let closes: Bool

    /// Takes over `number`, and closes it in the end.
    package init(owning number: Int32) {
        self.number = number
        closes = true
    }

    private init(borrowing number: Int32) {
        self.number = number
        closes = false
    }

    deinit {
        if closes { close(number) }
    }

    /// Descriptor 0.
    package static let standardInput = FileDescriptor(borrowing: 0)
    /// Descriptor 1.
    package static let standardOutput = FileDescriptor(borrowing: 1)
    /// Descriptor 2.
    package static let standardError = FileDescriptor(borrowing: 2)

    /// A descriptor that this process was started with, and that it never closes.
    package static func inherited(_ number: Int32) -> FileDescriptor { FileDescriptor(borrowing: number) }

    /// Whether there is such a descriptor.
    ///
    /// Calls `fcntl`.
    package var isOpen: Bool { fcntl(number, F_GETFD) != -1 }

    /// Whether it is a terminal.
    ///
    /// Calls `isatty`.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// The facts of the open file.
    ///
    /// Calls `fstat`.
    package func status() throws(Errno) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Errno(.inspect, Path("file \(number)")) }
        return FileStatus(status)
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.withUnsafeBytes { (buffer) throws(Errno) in try write(buffer) }
    }

    /// Writes all of `secret`, without a copy.
    package func write(_ secret: SecretBytes) throws(Errno) {
        try secret.withUnsafeBytes { (buffer) throws(Errno) in try write(buffer) }
    }

    private func write(_ buffer: UnsafeRawBufferPointer) throws(Errno) {
        var rest = buffer
        while !rest.isEmpty {
            let written = retrying(on: number, until: POLLOUT) {
                Glibc.write(number, rest.baseAddress, rest.count)
            }
            guard written >= 0 else { throw Errno(.write, Path("file \(number)")) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Reads up to the end, or until there are more than `limit` bytes, which is `EFBIG`.
    package func readAll(limit: Int = .max, path: Path = "input") throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4096)
        var block = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let got = retrying(on: number, until: POLLIN) { read(number, &block, block.count) }
            guard got >= 0 else { throw Errno(.read, path) }
            if got == 0 { return bytes }
            guard bytes.count + got <= limit else { throw Errno(.read, path, code: EFBIG) }
            bytes.append(contentsOf: block[..<got])
        }
    }

    /// Reads a secret up to the end, or until there are more than `limit` bytes, which is `EFBIG`.
    ///
    /// - Parameters:
    ///   - limit: the most bytes that are taken.
    ///   - patience: how many seconds to wait for each piece; more is `ETIMEDOUT`. `nil` waits without an end.
    /// - Returns: the bytes.
    /// - Throws: ``Errno``.
    package func readSecret(limit: Int = .max, patience: Double? = nil) throws(Errno) -> SecretBytes {
        var buffer = SecretBuffer(capacity: 4096)
        while true {
            if let patience, !FileDescriptor.wait(for: [self], seconds: patience)[0] {
                throw Errno(.read, "input", code: ETIMEDOUT)
            }
            let got = try buffer.appendUninitialized(upTo: 16 * 1024) { (block) throws(Errno) in
                let got = retrying(on: number, until: POLLIN) { read(number, block.baseAddress, block.count) }
                guard got >= 0 else { throw Errno(.read, "input") }
                return got
            }
            guard buffer.count <= limit else { throw Errno(.read, "input", code: EFBIG) }
            if got == 0 { return buffer.finish() }
        }
    }

    /// Reads one line, byte by byte, so that nothing behind it is taken.
    ///
    /// - Parameter limit: the most bytes that the line may have; more is `EFBIG`.
    /// - Returns: the line without its line end, and whether it had one; `nil` at the end of input.
    /// - Throws: ``Errno``.
    package func readSecretLine(
        limit: Int = .max
    ) throws(Errno) -> (line: SecretBytes, isTerminated: Bool)? {
        var buffer = SecretBuffer()
        var byte: UInt8 = 0
        defer { byte = 0 }
        while true {
            let got = retrying(on: number, until: POLLIN) { read(number, &byte, 1) }
            guard got >= 0 else { throw Errno(.read, "input") }
            if got == 0 { return buffer.count == 0 ? nil : (buffer.finish(), false) }
            if byte == UInt8(ascii: "\n") { return (buffer.finish(), true) }
            guard buffer.count < limit else { throw Errno(.read, "input", code: EFBIG) }
            buffer.append(byte)
        }
    }

    /// Makes what was written survive a power cut.
    ///
    /// Calls `fsync`.
    package func synchronize(_ path: Path) throws(Errno) {
        guard retrying({ Int(fsync(number)) }) == 0 else { throw Errno(.sync, path) }
    }
}
