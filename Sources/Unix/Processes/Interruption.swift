internal import CUnix
internal import Glibc

/// What happens on `INT`, `TERM`, `HUP` and `QUIT`.
package enum Interruption {
    /// From now on each of them first puts the terminal back and removes temporary files, then ends the
    /// process as it would have ended.
    ///
    /// For `main.swift` only.
    package static func install() { cunix_interruption_install() }

    /// Runs `body` as one piece: a signal that comes meanwhile takes effect at its end.
    ///
    /// For the short steps that must not stop half way, such as a rename and the commit that records it.
    package static func held<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        cunix_interruption_hold(1)
        defer { cunix_interruption_hold(0) }
        return try body()
    }

    /// Whether a signal came while ``held(_:)`` runs, and waits for its end.
    package static var isPending: Bool { cunix_interruption_is_pending() != 0 }

    /// Waits for a time, in seconds.
    package static func sleep(seconds: Double) { usleep(UInt32(max(0, seconds) * 1_000_000)) }

    /// Ends this process by `signal`, as if nothing had held it up: what it clears up is cleared up.
    package static func end(by signal: Int32) -> Never {
        raise(signal)
        // Ignored, or held.
        exit(128 + signal)
    }
}
