internal import Glibc

/// The time of day, for the commands: one-time passwords are handed it.
package enum WallClock {
    /// Whole seconds since the start of 1970, UTC.
    ///
    /// Calls `clock_gettime`. A clock that is set before 1970 counts as 0.
    package static func seconds() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec))
    }
}
