import Foundation
import Testing

/// What a message or a window says about the program goes by the name that it was started under.
@Suite struct ProgramNameTests {
    private let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    @Test(arguments: ["pass", "passchain"])
    func aRemedyNamesTheProgramAsItWasStarted(_ name: String) throws {
        let nowhere = ["PASSWORD_STORE_DIR": "\(tool.folder)/nowhere"]
        #expect(
            try tool.run([], as: name, with: nowhere)
                == .init(
                    output: "",
                    errors: "Error: password store is empty. Try \"\(name) init\".\n",
                    status: 1
                )
        )
        #expect(
            try tool.run("git", "log", as: name, with: nowhere).errors
                == "Error: the password store is not a git repository. Try \"\(name) git init\".\n"
        )
    }

    @Test(arguments: ["pass", "passchain"])
    func aSneakyPathIsOneToTheProgramAsItWasStarted(_ name: String) throws {
        let sneaky = "Error: You've attempted to pass a sneaky path to \(name). Go home.\n"
        #expect(try tool.run("show", "a/../b", as: name).errors == sneaky)
        try tool.write("check_sneaky_paths ../x", to: "store/.extensions/ext.bash", mode: 0o755)
        let enabled = ["PASSWORD_STORE_ENABLE_EXTENSIONS": "true"]
        #expect(try tool.run("ext", as: name, with: enabled).errors == sneaky)
    }

    @Test(arguments: ["pass", "passchain"])
    func theWindowOfAQRCodeIsCalledByTheProgram(_ name: String) throws {
        try tool.write("#!/bin/sh\n", to: "bin/qrencode", mode: 0o755)
        try tool.write("#!/bin/sh\nprintf '<%s>' \"$@\"\n", to: "bin/feh", mode: 0o755)
        try tool.insert("secret\n", as: "x")
        let outcome = try tool.run("show", "-q", "x", as: name, with: ["DISPLAY": ":9"])
        #expect(outcome.output.contains("<\(name): x>"), "\(outcome)")
    }
}
