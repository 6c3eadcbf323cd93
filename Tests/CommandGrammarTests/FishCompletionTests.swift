import CommandGrammar
import TestSupport
import Testing

@testable import passchain_docs

/// What the script for fish offers, by fish's own `complete --do-complete`.
@Suite(.enabled(if: Program.fish.isInstalled, "needs fish"))
struct FishCompletionTests {
    private let shell: TypingShell

    init() throws {
        shell = try TypingShell(
            .fish,
            .init(
                entries: ["Email/home", "a$b", "new\nline", "tab\there"].map { Word($0.utf8) },
                folders: ["Email/"].map { Word($0.utf8) },
                keys: ["alice"].map { Word($0.utf8) }
            )
        )
    }

    private func candidates(_ line: String) throws -> [String] {
        let home = shell.folder.path
        let result = try Program.fish.run(
            ["-c", "complete -C $argv[1]", "--", line],
            environment: ["HOME": home, "PATH": "\(home)/bin:\(TestPrograms.folder)"]
        )
        return result.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted()
    }

    @Test func theFirstWordIsASubcommandOrAnEntry() throws {
        let names = Sample.all.filter { !$0.isHidden }.flatMap { [$0.name] + $0.aliases }.filter {
            !$0.hasPrefix("-")
        }
        #expect(try candidates("passchain ") == (names + ["Email/", "a$b"]).sorted())
    }

    @Test(arguments: [
        ("passchain -", ["--clip", "--help", "--qrcode", "-c", "-q"]),
        ("passchain insert -", ["--echo", "--force", "--multiline", "-e", "-f", "-m"]),
        ("passchain insert x -", ["--echo", "--force", "--multiline", "-e", "-f", "-m"]),
        ("passchain insert -e --m", []),
        ("passchain init -", ["--path", "-p"]),
        ("passchain init -p ", ["Email/"]),
        ("passchain init --path=", ["--path=Email/"]),
        ("passchain init -pE", ["-pEmail/"]),
        ("passchain init -p x ", ["alice"]),
        ("passchain init -px a", ["alice"]),
        ("passchain mv x ", ["Email/", "a$b"]),
        ("passchain mv x y ", []),
        ("passchain show -- x ", []),
        ("passchain show -- E", ["Email/"]),
        ("passchain show Email/", ["Email/home"]),
        ("passchain -c E", ["Email/"]),
        ("passchain git ", ["log", "pull", "push"]),
        ("passchain git log ", []),
        ("passchain ticket ", ["Email/", "a$b", "code", "display", "enrol", "take"]),
        ("passchain ticket -", ["--clip", "-c"]),
        ("passchain ticket -c E", ["Email/"]),
        ("passchain ticket take -", ["--force", "--issuer", "-f", "-i"]),
        ("passchain ticket enrol -i x E", ["Email/"]),
        ("passchain ticket enrol x ", []),
        ("passchain help ti", ["ticket"]),
        ("passchain help ticket ", ["code", "display", "enrol", "take"]),
        ("passchain --help ticket en", ["enrol"]),
        ("passchain help insert ", []), ("passchain help ticket code ", []),
        ("passchain find ", []),
        ("passchain find -", ["--json"]),
        ("passchain search --j", ["--json"]),
        ("passchain find --json -", []),
        ("passchain find x -", []),
        ("~/bin/passchain show E", ["Email/"]),
    ])
    func aWordIsCompletedInItsPlace(_ line: String, _ expected: [String]) throws {
        #expect(try candidates(line) == expected)
    }
}
