import Foundation
import TestSupport

/// Holds the session of a script with a tool: in a scratch home, with a keyring of its own and a fixed environment.
struct ScriptRunner {
    let tool: Tool

    /// - Returns: the exchanges, normalized.
    /// - Throws: ``SessionFailure`` when the session does not come to its end.
    func run(_ script: Script) throws -> [Exchange] {
        let scratch = try TemporaryStore()
        try prepare(scratch)
        let session = scratch.home.appending(path: "session")
        try FileManager.default.createDirectory(at: session, withIntermediateDirectories: false)
        for (index, command) in script.commands.enumerated() {
            try Data((command + "\n").utf8).write(to: file(index, "command", in: session))
        }
        defer { endAgents(of: scratch) }
        let bash = ["bash", Folders.session.path, session.path]
        // Without a terminal that could be asked, and not for ever.
        let outcome = try runProgram(
            "setsid",
            ["--wait", "timeout", "--kill-after=5", "180"] + bash,
            environment: environment(home: scratch.home)
        )
        guard outcome.status == 0, outcome.output.isEmpty, outcome.errors.isEmpty else {
            throw SessionFailure(description: "the session of \(script.theme) ended with \(outcome)")
        }
        var normalizer = Normalizer(home: scratch.home)
        return try script.commands.enumerated().map { index, command in
            let status = try String(contentsOf: file(index, "status", in: session), encoding: .utf8)
            let exchange = try Exchange(
                number: index + 1,
                command: command,
                output: Exchange.escapedLines(Data(contentsOf: file(index, "out", in: session))),
                errors: Exchange.escapedLines(Data(contentsOf: file(index, "err", in: session))),
                status: Int(status.dropLast()) ?? -1
            )
            return normalizer.normalize(exchange)
        }
    }

    private func file(_ index: Int, _ suffix: String, in session: URL) -> URL {
        let digits = String(index + 1)
        let number = String(repeating: "0", count: 4 - digits.count) + digits
        return session.appending(path: "\(number).\(suffix)")
    }

    private func prepare(_ scratch: TemporaryStore) throws {
        try EndToEndKeyring.install(in: scratch)
        let bin = scratch.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
        try tool.link(as: "pass", in: bin)
        let gitConfiguration = """
            [user]
                name = Tester
                email = tester@example.org
            [init]
                defaultBranch = master
            [protocol "file"]
                allow = always

            """
        try Data(gitConfiguration.utf8).write(to: scratch.home.appending(path: ".gitconfig"))
    }

    private func environment(home: URL) -> [String: String] {
        [
            "HOME": home.path,
            "GNUPGHOME": home.path + "/.gnupg",
            "PATH": "\(home.path)/bin:\(Folders.fixtures.path)/bin:\(TestPrograms.folder)",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
            "TZ": "UTC",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
            "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        ]
    }

    private func endAgents(of scratch: TemporaryStore) {
        // A session that started no agent has none to end: the status says nothing.
        _ = try? runProgram(
            "/usr/bin/gpgconf",
            ["--homedir", scratch.gnupgHome.path, "--kill", "all"],
            environment: ["PATH": TestPrograms.folder]
        )
    }
}
