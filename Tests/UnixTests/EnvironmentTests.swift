import Glibc
import TestSupport
import Testing
import Unix

@Suite struct EnvironmentTests {
    let folder = TestFolder()

    private func find(_ name: String, path: String?) -> Path? {
        var environment = Environment()
        environment["PATH"] = path.map { Array($0.utf8) }
        return environment.findProgram(Array(name.utf8))
    }

    @Test func takesTheFirstFolderThatHasTheProgram() {
        folder.file("one/tool", mode: 0o755)
        folder.file("two/tool", mode: 0o755)
        folder.folder("none")
        let (none, one, two) = (
            folder.path.appending("none"), folder.path.appending("one"), folder.path.appending("two")
        )
        #expect(find("tool", path: "\(none):\(two):\(one)") == two.appending("tool"))
        #expect(find("tool", path: "\(none)") == nil)
    }

    @Test(arguments: ["", ".", ":", "./bin", "bin", "..", ":.:"])
    func passesOverFoldersThatDependOnTheCurrentOne(_ entry: String) {
        // `sh` is found in /bin, whatever stands before; and nowhere when nothing else stands there.
        #expect(find("sh", path: "\(entry):/bin") == "/bin/sh")
        guard !entry.isEmpty else { return }
        #expect(find("sh", path: entry) == nil)
    }

    @Test(arguments: [nil, ""]) func searchesTheSystemWithoutPath(_ path: String?) {
        #expect(find("sh", path: path) != nil)
    }

    @Test func takesOnlyFilesThatCanBeRun() {
        folder.file("tool", mode: 0o644)
        folder.folder("tool2")
        #expect(find("tool", path: "\(folder.path)") == nil)
        #expect(find("tool2", path: "\(folder.path)") == nil)
        folder.link("tool3", to: "/bin/sh")
        #expect(find("tool3", path: "\(folder.path)") == folder.path.appending("tool3"))
    }

    @Test func aNameWithASlashStandsForItself() {
        #expect(find("/bin/sh", path: "/nowhere") == "/bin/sh")
        #expect(find("/bin/no-such-shell", path: "/bin") == nil)
        #expect(find("a/sh", path: "/bin") == nil)
    }

    @Test func splitsWordsAsAShell() {
        let environment = Environment(["A": " a\tb \n c  ", "B": ""])
        #expect(environment.words("A") == ["a", "b", "c"].map { Array($0.utf8) })
        #expect(environment.words("B").isEmpty)
        #expect(environment.words("C").isEmpty)
        #expect(environment.nonEmpty("B") == nil)
    }

    @Test func childrenGetExactlyTheseVariables() throws {
        let environment = Environment(["B": "2", "A": "1 x=y"])
        let outcome = try Subprocess("/usr/bin/env", [], environment: environment).run()
        #expect(String(decoding: outcome.output, as: UTF8.self) == "A=1 x=y\nB=2\n")
    }

    @Test(arguments: [("A", "x\0y"), ("A", "\0"), ("A\0B", "x"), ("A=B", "x"), ("", "x")])
    func knowsWhatNoVariableCanBe(_ name: String, _ value: String) throws {
        var environment = Environment([name: value, "B": "2"])
        #expect(environment[name] == nil)
        #expect(environment.unusableNames == [name])
        let child = Subprocess("/usr/bin/env", [], environment: environment)
        let error = #expect(throws: Errno.self) { try child.run() }
        #expect(error?.code == EINVAL)
        environment[name] = nil
        #expect(environment.unusableNames.isEmpty)
    }

    @Test func aVariableThatIsSetAgainIsUsable() {
        var environment = Environment(["A": "x\0"])
        environment["A"] = [0x79]
        #expect(environment.unusableNames.isEmpty && environment["A"] == [0x79])
    }

    @Test func handsOnNamesThatAreNoText() async {
        await #expect(processExitsWith: .success) {
            let name: [CChar] = [0x41, -1, 0]
            guard setenv(name, "1", 1) == 0 else { exit(1) }
            let environment = Environment.ofThisProcess()
            let outcome = try Subprocess("/usr/bin/env", [], environment: environment).run()
            guard outcome.output.split(separator: 0x0A).contains([0x41, 0xFF, 0x3D, 0x31]) else { exit(2) }
        }
    }

    @Test func findsNoProgramOfANameWithNUL() {
        #expect(find("sh\0x", path: "/bin") == nil)
        #expect(find("/bin/sh\0x", path: "/bin") == nil)
    }
}
