import Glibc

@testable import Unix

extension Interruption {
    /// Installs the handlers on a thread of a test, where the system's worker threads block every signal.
    static func installForTest() {
        install()
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
