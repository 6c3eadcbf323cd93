internal import CUnix
internal import Glibc
package import SecretMemory

/// The kernel's random number generator.
///
/// There is no other source behind it.
package enum Randomness {
    /// The kernel gave no random bytes.
    package struct Failure: Error, Hashable, Sendable {
        /// The number, as in `errno(3)`.
        package let code: Int32
    }

    /// Adds `count` random bytes at the end of `buffer`.
    ///
    /// Calls `getrandom`. It waits until the generator is ready, early in a system's start.
    package static func append(_ count: Int, to buffer: inout SecretBuffer) throws(Failure) {
        _ = try buffer.appendUninitialized(upTo: count) { (block) throws(Failure) in
            guard count > 0 else { return 0 }
            guard cunix_random_bytes(block.baseAddress, count) == 0 else { throw Failure(code: errno) }
            return count
        }
    }
}
