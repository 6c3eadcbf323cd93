import TestSupport
import Unix

/// Runs the programs that tests compare with.
enum Programs {
    /// Whether all of them are installed.
    static func areInstalled(_ names: String...) -> Bool {
        names.allSatisfy { TestPrograms.path(of: $0) != nil }
    }

    /// What a program writes, given nothing but `variables` and a `PATH`.
    static func output(
        of name: String,
        _ arguments: [[UInt8]],
        _ variables: [String: String],
        in folder: Path? = nil
    ) throws -> [UInt8] {
        var environment = Environment(variables)
        environment["PATH"] = Array(TestPrograms.folder.utf8)
        let program = environment.findProgram(Array(name.utf8)) ?? Path(name)
        var process = Subprocess(program, arguments, environment: environment, folder: folder)
        process.name = Array(name.utf8)
        return try process.run().output
    }
}
