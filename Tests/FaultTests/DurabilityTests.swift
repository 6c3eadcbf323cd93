import TestSupport
import Testing

/// What is on disk when the tool says that it is done.
@Suite(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
struct DurabilityTests {
    @Test(arguments: ["x", "new"]) func theFileItsFolderAndTheCommitAreSynchronised(_ name: String) throws {
        let fixture = try FaultFixture()
        try fixture.run("insert", "-m", "x", input: "old\n").check()
        let strace = [
            "strace", "-f", "-y", "-qq", "-e", "signal=none", "-o", "\(fixture.folder)/trace",
        ]
        let calls = ["-e", "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat"]
        try fixture.run(below: strace + calls, ["insert", "-ef", name], input: "new\n").check()
        let trace = String(decoding: try fixture.read("trace"), as: UTF8.self)
        let lines = trace.split(separator: "\n").map(String.init)
        func place(_ parts: String...) -> Int? {
            lines.firstIndex { line in parts.allSatisfy(line.contains) && line.hasSuffix("= 0") }
        }
        let content = try #require(place("fsync", ".passchain-tmp."), "\(trace)")
        let rename = try #require(place("renameat", "\"\(name).gpg\""), "\(trace)")
        let folder = try #require(place("fsync", "<\(fixture.store)>"), "\(trace)")
        #expect(content < rename && rename < folder)
        // A blob, a tree and a commit, each before it gets its name; then the branch.
        let objects = lines.count {
            $0.contains("fsync") && $0.contains("/.git/objects/") && $0.hasSuffix("= 0")
        }
        #expect(objects == 3, "\(trace)")
        let branch = try #require(place("fsync", "/refs/heads/main.lock"), "\(trace)")
        let named = try #require(place("rename", "/refs/heads/main\""), "\(trace)")
        #expect(folder < branch && branch < named)
    }
}
