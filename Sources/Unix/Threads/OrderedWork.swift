internal import Glibc

/// Work on many items by several threads, with the results in the order of the items.
///
/// It blocks its caller, as everything does that waits for child processes. No thread gets further ahead of the caller
/// than a few items, so that memory stays bounded however many there are.
package enum OrderedWork {
    /// How many threads pay off when each one waits for a child process most of the time: two for each core, 8 at most.
    package static var standardThreads: Int { min(8, max(2, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Does `work` for each number below `count` and hands each result to `take`, in order, on the caller's thread.
    ///
    /// - Parameters:
    ///   - count: how many items there are.
    ///   - threads: how many are worked on at a time; with 1 it all happens on the caller's thread.
    ///   - work: what to do with an item.
    ///   - take: what to do with a result; it answers whether to go on.
    package static func run<Result: Sendable>(
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
            Thread { while let index = line.next() { line.put(work(index), at: index) } }
        }
        // Without a single thread, for lack of memory, the work is done here.
        if started.isEmpty { return run(count: count, threads: 1, work, take) }
        for index in 0..<count where !take(line.result(at: index)) { break }
        line.close()
        for thread in started { thread.join() }
    }
}

/// Where threads get their next number, and leave their results.
private final class Line<Result: Sendable>: Sendable {
    private struct State {
        var nextIndex = 0
        var taken = 0
        var isClosed = false
        var results: [Int: Result] = [:]
    }

    private let count: Int
    private let window: Int
    private let monitor = Monitor(State())

    init(count: Int, window: Int) {
        self.count = count
        self.window = window
    }

    /// The number of the next item, once the caller is near enough to it; `nil` when there is none.
    func next() -> Int? {
        monitor.wait { state -> Int?? in
            if state.isClosed || state.nextIndex >= count { return .some(nil) }
            guard state.nextIndex < state.taken + window else { return nil }
            state.nextIndex += 1
            return state.nextIndex - 1
        }
    }

    func put(_ result: Result, at index: Int) {
        monitor.change { $0.results[index] = result }
    }

    /// Waits for a result, and takes it out.
    func result(at index: Int) -> Result {
        monitor.wait { state in
            guard let result = state.results.removeValue(forKey: index) else { return nil }
            state.taken = index + 1
            return result
        }
    }

    /// Has every thread end after the item in hand.
    func close() {
        monitor.change { $0.isClosed = true }
    }
}
