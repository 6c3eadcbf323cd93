import Synchronization
import Testing

@testable import Unix

/// Work that is tried again, with less of it side by side.
@Suite struct ThrottleTests {
    private struct Full: Error, Equatable { let passes: Bool }

    @Test func whatFailsForGoodIsNotTriedAgain() {
        var tries = 0
        #expect(throws: Full(passes: false)) {
            try Throttle(pauses: [.zero, .zero]).run(retryingAfter: \Full.passes) { () throws(Full) in
                tries += 1
                throw Full(passes: false)
            }
        }
        #expect(tries == 1)
    }

    @Test func triesEndWithThePauses() {
        var tries = 0
        #expect(throws: Full(passes: true)) {
            try Throttle(pauses: [.zero, .zero]).run(retryingAfter: \Full.passes) { () throws(Full) in
                tries += 1
                throw Full(passes: true)
            }
        }
        #expect(tries == 3)
    }

    @Test func whatPassesIsTheAnswer() throws {
        var tries = 0
        let answer = try Throttle(pauses: [.zero, .zero]).run(retryingAfter: \Full.passes) {
            () throws(Full) in
            tries += 1
            guard tries > 2 else { throw Full(passes: true) }
            return tries
        }
        #expect(answer == 3)
    }

    /// Only one at a time succeeds here, so that all of them do only when they come to run one by one.
    @Test func itNarrowsDownToOne() {
        let running = Atomic(0)
        let done = Atomic(0)
        let throttle = Throttle(pauses: Array(repeating: .milliseconds(1), count: 200))
        OrderedWork.run(count: 64, threads: 16) { _ in
            try? throttle.run(retryingAfter: \Full.passes) { () throws(Full) in
                defer { running.subtract(1, ordering: .sequentiallyConsistent) }
                guard running.add(1, ordering: .sequentiallyConsistent).newValue == 1 else {
                    throw Full(passes: true)
                }
                _ = try? readFile("/etc/passwd")
                done.add(1, ordering: .sequentiallyConsistent)
            }
        } _: { _ in
            true
        }
        #expect(done.load(ordering: .sequentiallyConsistent) == 64)
    }
}
