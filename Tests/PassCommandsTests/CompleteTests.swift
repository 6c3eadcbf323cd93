import Foundation
import TestSupport
import Testing
import Unix

/// What shells are told when they complete a word.
@Suite struct CompleteTests {
    private let tool: ToolFixture

    init() throws {
        tool = try ToolFixture()
        for name in ["b/c d", "b/sub/x", "a", "line\nend", "t\tab", #"back\slash"#] {
            try tool.write("", to: "store/\(name).gpg")
        }
    }

    private func answer(_ words: String...) throws -> String {
        let outcome = try tool.run(["complete"] + words, as: "passchain")
        guard outcome.status == 0 else { throw outcome }
        return outcome.output
    }

    @Test func answersOneLevelSortedAndOnce() throws {
        #expect(try answer("-z", "--", "entries", "b") == "b/\0back\\slash\0")
        #expect(try answer("-z", "--", "entries", "b/") == "b/c d\0b/sub/\0")
        #expect(try answer("-z", "--", "folders", "") == "b/\0")
        #expect(try answer("entries-and-folders", "a") == "a\n")
        #expect(try answer("entries", "nosuch/") == "")
        #expect(try answer("keys", "alice") == "alice@example.org\n")
        #expect(try answer("git", "cherry-p") == "cherry-pick\n")
    }

    @Test func aNameIsOneLineWhenEscaped() throws {
        #expect(try answer("-e", "--", "entries", "back") == #"back\\slash"# + "\n")
        #expect(try answer("-e", "--", "entries", "line") == #"line\nend"# + "\n")
        #expect(try answer("-z", "--", "entries", "line") == "line\nend\0")
        #expect(try answer("-z", "--", "entries", "t") == "t\tab\0")
        #expect(try answer("-e", "--", "entries", "t") == "t\tab\n")
        #expect(try tool.run("complete", "-e", "-z", "entries", as: "passchain").status == 1)
    }

    @Test func aNameThatIsNoPlainLineIsLeftOutWithNeither() throws {
        #expect(try answer("entries", "") == "a\nb/\nback\\slash\n")
        #expect(try answer("entries", "line") == "")
    }

    @Test(
        .enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"),
        arguments: ["entries", "folders", "entries-and-folders"]
    )
    func namesOfTheStoreStartNoProgram(_ kind: String) throws {
        #expect(try programsStarted(by: kind) == ["passchain"])
        #expect(try programsStarted(by: "keys").contains("gpg"), "keys are gpg's to tell")
    }

    /// The programs that a question starts, the tool itself first.
    private func programsStarted(by kind: String) throws -> [String] {
        let log = tool.folder + "/trace"
        let words = [
            "-f", "-qq", "-e", "trace=execve", "-o", log, tool.folder + "/bin/passchain", "complete", kind,
        ]
        let strace = Path("\(TestPrograms.folder)/strace")
        _ = try Subprocess(strace, words.map { Array($0.utf8) }, environment: tool.environment).run()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard line.hasSuffix("= 0"), let path = line.firstMatch(of: /execve\("([^"]*)"/)?.1 else {
                return nil
            }
            return path.split(separator: "/").last.map(String.init)
        }
    }
}
