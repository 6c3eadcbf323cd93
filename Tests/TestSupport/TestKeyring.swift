internal import Foundation
internal import Glibc
internal import Synchronization

/// A throw-away GnuPG home with keys that nobody else has.
///
/// Make one for a suite (`static let keyring = try! TestKeyring()`). Its agent is ended and its folder removed when
/// the process exits. The path is short because the agent's socket must fit in 108 bytes.
public final class TestKeyring: Sendable {
    /// What a program left behind.
    public struct Outcome: Sendable {
        public let status: Int32
        public let output: [UInt8]
        public let errors: [UInt8]
        /// The output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// A program did not end as it should.
    public struct Failure: Error, CustomStringConvertible {
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
    public func gpg(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let options = ["--homedir", home, "--batch", "--yes", "--quiet"]
        let outcome = try run("gpg", options + arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(description: "gpg \(arguments): \(String(decoding: outcome.errors, as: UTF8.self))")
        }
        return outcome
    }

    /// Runs any program and waits for it; its three streams are files of the home, so that none can fill up.
    public func run(_ program: String, _ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        let names = (0...2).map { "\(home)/stream.\(UUID().uuidString).\($0)" }
        defer { names.forEach { unlink($0) } }
        try Data(input).write(to: URL(fileURLWithPath: names[0]))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, names[0], O_RDONLY, 0)
        for stream in 1...2 {
            let flags = O_WRONLY | O_CREAT
            posix_spawn_file_actions_addopen(&actions, Int32(stream), names[stream], flags, 0o600)
        }
        guard let status = Self.spawn([program] + arguments, &actions) else {
            throw Failure(description: "\(program) cannot be run")
        }
        return Outcome(
            status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
            output: try Array(Data(contentsOf: URL(fileURLWithPath: names[1]))),
            errors: try Array(Data(contentsOf: URL(fileURLWithPath: names[2])))
        )
    }

    private static func spawn(
        _ words: [String],
        _ actions: UnsafePointer<posix_spawn_file_actions_t>?
    ) -> Int32? {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, words[0], actions, nil, &arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
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
                _ = TestKeyring.spawn(["gpgconf", "--homedir", home, "--kill", "all"], nil)
                // The agent removes its sockets while it ends; a folder that changes meanwhile cannot be removed.
                for _ in 0..<20 where FileManager.default.fileExists(atPath: home) {
                    try? FileManager.default.removeItem(atPath: home)
                    usleep(10_000)
                }
            }
        }
    }
}
