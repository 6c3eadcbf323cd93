internal import Glibc

/// A growing run of secret bytes, while it is being read or built.
///
/// It cannot be copied. Every block that it outgrows is overwritten, and so is what it holds when it goes away
/// unfinished.
public struct SecretBuffer: ~Copyable {
    private var pages: SecretPages

    /// How many bytes it holds now.
    public private(set) var count = 0

    /// Makes an empty buffer that takes `capacity` bytes before it has to grow.
    public init(capacity: Int = 0) {
        pages = SecretPages.allocate(atLeast: capacity)
    }

    deinit { pages.release() }

    /// Adds one byte at the end.
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        pages.bytes[count] = byte
        count += 1
    }

    /// Adds `bytes` at the end.
    public mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// Adds the bytes of `secret` at the end.
    public mutating func append(_ secret: SecretBytes) {
        secret.withUnsafeBytes { append(contentsOf: $0) }
    }

    /// Adds `bytes` at the end; the caller goes on owning, and wiping, them.
    package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: pages.bytes[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// The byte at a place.
    ///
    /// - Precondition: `index` lies within `0..<count`.
    package subscript(index: Int) -> UInt8 {
        precondition((0..<count).contains(index))
        return pages.bytes[index]
    }

    /// The last byte; `nil` when there is none.
    package var last: UInt8? { count > 0 ? pages.bytes[count - 1] : nil }

    /// Takes the last byte away, for instance after a backspace; does nothing when there is none.
    public mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        pages.bytes[count] = 0
    }

    /// Takes everything away; what was held is overwritten.
    public mutating func removeAll() {
        if let start = pages.bytes.baseAddress { explicit_bzero(start, count) }
        count = 0
    }

    /// Lets `body` write up to `size` more bytes at the end; it answers how many it wrote.
    ///
    /// This is how `read(2)` fills the buffer without a block in between.
    package mutating func appendUninitialized<Failure: Error>(
        upTo size: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        reserve(size)
        let written = try body(UnsafeMutableRawBufferPointer(rebasing: pages.bytes[count..<count + size]))
        precondition((0...size).contains(written))
        count += written
        return written
    }

    /// Ends building: the bytes become immutable, without a copy.
    public consuming func finish() -> SecretBytes {
        let secret = SecretBytes(owning: pages, count: count)
        discard self
        return secret
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > pages.bytes.count else { return }
        let larger = SecretPages.allocate(atLeast: max(count + more, 2 * pages.bytes.count))
        larger.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: pages.bytes[..<count]))
        pages.release()
        pages = larger
    }
}
