internal import CUnix
internal import Glibc
internal import SecretMemory

/// A program that was started and is not waited for yet.
///
/// One whose outcome nobody asks for is ended with the last reference, by force if it does not end by itself within two
/// seconds of a `TERM`.
package final class RunningChild {
    private let request: Subprocess
    private let child: pid_t
    private let pipes: ChildPipes
    private let isInputTaken: Bool
    private var isOver = false

    init(_ request: Subprocess, _ child: pid_t, _ pipes: ChildPipes, isInputTaken: Bool) {
        self.request = request
        self.child = child
        self.pipes = pipes
        self.isInputTaken = isInputTaken
    }

    deinit {
        if !isOver { cunix_end(child) }
    }

    /// Waits for its end, but not for the end of what it left running in the background; ask once.
    ///
    /// - Throws: ``Errno`` when nobody can tell how it ended. How it ended is no error.
    package func outcome() throws(Errno) -> Subprocess.Outcome {
        precondition(!isOver, "a child ends once")
        isOver = true
        let status = try request.wait(for: child)
        let isSecret = request.output == .secret
        return Subprocess.Outcome(
            status: status,
            output: isSecret ? [] : try pipes.collectedOutput(),
            errorOutput: try pipes.collectedErrorOutput(),
            secretOutput: isSecret ? try pipes.collectedSecret() : .empty,
            isInputTaken: isInputTaken
        )
    }
}
