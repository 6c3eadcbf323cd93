import Foundation
import Testing
import Unix

/// gpg's status lines, for which `--status-fd` in `PASSWORD_STORE_GPG_OPTS` asks.
@Suite struct StatusLineTests {
    private static let variables = ["PASSWORD_STORE_GPG_OPTS": "--status-fd=2"]

    private let tool: ToolFixture

    init() throws { tool = try ToolFixture() }

    /// The keywords of the status lines of a run, after a look at how the lines are written.
    private func keywords(_ outcome: ToolFixture.Outcome) -> [String] {
        let lines = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "" && !lines.dropLast().contains(""), "\(outcome)")
        #expect(!lines.contains { $0.trimmingCharacters(in: .whitespaces) == "[GNUPG:]" }, "\(outcome)")
        return lines.filter { $0.hasPrefix("[GNUPG:] ") }.map { String($0.split(separator: " ")[1]) }
    }

    @Test func thereIsNoEmptyLine() throws {
        let insert = try tool.run("insert", "-e", "x", input: "secret\n", with: Self.variables)
        #expect(insert.status == 0)
        #expect(Set(keywords(insert)).isSuperset(of: ["BEGIN_ENCRYPTION", "END_ENCRYPTION"]))
        let show = try tool.run("show", "x", with: Self.variables)
        #expect(show.output == "secret\n" && show.status == 0)
        let found = keywords(show)
        for word in ["BEGIN_DECRYPTION", "PLAINTEXT", "DECRYPTION_OKAY", "END_DECRYPTION"] {
            #expect(found.filter { $0 == word }.count == 1, "\(word): \(show)")
        }
    }

    @Test func theyComeWhereADecryptionFails() throws {
        try tool.run("insert", "-e", "x", input: "secret\n")
        let file = URL(filePath: "\(tool.store)/x.gpg")
        let good = try Data(contentsOf: file)
        var flipped = good
        flipped[good.count - 5] ^= 1
        for (message, keyword) in [
            (flipped, "DECRYPTION_FAILED"), (Data(good.dropLast(20)), "DECRYPTION_FAILED"),
            (Data("text\n".utf8), "NODATA"), (Data(), "NODATA"), (good + good, "END_DECRYPTION"),
        ] {
            try message.write(to: file)
            let show = try tool.run("show", "x", with: Self.variables)
            #expect(show.output.isEmpty && show.status == 2, "\(show)")
            #expect(keywords(show).contains(keyword), "\(keyword): \(show)")
        }
    }

    @Test func theyComeWhereAnEncryptionFails() throws {
        try tool.write("\(String(repeating: "A", count: 40))\n", to: "store/.gpg-id")
        let insert = try tool.run("insert", "-e", "x", input: "secret\n", with: Self.variables)
        #expect(insert.status != 0)
        #expect(keywords(insert).contains("INV_RECP"), "\(insert)")
    }
}
