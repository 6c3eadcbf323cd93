import Foundation
import Glibc
import Synchronization

/// File systems that one thread alone sees, with its children, and that go when it ends.
enum OwnMounts {
    /// Whether this user may mount anything.
    static let arePossible = run(mounting: "/mnt") { true } ?? false

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// Does `work` on a thread for which there is an empty file system at `folder`.
    ///
    /// - Parameters:
    ///   - folder: where it is mounted.
    ///   - work: what is to be done.
    /// - Returns: what `work` returned; `nil` when nothing can be mounted.
    static func run<Value: Sendable>(
        mounting folder: String,
        _ work: @escaping @Sendable () -> Value
    ) -> Value? {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { done.signal() }
            guard enterNamespace(), mount("/", nil, recursive | isPrivate), mount(folder, "tmpfs", 0) else {
                return
            }
            let value = work()
            outcome.value.withLock { $0 = value }
        }
        done.wait()
        return outcome.value.withLock { $0 }
    }

    // Swift's Glibc leaves these out, with their constants.
    private typealias Unshare = @convention(c) (CInt) -> CInt
    private typealias Mount =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CUnsignedLong,
            UnsafeRawPointer?
        ) -> CInt
    private static let ownMounts: CInt = 0x0002_0000
    private static let recursive: CUnsignedLong = 0x4000
    private static let isPrivate: CUnsignedLong = 0x4_0000

    private static func enterNamespace() -> Bool {
        guard let unshare = dlsym(nil, "unshare") else { return false }
        return unsafeBitCast(unshare, to: Unshare.self)(ownMounts) == 0
    }

    private static func mount(_ folder: String, _ kind: String?, _ flags: CUnsignedLong) -> Bool {
        guard let mount = dlsym(nil, "mount") else { return false }
        return unsafeBitCast(mount, to: Mount.self)("none", folder, kind, flags, nil) == 0
    }
}
