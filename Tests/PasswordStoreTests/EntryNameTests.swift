import PasswordStore
import Testing
import Unix

@Suite struct EntryNameTests {
    @Test(arguments: [
        ("a", "a"), ("a/b", "a/b"), ("/a", "a"), ("a//b", "a/b"), ("./a/./b", "a/b"), ("a/", "a"), ("", ""),
        ("/", ""),
        (".", ""), ("a b", "a b"), ("-rf", "-rf"), ("--help", "--help"), ("x.gpg", "x.gpg"),
        ("a.b.c", "a.b.c"),
        ("...", "..."), ("..a", "..a"), ("a..", "a.."), ("*", "*"), (":(exclude)x", ":(exclude)x"),
        ("git/host.example:2299", "git/host.example:2299"), (".hidden", ".hidden"), ("~", "~"),
        ("$HOME", "$HOME"),
        ("a\\b", "a\\b"), ("gpg-id", "gpg-id"), (".gpg-id.bak", ".gpg-id.bak"), (".gitx", ".gitx"),
        (".passchain-tmp", ".passchain-tmp"), ("passchain-tmp.x", "passchain-tmp.x"),
    ])
    func takesOrdinaryNames(_ text: String, _ path: String) throws {
        let name = try EntryName(text)
        #expect(name.folderPath == Path(path))
        #expect(name.filePath == Path(path + ".gpg"))
        #expect(name.bytes == Array(text.utf8))
        #expect(name.isRoot == path.isEmpty)
    }

    @Test(arguments: [
        "..", "../x", "a/..", "a/../b", "/..", "a/../../x", "./..", "..//x", "a/./../../x", "x/../",
    ])
    func refusesNamesThatLeaveTheStore(_ text: String) {
        #expect(throws: StoreError.refusedName(Array(text.utf8), .sneaky)) { try EntryName(text) }
    }

    @Test(arguments: [
        ".git", ".git/hooks/x", "a/.git/x", ".gpg-id", ".gpg-id.sig", ".gitattributes", ".gitignore",
        ".gitmodules",
        ".extensions/x", ".public-keys/x", ".GIT/config", ".Gpg-Id", ".git/", "//.git", "a/.Extensions",
        "./.git", ".passchain-tmp.", "a/.passchain-tmp.12-x.0", ".PassChain-TMP.x/y",
        ".passchain-pending.new",
    ])
    func refusesWhatTheStoreKeepsForItself(_ text: String) throws {
        let error = #expect(throws: StoreError.self) { try EntryName(text) }
        guard case .refusedName(_, .reserved) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func limitsLengths() throws {
        let longest = String(repeating: "x", count: 251)
        _ = try EntryName(longest)
        _ = try EntryName("a/\(longest)/b")
        #expect(throws: StoreError.self) { try EntryName(longest + "x") }
        #expect(throws: StoreError.self) { try EntryName(String(repeating: "x/", count: 2001)) }
    }

    @Test func takesBytesThatAreNotText() throws {
        let name = try EntryName([0x61, 0xFF, 0x2F, 0x0A, 0x1B])
        #expect(name.components == [[0x61, 0xFF], [0x0A, 0x1B]])
    }

    @Test(arguments: [("a/", "a", true), ("a", "a", false), ("a//", "a/", true), ("/", "", true)])
    func knowsItsTrailingSlash(_ text: String, _ without: String, _ has: Bool) throws {
        #expect(try EntryName(text).hasTrailingSlash == has)
        #expect(try EntryName(text).bytesWithoutTrailingSlash == Array(without.utf8))
    }

    @Test(arguments: ["\0", "a\0", "../x\0", "a/\0/b", "/\0file\0", ".git\0"])
    func refusesANUL(_ text: String) {
        #expect(throws: StoreError.refusedName(Array(text.utf8), .holdsNUL)) { try EntryName(text) }
    }
}
