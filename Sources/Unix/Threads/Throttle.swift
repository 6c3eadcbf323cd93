internal import Glibc

/// How much of one kind of work may run at the same time: anything, until some of it fails for want of memory, files or
/// processes; then half of what ran, down to one, and step by step more again.
package final class Throttle: Sendable {
    private struct State {
        var running = 0
        /// The most that may run; `nil` for any number.
        var limit: Int?
        /// How many succeeded since the limit last changed.
        var successes = 0
    }

    private let monitor = Monitor(State())
    private let pauses: [Duration]

    /// The pauses between the tries of one piece of work: 2 seconds together, shortened at random by up to a half.
    ///
    /// Other processes that share the same agent have to get out of step.
    package static let standardPauses: [Duration] = [
        10, 20, 40, 80, 150, 200, 300, 300, 400, 500,
    ].map(Duration.milliseconds)

    /// Makes a throttle that is open.
    ///
    /// - Parameter pauses: how long to wait before each further try of the same work.
    package init(pauses: [Duration] = Throttle.standardPauses) { self.pauses = pauses }

    /// Does `work`, and again for as long as it fails for want of something and there are pauses left.
    ///
    /// - Parameters:
    ///   - isExhaustion: whether a failure is such a one.
    ///   - work: what to do; it holds nothing when it throws.
    /// - Returns: what the work answered.
    /// - Throws: the last failure of the work.
    package func run<Result, Failure: Error>(
        retryingAfter isExhaustion: (Failure) -> Bool,
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        for pause in pauses {
            enter()
            do throws(Failure) {
                let result = try work()
                leave(exhausted: false)
                return result
            } catch {
                let isExhausted = isExhaustion(error)
                leave(exhausted: isExhausted)
                guard isExhausted else { throw error }
            }
            Throttle.sleep(pause)
        }
        return try work()
    }

    private func enter() {
        monitor.wait { (state) -> Void? in
            if let limit = state.limit, state.running >= limit { return nil }
            state.running += 1
            return ()
        }
    }

    private func leave(exhausted isExhausted: Bool) {
        monitor.change { state in
            if isExhausted {
                state.limit = max(1, min(state.limit ?? .max, state.running) / 2)
                state.successes = 0
            } else if let limit = state.limit {
                state.successes += 1
                if state.successes >= 8 * limit {
                    state.limit = limit < Throttle.largestLimit ? limit + 1 : nil
                    state.successes = 0
                }
            }
            state.running -= 1
        }
    }

    /// Beyond this there is no limit again.
    private static let largestLimit = 16

    /// Calls `nanosleep`; a signal ends it early.
    private static func sleep(_ pause: Duration) {
        let nanoseconds = pause.components.attoseconds / 1_000_000_000
        var time = timespec(tv_sec: 0, tv_nsec: Int.random(in: Int(nanoseconds / 2)...Int(nanoseconds)))
        nanosleep(&time, nil)
    }
}
