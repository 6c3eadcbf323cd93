internal import Glibc

/// How much time has passed since it was made, whatever is done to the time of day.
///
/// `ContinuousClock` would do the same, but brings the runtime for concurrency and its threads into every start of the
/// tool.
package struct Stopwatch: Sendable {
    private let start = Stopwatch.now()

    /// Makes one that starts now.
    package init() {}

    /// The time since it was made.
    package var elapsed: Duration { Stopwatch.now() - start }

    /// Calls `clock_gettime`.
    private static func now() -> Duration {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return .seconds(Int64(now.tv_sec)) + .nanoseconds(Int64(now.tv_nsec))
    }
}
