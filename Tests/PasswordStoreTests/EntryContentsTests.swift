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
        // An empty entry, and one of one line without a line end.
        ("", "new\n"), ("old", "new\n"), ("old\n", "new\n"), ("old\nuser: x\n", "new\nuser: x\n"),
        ("old\nuser: x", "new\nuser: x"), ("\n", "new\n"), ("\nx", "new\nx"), ("old\n\n", "new\n\n"),
    ])
    func replacesTheFirstLineAndNothingElse(_ old: String, _ new: String) {
        let password = SecretBytes(copying: Array("new".utf8).span)
        #expect(text(contents(old).replacingFirstLine(with: password)) == new)
    }
}
