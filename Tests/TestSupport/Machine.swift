internal import Foundation
internal import Glibc

/// What the machine can do, for tests that need it.
public enum Machine {
    /// Whether ``Tool/underTest`` can be traced.
    ///
    /// It forbids core dumps, and so only a tracer with the capability `CAP_SYS_PTRACE` can read its memory, and only
    /// root its descriptors.
    public static let hasStrace: Bool = {
        let trace = "\(TestPrograms.folder)/trace"
        defer { try? FileManager.default.removeItem(atPath: trace) }
        let words = ["-qq", "-y", "-o", trace, Tool.underTest.url.path, "ls"]
        let store = ["PASSWORD_STORE_DIR": "/no/such/store"]
        guard works("strace", words, with: store, status: 1) else { return false }
        let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
        // What it wrote was read from its memory; where it wrote it, from its descriptors.
        return text.contains("/no/such/store\"") && text.contains("\nwrite(2<")
    }()

    /// Whether this user may mount a file system in a namespace of its own, by `unshare -m`.
    public static let canMount = works("unshare", ["-m", "/bin/mount", "-t", "tmpfs", "none", "/mnt"])

    /// Where there is a folder of the user's below one of these, the sockets of every gpg-agent lie in that one.
    public static let hasSocketsInHome = !["/run/user", "/run/gnupg/user"].contains { folder in
        access("\(folder)/\(getuid())", F_OK) == 0
    }
    /// Whether a program can be driven on a terminal.
    public static let hasExpect = TestPrograms.have("expect")
    /// Why a test that needs ``hasStrace`` is skipped.
    public static let withoutStrace = "strace is missing, or may not read the memory of the tool here"
    /// Why a test that needs ``canMount`` is skipped.
    public static let withoutMount = "this user may not mount a file system of its own"

    /// How many rounds a test of chance makes; 100 unless the variable says otherwise.
    public static let rounds = ProcessInfo.processInfo.environment["FAULT_ROUNDS"].flatMap { Int($0) } ?? 100

    /// Whether each step of a run is hit, and not only some of them.
    public static let hitsEachStep = ProcessInfo.processInfo.environment["FAULT_STEPS"] == "all"

    /// Has this process, one of an exit test, go on as a user who may not read every folder: root becomes `nobody`.
    public static func becomeOrdinaryUser() {
        guard geteuid() == 0 else { return }
        let nobody: uid_t = 65_534
        precondition(setgroups(0, nil) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0)
    }

    private static func works(
        _ name: String,
        _ words: [String],
        with variables: [String: String] = [:],
        status: Int32 = 0
    ) -> Bool {
        guard let program = TestPrograms.path(of: name) else { return false }
        let environment = variables.merging(["PATH": TestPrograms.folder]) { $1 }
        return (try? runProgram(program, words, environment: environment))?.status == status
    }
}
