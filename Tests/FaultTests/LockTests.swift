import TestSupport
import Testing

/// Systems that lock no folders, or nothing at all.
@Suite(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
struct LockTests {
    /// Has `flock` fail, on one folder or wherever it is called.
    private static func strace(_ fixture: FaultFixture, _ code: String, on path: String? = nil) -> [String] {
        ["strace", "-qq", "-o", "\(fixture.folder)/trace"] + (path.map { ["-P", $0] } ?? [])
            + ["-e", "trace=flock", "-e", "inject=flock:error=\(code)"]
    }

    @Test(arguments: ["EBADF", "ENOLCK", "EOPNOTSUPP"], [true, false])
    func aFileIsLockedWhereAFolderCannotBe(_ code: String, _ isInGit: Bool) throws {
        // F25: what NFS says to a lock on a folder.
        let fixture = try FaultFixture(inGit: isInGit)
        let below = Self.strace(fixture, code, on: fixture.store)
        try fixture.run(below: below, ["insert", "-e", "x"], input: "x\n").check()
        #expect(try fixture.decrypted("x") == "x\n")
        #expect(fixture.exists(isInGit ? "store/.git/passchain-lock" : "store/.passchain-lock"))
        if isInGit { #expect(try fixture.status().isEmpty) }
        #expect(try fixture.run("ls").output.contains("passchain") == false)
        // It is no entry, and nobody's name.
        #expect(try fixture.run("insert", "-e", ".passchain-lock/x", input: "x\n").status == 1)
    }

    @Test func writersWaitForEachOtherThere() throws {
        let fixture = try FaultFixture()
        let outcome = try fixture.shell(
            """
            for number in 1 2 3 4 5 6; do
                strace -qq -o $F/trace.$number -P $S -e trace=flock -e inject=flock:error=EBADF \\
                    $TOOL generate e$number > /dev/null 2> $F/errors.$number || echo "failed $number: $(cat $F/errors.$number)" &
            done
            wait; ls $S | wc -l; git -C $S log --format=%s | grep -c "Add generated"; git -C $S status --porcelain
            """
        )
        #expect(outcome.output == "6\n6\n", "\(outcome)")
    }

    @Test func withoutAnyLocksNothingIsChangedAndItIsSaidSo() throws {
        let fixture = try FaultFixture()
        let before = try fixture.everything()
        let outcome = try fixture.run(
            below: Self.strace(fixture, "ENOLCK"),
            ["insert", "-e", "x"],
            input: "x\n"
        )
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Error: cannot lock \(fixture.store): No locks available.\n", "\(outcome)")
        #expect(try fixture.everything() == before)
    }
}
