import TestSupport
import Testing

@testable import PasswordStore

/// The parser of `.gpg-id`.
///
/// Numbers are those of the field cases that it goes back to.
@Suite struct RecipientListTests {
    private func ids(_ text: String) throws -> [String] {
        try RecipientList(parsing: Array(text.utf8)).ids.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        // No final newline.
        ("A\nB", ["A", "B"]), ("A", ["A"]),
        // Comments, with and without a blank, and blank lines.
        ("A # name <a@example.org>\n", ["A"]), ("A#x\n", ["A"]),
        ("# team\n\n  \n A \n\t\nB\t\n", ["A", "B"]),
        // CRLF and a byte-order mark.
        ("A\r\nB\r\n", ["A", "B"]), ("\u{FEFF}A\n", ["A"]), ("\r\n\r\nA\r", ["A"]),
        // Two subkeys of one key.
        ("1111222233334444!\n5555666677778888!\n", ["1111222233334444!", "5555666677778888!"]),
        // User ids as they are.
        ("Store Key\n", ["Store Key"]), ("user@host\n", ["user@host"]), ("0x12345678\n", ["0x12345678"]),
        ("J\u{F6}rg <j@example.org>\n", ["J\u{F6}rg <j@example.org>"]), ("=exact name\n", ["=exact name"]),
        ("A\nA\n", ["A", "A"]), ("a-b\n", ["a-b"]), ("======\n", ["======"]), ("a =======\n", ["a ======="]),
    ])
    func readsEachId(_ text: String, _ expected: [String]) throws {
        #expect(try ids(text) == expected)
    }

    @Test(arguments: ["", "\n", "# nobody\n", "  \n\t\r\n", "\u{FEFF}", "\u{FEFF}\n"])
    func nobodyIsAFault(_ text: String) {
        #expect(throws: RecipientList.Fault.empty) { try ids(text) }
    }

    @Test(arguments: [
        // S15: words that GPGME or gpg would take for options.
        ("A\n--file\nkey.asc\n", 2, "--file"), ("--hidden\nA\n", 1, "--hidden"), ("-\n", 1, "-"),
        ("--\nA\n", 1, "--"),
        ("A\n -r\n", 2, "-r"), ("\t--file # x\nkey.asc", 1, "--file"), ("\u{FEFF}-x", 1, "-x"),
    ])
    func optionsAreRefusedByLine(_ text: String, _ line: Int, _ option: String) {
        #expect(throws: RecipientList.Fault.option(line: line, text: Array(option.utf8))) { try ids(text) }
    }

    @Test(arguments: [
        // S18: what git leaves in a file that it cannot merge.
        ("<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x\n", 1), ("A\n=======\nB\n", 2), ("A\n>>>>>>> theirs\n", 2),
        ("A\r\n=======\r\n", 2), ("A\n<<<<<<< ours # x\n", 2), ("A\n||||||| base\n", 2),
    ])
    func mergeConflictsAreRefusedByLine(_ text: String, _ line: Int) {
        #expect(throws: RecipientList.Fault.mergeConflict(line: line)) { try ids(text) }
    }

    @Test(arguments: [("A\u{1B}[0m\n", 1), ("A\nB\u{0}C\n", 2), ("A\n\nB\u{7F}\n", 3), ("A\tB\n", 1)])
    func controlCharactersAreRefusedByLine(_ text: String, _ line: Int) {
        #expect(throws: RecipientList.Fault.controlCharacter(line: line)) { try ids(text) }
    }

    @Test(arguments: ["A#B", " A", "A ", "", "A\r", "#", "A\t", "\u{FEFF}A", "<<<<<<< HEAD", "======="])
    func whatWouldBeReadBackDifferentlyIsNotWritten(_ id: String) {
        #expect(throws: StoreError.self) { try RecipientList(checking: [Array(id.utf8)]) }
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let ids = ["A", "Store Key", "J\u{F6}rg <j@example.org>", "1111222233334444!"].map { Array($0.utf8) }
        #expect(try RecipientList(parsing: RecipientList(checking: ids).text).ids == ids)
    }

    /// No text makes it crash, and none loses a line: what it answers holds each line that is no comment.
    @Test func neverDropsALine() throws {
        var generator = SeededGenerator.forTest()
        let pieces = [
            "A", "b@c", " ", "\n", "\r\n", "#", "-", "\t", "\u{0}", "=======", "<<<<<<< ", "\u{FEFF}", "!",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
            guard let list = try? RecipientList(parsing: Array(text.utf8)) else { continue }
            let body = Array(
                text.utf8.starts(with: "\u{FEFF}".utf8) ? text.utf8.dropFirst(3) : text.utf8[...]
            )
            let lines = body.split(separator: 0x0A).map { $0.prefix { $0 != 0x23 } }
                .filter { !$0.allSatisfy { [0x20, 0x09, 0x0D].contains($0) } }
            #expect(list.ids.count == lines.count, "\(text.debugDescription), \(generator)")
        }
    }
}
