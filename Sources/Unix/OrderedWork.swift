internal import Glibc

/// Work on many items by several threads, with the results in the order of the items.
///
/// It blocks its caller, as everything does that waits for child processes. No thread gets further ahead of the caller
/// than a few items, so that memory stays bounded however many there are.
public enum OrderedWork {
    /// How many threads pay off when each one waits for a child process most of the time: two for each core, 8 at most.
    public static var standardThreads: Int { min(8, max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Does `work` for each number below `count` and hands each result to `take`, in order, on the caller's thread.
    ///
    /// - Parameters:
    ///   - count: how many items there are.
    ///   - threads: how many are worked on at a time; with 1 it all happens on the caller's thread.
    ///   - work: what to do with an item.
    ///   - take: what to do with a result; it answers whether to go on.
    public static func run<Result: Sendable>(
        count: Int,
        threads: Int,
        _ work: @escaping @Sendable (Int) -> Result,
        _ take: (Result) -> Bool
    ) {
        guard threads > 1, count > 1 else {
            for index in 0..<count where !take(work(index)) { return }
            return
        }
        let line = Line<Result>(count: count, window: 4 * threads)
        let started = (0..<min(threads, count)).compactMap { _ in
            start { while let index = line.next() { line.put(work(index), at: index) } }
        }
        // Without a single thread, for lack of memory, the work is done here.
        if started.isEmpty { return run(count: count, threads: 1, work, take) }
        for index in 0..<count where !take(line.result(at: index)) { break }
        line.close()
        for thread in started { pthread_join(thread, nil) }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread; `nil` when the system has none left.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var thread = pthread_t()
        let job = Unmanaged.passRetained(Job(body))
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            job.toOpaque()
        )
        if status != 0 { job.release() }
        return status == 0 ? thread : nil
    }
}

/// Where threads get their next number, and leave their results.
private final class Line<Result: Sendable>: @unchecked Sendable {
    // Unchecked: every stored variable is touched with the mutex held only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private let count: Int
    private let window: Int
    private var nextIndex = 0
    private var taken = 0
    private var isClosed = false
    private var results: [Int: Result] = [:]

    init(count: Int, window: Int) {
        self.count = count
        self.window = window
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// The number of the next item, once the caller is near enough to it; `nil` when there is none.
    func next() -> Int? {
        locked {
            while !isClosed, nextIndex < count, nextIndex >= taken + window {
                pthread_cond_wait(changed, mutex)
            }
            guard !isClosed, nextIndex < count else { return nil }
            nextIndex += 1
            return nextIndex - 1
        }
    }

    func put(_ result: Result, at index: Int) {
        locked {
            results[index] = result
            pthread_cond_broadcast(changed)
        }
    }

    /// Waits for a result, and takes it out.
    func result(at index: Int) -> Result {
        locked {
            while true {
                if let result = results.removeValue(forKey: index) {
                    taken = index + 1
                    pthread_cond_broadcast(changed)
                    return result
                }
                pthread_cond_wait(changed, mutex)
            }
        }
    }

    /// Has every thread end after the item in hand.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(changed)
        }
    }
}
