internal import Glibc

/// Bytes that are overwritten with zeroes when the last reference goes away.
///
/// They are immutable, live in pages that are kept out of core dumps and, up to 64 KiB, are locked in memory where
/// `RLIMIT_MEMLOCK` allows it. There is no way to print them, to compare them but in constant time, or to turn them
/// into a `String` by accident. This does not protect against root, a debugger of the same user, or GnuPG's own
/// processes and pipes.
public final class SecretBytes: @unchecked Sendable {
    // Unchecked: the pages are written before the object exists, and never after.
    private let pages: SecretPages

    /// How many bytes there are.
    public let count: Int

    /// Takes over `pages`; they are released with this object.
    init(owning pages: SecretPages, count: Int) {
        self.pages = pages
        self.count = count
    }

    /// Copies `bytes`, which the caller goes on owning.
    public init(copying bytes: Span<UInt8>) {
        pages = SecretPages.allocate(atLeast: bytes.count)
        count = bytes.count
        bytes.withUnsafeBytes { pages.bytes.copyMemory(from: $0) }
    }

    deinit { pages.release() }

    /// No bytes.
    public static var empty: SecretBytes { SecretBuffer().finish() }

    /// Whether there are no bytes at all.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes to `body`.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: pages.bytes[..<count]).bindMemory(to: UInt8.self).span)
    }

    /// Lends the bytes to `body` as a C function wants them.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: pages.bytes[..<count]))
    }

    /// A copy of the bytes in `range`, as wiped as this one.
    ///
    /// - Precondition: `range` lies within `0..<count`.
    public func slice(_ range: Range<Int>) -> SecretBytes {
        withBytes { SecretBytes(copying: $0.extracting(range)) }
    }

    /// Whether both hold the same bytes.
    ///
    /// The time taken depends on the lengths only.
    public func isEqual(to other: SecretBytes) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= pages.bytes[index] ^ other.pages.bytes[index] }
        return difference == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// The number of bytes, and nothing of what they are.
    public var description: String { "<\(count) secret bytes>" }

    /// Empty, so that `dump` and a failed test show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
