import Foundation
import TestSupport
import Testing

/// A process that lives long: `KEYCHAIN_CALLS` says how many calls it makes.
@Suite struct GrowthTests {
    private static let calls = ProcessInfo.processInfo.environment["KEYCHAIN_CALLS"].flatMap(Int.init) ?? 500

    /// Beside the running tests, where the build also puts it.
    private static let program = Tool.builtProductsFolder.appending(path: "keychain-bench").path

    @Test func neitherMemoryNorOpenFilesGrowWithTheCalls() throws {
        let keyring = try TestKeyring()
        let counts = [String(Self.calls / 5), String(Self.calls)]
        let outcome = try keyring.run(Self.program, ["growth"] + counts)
        let lines = outcome.text.split(separator: "\n").map { line in
            line.split(separator: " ").compactMap { Int($0) }
        }
        try #require(lines.count == 2 && lines.allSatisfy { $0.count == 3 }, "\(outcome.text)")
        // The allocator keeps some of what was freed; a leak of one entry's text for each call would be more.
        #expect(lines[1][1] < lines[0][1] + 4 * 1024, "\(outcome.text)")
        #expect(lines[1][2] <= lines[0][2], "\(outcome.text)")
    }
}
