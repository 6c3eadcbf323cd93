internal import Foundation
internal import Glibc
internal import Synchronization

/// A throw-away GnuPG home with keys that nobody else has.
///
/// Make one for a suite (`static let keyring = try! TestKeyring()`). Its agent is ended and its folder removed when
/// the process exits. The path is short because the agent's socket must fit in 108 bytes.
public final class TestKeyring: Sendable {
    /// A program did not end as it should.
    public struct Failure: Error, CustomStringConvertible {
        /// What was run, and what it said.
        public let description: String
    }

    /// The folder that goes into `GNUPGHOME`.
    public let home: String

    /// Makes an empty home.
    public init() throws {
        var template = Array("/tmp/pcXXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "mkdtemp failed") }
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Self.removeAtExit(home)
        try write("no-random-seed-file\n", to: "gpg.conf")
        try write("allow-loopback-pinentry\npinentry-program /bin/false\n", to: "gpg-agent.conf")
    }

    /// Writes a file of the home, for instance `gpg.conf`.
    public func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: home + "/" + name))
    }

    /// Makes a key that signs, with a subkey that encrypts, and trusts it; the answer is its fingerprint.
    ///
    /// `time` is what gpg takes for now, in seconds since 1970. `expires` is as gpg takes it: `never`, `seconds=60`,
    /// an ISO date.
    @discardableResult
    public func makeKey(
        _ userID: String,
        passphrase: String = "",
        at time: Int? = nil,
        expires: String = "never"
    ) throws -> String {
        // The mark stops the clock: making a key may take longer than a second.
        let clock = time.map { ["--faked-system-time", "\($0)!"] } ?? []
        let options = clock + ["--passphrase", passphrase, "--pinentry-mode", "loopback"]
        try gpg(options + ["--quick-gen-key", userID, "ed25519", "cert,sign", expires])
        let fingerprint = try fingerprints(of: "=" + userID)[0]
        try gpg(options + ["--quick-add-key", fingerprint, "cv25519", "encr", expires])
        return fingerprint
    }

    /// The fingerprints of a key and then of its subkeys.
    public func fingerprints(of pattern: String) throws -> [String] {
        try gpg(["--list-keys", "--with-colons", "--with-subkey-fingerprint", pattern]).text
            .split(separator: "\n").filter { $0.hasPrefix("fpr:") }
            .map { String($0.split(separator: ":", omittingEmptySubsequences: false)[9]) }
    }

    /// Encrypts with gpg itself.
    public func encrypted(_ text: String, to recipients: [String], _ options: [String] = []) throws -> [UInt8]
    {
        let readers = recipients.flatMap { ["-r", $0] }
        return try gpg(options + ["--trust-model", "always", "-e"] + readers, input: Array(text.utf8)).output
    }

    /// Runs gpg on this home and throws unless it succeeds.
    @discardableResult
    public func gpg(_ arguments: [String], input: [UInt8] = []) throws -> ProgramOutcome {
        let options = ["--batch", "--yes", "--quiet"]
        let outcome = try run("gpg", options + arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(description: "gpg \(arguments): \(outcome.errorText)")
        }
        return outcome
    }

    /// Runs any program on this home, with nothing else of this process's environment.
    public func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> ProgramOutcome {
        try runProgram(program, arguments, input: input, environment: environment)
    }

    /// The variables of a program that uses this home, and no setting of the user who runs the tests.
    public var environment: [String: String] {
        [
            "PATH": TestPrograms.folder, "HOME": home, "GNUPGHOME": home, "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }

    private static let homes = Mutex<[String]>([])

    private static func removeAtExit(_ home: String) {
        let isFirst = homes.withLock { homes in
            homes.append(home)
            return homes.count == 1
        }
        guard isFirst else { return }
        atexit {
            for home in TestKeyring.homes.withLock({ $0 }) {
                _ = try? runProgram(
                    "/usr/bin/gpgconf",
                    ["--homedir", home, "--kill", "all"],
                    environment: [:]
                )
                // The agent removes its sockets while it ends; a folder that changes meanwhile cannot be removed.
                for _ in 0..<20 where FileManager.default.fileExists(atPath: home) {
                    try? FileManager.default.removeItem(atPath: home)
                    usleep(10_000)
                }
            }
        }
    }
}
