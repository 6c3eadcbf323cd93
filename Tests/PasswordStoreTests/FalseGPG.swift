import Foundation
import TestSupport

@testable import PasswordStore
@testable import Unix

/// A script in the place of gpg, which notes each of its starts and their arguments.
struct FalseGPG {
    private let folder = TestFolder()

    /// The path of a file beside it.
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Settings under which `commands` are what gpg does.
    func settings(_ commands: String, _ variables: [String: String] = [:]) throws -> Settings {
        let all = ["PATH": TestPrograms.folder, "GNUPGHOME": Keys.ring.home, "HOME": "/nowhere"]
        let environment = Environment(try self.variables(commands, all.merging(variables) { $1 }))
        return Settings(environment: environment, currentFolder: "/")
    }

    /// The variables, with which `commands` are what gpg does.
    func variables(_ commands: String, _ variables: [String: String]) throws -> [String: String] {
        let script = "#!/bin/bash\necho \"$*\" >> \(path("starts"))\n\(commands)\n"
        try writeFile(Data(script.utf8), to: URL(filePath: path("gpg")), mode: 0o700)
        return variables.merging(["PATH": "\(folder.path):\(TestPrograms.folder)"]) { $1 }
    }

    /// The arguments of each start.
    var starts: [String] {
        get throws {
            guard FileManager.default.fileExists(atPath: path("starts")) else { return [] }
            return try String(contentsOfFile: path("starts"), encoding: .utf8).split(separator: "\n").map(
                String.init
            )
        }
    }

    /// Makes an empty file beside it.
    func makeFile(_ name: String) { folder.file(Path(name)) }
}
