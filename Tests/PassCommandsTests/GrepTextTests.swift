import SecretMemory
import Testing

@testable import PassCommands

/// Several entries searched at once, told apart by the numbers of lines.
@Suite struct GrepTextTests {
    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }

    private func text(_ secret: SecretBytes) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    /// A line as `grep --color=always --line-number` prints it.
    private func line(_ number: Int, _ text: String) -> String {
        "\u{1B}[32m\u{1B}[K\(number)\u{1B}[m\u{1B}[K\u{1B}[36m\u{1B}[K:\u{1B}[m\u{1B}[K\(text)\n"
    }

    private func parts(_ output: String, _ lineCounts: [Int]) -> [String?]? {
        GrepText.split(secret(output), lineCounts: lineCounts)?.map { $0.map(text) }
    }

    @Test func entriesBecomeOneTextOfWholeLines() {
        var joined = GrepText(capacity: 0)
        for entry in ["a\nb\n", "", "c", "\n", "d\r\ne"] { joined.append(secret(entry)) }
        #expect(joined.lineCounts == [2, 0, 1, 1, 2])
        #expect(text(joined.finish()) == "a\nb\nc\n\nd\r\ne\n")
    }

    @Test func eachEntryGetsItsLines() {
        let output =
            line(1, "a") + line(2, "b") + line(4, "\u{1B}[01;31m\u{1B}[Kc\u{1B}[m\u{1B}[K") + line(6, "")
        let expected = ["a\nb\n", nil, nil, "\u{1B}[01;31m\u{1B}[Kc\u{1B}[m\u{1B}[K\n", "\n"]
        #expect(parts(output, [2, 0, 1, 2, 1]) == expected)
    }

    @Test(arguments: ["\u{1B}[m\u{1B}[K", "7:", "\u{1B}[32m\u{1B}[K2\u{1B}[m\u{1B}[K\u{1B}[36m\u{1B}[K:"])
    func whatALineBeginsWithIsItsOwn(_ start: String) {
        #expect(parts(line(1, start + "a"), [1, 1]) == [start + "a\n", nil])
    }

    @Test(arguments: [
        "grep: (standard input): binary file matches\n", "1:a\n", "\u{1B}[32m\u{1B}[K1",
        "\u{1B}[35m\u{1B}[Kf",
        "\u{1B}[32m\u{1B}[K99999999999999999999999",
    ])
    func whatIsNoNumberedLineIsNotUnderstood(_ output: String) {
        #expect(parts(output, [1, 1]) == nil)
        #expect(parts(line(1, "a") + output, [1, 1]) == nil)
    }

    @Test func aLineBeyondAllEntriesIsNotUnderstood() {
        #expect(parts(line(3, "a"), [1, 1]) == nil)
    }
}
