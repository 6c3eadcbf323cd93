internal import Glibc

/// A source of random bytes; there is only `kSecRandomDefault`.
public typealias SecRandomRef = OpaquePointer

/// The system's source of random bytes.
public nonisolated(unsafe) let kSecRandomDefault: SecRandomRef? = nil

/// Fills `count` bytes at `bytes` with random bytes that are fit for keys.
///
/// Calls `getentropy`.
///
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecIO` when the system has none, and then
///   nothing may be made of the bytes.
@discardableResult
public func SecRandomCopyBytes(_ source: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer)
    -> Int32
{
    guard count >= 0 else { return errSecParam }
    // The most that one call of getentropy gives.
    let most = 256
    for start in stride(from: 0, to: count, by: most) {
        guard unsafe getentropy(bytes + start, min(most, count - start)) == 0 else { return errSecIO }
    }
    return errSecSuccess
}
