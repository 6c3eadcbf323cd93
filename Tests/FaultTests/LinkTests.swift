import Foundation
import TestSupport
import Testing

/// Copies and moves onto links, and of links, as cp(1) and mv(1) make them.
@Suite struct LinkTests {
    private func prepare() throws -> FaultFixture {
        let fixture = try FaultFixture()
        try fixture.run("init", "-p", "bob", Keys.bob).check()
        for name in ["from/x", "real", "bob/real"] {
            try fixture.run("insert", "-m", name, input: "\(name)\n").check()
        }
        try fixture.shell(
            """
            cd $S; ln -s real.gpg link.gpg; ln -s bob/real.gpg far.gpg; ln -s nothing.gpg dangling.gpg
            mkdir folder; ln -s ../real.gpg folder/x.gpg; git add -A; git commit -qm links
            """
        ).check()
        return fixture
    }

    @Test func aCopyWritesThroughALink() throws {
        let fixture = try prepare()
        try fixture.run("cp", "-f", "from/x", "link").check()
        #expect(try fixture.decrypted("real") == "from/x\n")
        #expect(try fixture.shell("readlink $S/link.gpg").output == "real.gpg\n")
        #expect(try fixture.status().isEmpty)
        // For those who may read it where it really is.
        try fixture.run("cp", "-f", "from/x", "far").check()
        #expect(try fixture.decrypted("bob/real") == "from/x\n")
        let packets = try Keys.ring.gpg(["--batch", "--list-packets", "\(fixture.store)/bob/real.gpg"]).text
        #expect(packets.contains(try Keys.encryptionKey(Keys.bob)))
        #expect(!packets.contains(try Keys.encryptionKey(Keys.alice)))
        #expect(try fixture.shell("readlink $S/far.gpg").output == "bob/real.gpg\n")
        #expect(try fixture.status().isEmpty)
    }

    @Test func aCopyOfAFolderWritesThroughLinksInTheOther() throws {
        let fixture = try prepare()
        try fixture.shell("cd $S; mkdir outer; mv folder outer/from; git add -A; git commit -qm moved")
            .check()
        try fixture.shell("cd $S/outer/from; ln -sf ../../real.gpg x.gpg").check()
        try fixture.run("cp", "-f", "from", "outer").check()
        #expect(try fixture.decrypted("real") == "from/x\n")
        #expect(try fixture.shell("readlink $S/outer/from/x.gpg").output == "../../real.gpg\n")
    }

    @Test(arguments: [
        (["cp", "from/x", "dangling"], "cp: not writing through dangling symlink 'S/dangling.gpg'\n"),
        (["cp", "real", "link"], "cp: 'S/real.gpg' and 'S/link.gpg' are the same file\n"),
        (["cp", "link", "real"], "cp: 'S/link.gpg' and 'S/real.gpg' are the same file\n"),
        (["mv", "link", "real"], "mv: 'S/link.gpg' and 'S/real.gpg' are the same file\n"),
        (["cp", "folder/x", "real"], "cp: 'S/folder/x.gpg' and 'S/real.gpg' are the same file\n"),
        (["mv", "folder/x", "real"], "mv: 'S/folder/x.gpg' and 'S/real.gpg' are the same file\n"),
    ])
    func nothingIsLostByALink(_ words: [String], _ message: String) throws {
        let fixture = try prepare()
        let before = try fixture.everything()
        let outcome = try fixture.run(
            words: (words.prefix(1) + ["-f"] + words.dropFirst()).map { Array($0.utf8) }
        )
        #expect(outcome.status == 1)
        #expect(outcome.errors == message.replacingOccurrences(of: "'S/", with: "'\(fixture.store)/"))
        #expect(try fixture.everything() == before)
        #expect(try fixture.status().isEmpty)
    }

    @Test(arguments: [["show", "x"], ["ls"], ["insert", "-e", "x"], ["rm", "-f", "x"], ["git", "log"]])
    func aStoreThatCannotBeOpenedIsNoEmptyOne(_ words: [String]) throws {
        let fixture = try FaultFixture()
        try fixture.shell("ln -s loop $F/loop").check()
        let outcome = try fixture.run(
            words: words.map { Array($0.utf8) },
            input: Array("x\n".utf8),
            with: ["PASSWORD_STORE_DIR": fixture.folder + "/loop"]
        )
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "Error: cannot open \(fixture.folder)/loop: Too many levels of symbolic links.\n",
            "\(outcome)"
        )
    }

    @Test func aMoveTakesTheLinksPlace() throws {
        let fixture = try prepare()
        try fixture.run("mv", "-f", "real", "link").check()
        #expect(try fixture.decrypted("link") == "real\n")
        #expect(!fixture.exists("store/real.gpg"))
        #expect(try fixture.status().isEmpty)
    }
}
