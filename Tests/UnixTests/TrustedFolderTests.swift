import Glibc
import TestSupport
import Testing

@testable import Unix

/// Folders where others could replace what this user makes.
@Suite struct TrustedFolderTests {
    let scratch = TestFolder()

    private func isTrusted(_ name: Path) -> Bool? { scratch.path.appending(name).isTrustedFolder }

    @Test(
        arguments: [
            (0o755, true), (0o700, true), (0o775, false), (0o757, false), (0o777, false), (0o1777, true),
            (0o1775, true), (0o2755, true), (0o722, false),
        ] as [(UInt32, Bool)]
    )
    func dependsOnWhoMayWrite(_ mode: UInt32, _ isTrusted: Bool) {
        scratch.folder("a/b/c", mode: 0o700)
        scratch.folder("a/b", mode: mode)
        #expect(self.isTrusted("a/b") == isTrusted)
        // What lies above can be replaced with all that is in it.
        #expect(self.isTrusted("a/b/c") == isTrusted)
        scratch.link("link", to: "a/b/c")
        #expect(self.isTrusted("link") == isTrusted)
        #expect(self.isTrusted("a") == true)
    }

    @Test func whatIsNoFolderIsNotLookedAt() {
        scratch.file("file")
        scratch.link("nowhere", to: "missing")
        #expect(isTrusted("missing") == nil && isTrusted("nowhere") == nil && isTrusted("file/x") == nil)
        #expect(isTrusted("file") == false)
    }

    @Test func systemFoldersAreTrusted() {
        for path: Path in ["/", "/usr", "/usr/", "/usr/../usr/bin/.", "//usr//bin"] {
            #expect(path.isTrustedFolder == true, "\(path)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func thatOfAnotherUserIsNot() throws {
        scratch.folder("theirs/inner", mode: 0o700)
        #expect(chown(scratch.cPath("theirs"), 12_345, 12_345) == 0)
        #expect(isTrusted("theirs") == false && isTrusted("theirs/inner") == false)
        // Not even where nobody else may rename what is not theirs: the owner may.
        #expect(chmod(scratch.cPath("theirs"), 0o1777) == 0)
        #expect(isTrusted("theirs") == false)
    }

    /// As after `su`, which keeps the variables of the former user.
    @Test(arguments: ["XDG_RUNTIME_DIR", "TMPDIR"]) func noProgramLiesWhereOthersCouldReplaceIt(
        _ name: String
    ) throws {
        scratch.folder("tmp", mode: 0o777)
        scratch.folder("own", mode: 0o700)
        let others = Environment([name: "\(scratch.path)/tmp"])
        let program = try ScratchProgram([0x78], named: "x", others)
        #expect(!program.path.bytes.starts(with: scratch.path.bytes))
        let own = try ScratchProgram([0x78], named: "x", Environment([name: "\(scratch.path)/own"]))
        #expect(own.path.bytes.starts(with: scratch.path.bytes))
    }
}
