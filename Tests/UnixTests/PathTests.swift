import Testing
import Unix

@Suite struct PathTests {
    @Test(arguments: [
        ("", 0), ("/", 0), ("a", 1), ("/a", 1), ("a/", 1), ("a//b", 2), ("//a///b//", 2), ("./a", 2),
        ("a/../b", 3),
    ])
    func slashesSeparateComponents(_ text: String, _ count: Int) {
        #expect(Path(text).components.count == count)
    }

    @Test(arguments: [
        ("a", "b", "a/b"), ("a/", "b", "a/b"), ("", "b", "b"), ("a", "", "a"), ("", "", ""), ("/", "b", "/b"),
        ("a//", "b", "a//b"),
    ])
    func appendsWithOneSlash(_ first: String, _ second: String, _ result: String) {
        #expect(Path(first).appending(Path(second)) == Path(result))
    }

    @Test(arguments: [
        ("a/b", "a", "b"), ("b", "", "b"), ("/b", "", "b"), ("a/", "a", ""), ("", "", ""),
        ("a//b", "a/", "b"),
    ])
    func takesTheLastComponentApart(_ text: String, _ parent: String, _ last: String) {
        #expect(Path(text).parent == Path(parent))
        #expect(Path(text).lastComponent == Array(last.utf8))
    }

    @Test(arguments: [
        ("x.gpg", ".gpg", "x"), ("x.gpg.gpg", ".gpg", "x.gpg"), (".gpg", ".gpg", ".gpg"), ("x", ".gpg", "x"),
        ("gpg", ".gpg", "gpg"), ("a/.gpg", ".gpg", "a/"),
    ])
    func takesOneSuffixAway(_ text: String, _ suffix: String, _ result: String) {
        #expect(Path(text).withoutSuffix(suffix) == Path(result))
    }

    @Test(arguments: [([], ""), (["a"], "a"), (["a", "b"], "a/b"), (["", "a"], "/a")])
    func isMadeOfComponents(_ components: [String], _ text: String) {
        #expect(Path(components: components.map(\.utf8)) == Path(text))
    }

    @Test func holdsAnyBytes() {
        let bytes: [UInt8] = [0xFF, 0x2F, 0x0A, 0xC3]
        #expect(Path(bytes).components.map(Array.init) == [[0xFF], [0x0A, 0xC3]])
        #expect(Path(bytes).description == "\u{FFFD}/\n\u{FFFD}")
    }

    @Test(arguments: [[0], [0x61, 0], [0, 0x2F, 0x61], [0x61, 0x2F, 0, 0x2F, 0x62]] as [[UInt8]])
    func holdsNoNUL(_ bytes: [UInt8]) async {
        #expect(Path(checking: bytes) == nil)
        await #expect(processExitsWith: .failure) { [bytes] in _ = Path(bytes) }
        await #expect(processExitsWith: .failure) { [bytes] in _ = Path(components: [bytes]) }
    }

    @Test func takesAllOtherBytesFromOutside() {
        let bytes = (1...UInt8.max).map { $0 }
        #expect(Path(checking: bytes)?.bytes == bytes)
    }
}
