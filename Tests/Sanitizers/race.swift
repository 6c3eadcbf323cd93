// Two threads that count: `guarded` under one mutex, `unguarded` each under its own. The thread sanitizer must find
// nothing in the first and the race in the second; the target sanitize of the Makefile checks that it does.

import Glibc
import Synchronization

final class Guard: Sendable {
    let calls = Mutex(0)
}

let one = Guard()
let other = Guard()
nonisolated(unsafe) let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
let isGuarded = CommandLine.arguments.contains("guarded")

func work(under guarding: Guard) {
    for _ in 0..<200_000 {
        guarding.calls.withLock { calls in
            calls += 1
            count.pointee += 1
        }
    }
}

func start(_ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) -> pthread_t {
    var thread = pthread_t()
    pthread_create(&thread, nil, body, nil)
    return thread
}

func workUnderOne(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    work(under: one)
    return nil
}

func workUnderOther(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    work(under: other)
    return nil
}

count.initialize(to: 0)
let threads = [start(workUnderOne), start(isGuarded ? workUnderOne : workUnderOther)]
for thread in threads { pthread_join(thread, nil) }
