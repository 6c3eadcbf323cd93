import PasswordStore
import SecretMemory
import Testing

@Suite struct EntryContentsTests {
    private func contents(_ text: String) -> EntryContents {
        EntryContents(SecretBytes(copying: Array(text.utf8).span))
    }

    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { secret in
            secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        }
    }

    @Test(
        arguments: [
            ("one\ntwo\n", 1, "one"), ("one\ntwo\n", 2, "two"), ("one\ntwo\n", 3, nil), ("one", 1, "one"),
            ("", 1, nil),
            ("\n", 1, ""), ("\n\nx", 2, ""), ("\n\nx", 3, "x"), ("one\ntwo", 2, "two"), ("a\r\nb", 1, "a\r"),
            ("one", 0, nil), ("one", -1, nil), ("one", Int.max, nil), ("a\u{0}b\nc", 1, "a\u{0}b"),
        ] as [(String, Int, String?)]
    )
    func countsLinesFromOne(_ all: String, _ number: Int, _ line: String?) {
        #expect(text(contents(all).line(number)) == line)
    }

    @Test(arguments: [
        ("pw\r\nlogin: alice\r\nurl:\r\n", ["pw", "login: alice", "url:"], ["alice", ""]),
        ("pw\nlogin: a\rb\r\nlast: x\r", ["pw", "login: a\rb", "last: x\r"], ["a\rb", "x\r"]),
        ("\r\n\r\nlogin:\r\r\n", ["", "", "login:\r"], ["\r"]), ("", [], []),
    ])
    func aLineEndMayHaveACarriageReturn(_ all: String, _ lines: [String], _ values: [String]) {
        let contents = contents(all)
        #expect(contents.lines.map { text(contents.bytes.slice($0)) } == lines)
        #expect(contents.fields.map { text(contents.bytes.slice($0.value)) } == values)
        #expect(text(contents.password) == lines.first ?? "")
    }

    @Test(arguments: [
        // An empty entry, and one of one line without a line end.
        ("", "new\n"), ("old", "new\n"), ("old\n", "new\n"), ("old\nuser: x\n", "new\nuser: x\n"),
        ("old\nuser: x", "new\nuser: x"), ("\n", "new\n"), ("\nx", "new\nx"), ("old\n\n", "new\n\n"),
    ])
    func replacesTheFirstLineAndNothingElse(_ old: String, _ new: String) {
        let password = SecretBytes(copying: Array("new".utf8).span)
        #expect(text(contents(old).replacingFirstLine(with: password)) == new)
    }
}
