import Foundation
import TestSupport
import PasswordStore
import Unix

@testable import PassCommands

/// A store with an extension, and a program that takes the host's place and says how it was called.
final class PreludeFixture {
    let folder: String
    var store: String { folder + "/store" }
    var host: String { folder + "/pass" }
    var environment: Environment

    /// Every call becomes a line of output; `show`, `__generate` and a failing command answer as the tool would.
    private static let hostScript = """
        #!/bin/sh
        line=$(printf '[%s]' "$@")
        case $1 in
            __clip | __qrcode) echo "$line <$(cat)> $PASSWORD_STORE_CLIP_TIME $PASSWORD_STORE_X_SELECTION"; exit ;;
        esac
        case $3 in
            show) printf 'line 1\\nline 2\\n\\n'; exit ;;
            __generate) echo "$line"; echo 'n3w' >&9; exit ;;
            grep) echo "$line" >&2; exit 2 ;;
            edit) echo "$line" >&2; exit 3 ;;
        esac
        echo "$line"
        """

    init() throws {
        folder = "/tmp/pc-pre-\(UUID().uuidString.prefix(8))"
        environment = Environment([
            "PATH": TestPrograms.folder, "HOME": folder, "LC_ALL": "C.UTF-8",
            "PASSWORD_STORE_DIR": folder + "/store", "PASSWORD_STORE_ENABLE_EXTENSIONS": "true",
            "GIT_CONFIG_GLOBAL": folder + "/gitconfig", "GIT_CONFIG_NOSYSTEM": "1",
        ])
        try FileManager.default.createDirectory(
            atPath: store + "/.extensions",
            withIntermediateDirectories: true
        )
        try write("[user]\nname = n\nemail = e@example.org\n[init]\ndefaultBranch = main\n", to: "gitconfig")
        try write(PreludeFixture.hostScript, to: "pass", mode: 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try writeFile(Data(text.utf8), to: URL(fileURLWithPath: "\(folder)/\(name)"), mode: mode)
    }

    /// How a run of a program ended.
    struct Outcome: Equatable, CustomStringConvertible {
        var output: String
        var errors: String
        var status: Int32
        var description: String { "status \(status)\n\(output)--- errors ---\n\(errors)" }
    }

    func run(_ program: Subprocess) throws -> Outcome {
        let outcome = try program.run()
        return Outcome(
            output: String(decoding: outcome.output, as: UTF8.self),
            errors: String(decoding: outcome.errorOutput, as: UTF8.self),
            status: outcome.status
        )
    }

    /// Runs the text as extension `ext` under the prelude.
    func run(_ text: String, _ arguments: [String] = []) throws -> Outcome {
        try write(text, to: "store/.extensions/ext.bash", mode: 0o755)
        let settings = Settings(environment: environment, currentFolder: "/")
        let host = ExtensionHost(settings, systemFolder: Path(folder + "/system"))
        let launch = host.launch(
            Path(store + "/.extensions/ext.bash"),
            command: Array("ext".utf8),
            arguments: arguments.map { Array($0.utf8) },
            host: Path(self.host)
        )
        return try run(launch)
    }

    func git(_ arguments: String...) throws -> String {
        let words = (["-C", store] + arguments).map { Array($0.utf8) }
        return try run(Subprocess("/usr/bin/git", words, environment: environment)).output
    }
}
