internal import Synchronization
internal import Unix

/// A line that says how far long work has got, on standard error where that is a terminal.
///
/// It appears after half a second, at most ten times a second, and goes away before anything else is printed. It needs
/// nothing of a terminal but that a carriage return goes back to the line's start.
final class Progress: Sendable {
    private struct State {
        var clock = Stopwatch()
        var sinceLastShown: Stopwatch?
        /// How many columns are written over to clear the line.
        var width = 0
    }

    private static let patience = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)

    private let state = Mutex(State())
    private let isShown = FileDescriptor.standardError.isTerminal

    /// Tells how many of all entries are done; 0 starts the clock, and all of them end it.
    func report(_ done: Int, of all: Int) {
        guard isShown else { return }
        state.withLock { state in
            if done == 0 { state.clock = Stopwatch() }
            if done == all { return Progress.clear(&state) }
            guard state.clock.elapsed >= Progress.patience else { return }
            if let last = state.sinceLastShown, last.elapsed < Progress.pause { return }
            let text = "\(done) of \(all) entries"
            Progress.clear(&state)
            Progress.write(text)
            state.width = text.utf8.count
            state.sinceLastShown = Stopwatch()
        }
    }

    /// Takes the line away, if there is one.
    func clear() {
        guard isShown else { return }
        state.withLock { Progress.clear(&$0) }
    }

    private static func clear(_ state: inout State) {
        guard state.width > 0 else { return }
        write("\r" + String(repeating: " ", count: state.width) + "\r")
        state.width = 0
    }

    /// That this may fail is nobody's concern.
    private static func write(_ text: String) { try? FileDescriptor.standardError.write(Array(text.utf8)) }
}
