internal import Glibc

/// A thread of its own for a piece of work.
struct Thread {
    private let handle: pthread_t

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts it; `nil` when the system has no thread left.
    init?(_ body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let status = pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
        guard status == 0 else {
            work.release()
            return nil
        }
        self.handle = handle
    }

    /// Waits until its work is done.
    func join() { pthread_join(handle, nil) }
}
