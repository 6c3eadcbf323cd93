import Foundation
import TestSupport
import Testing
import Unix

private let definition = "/usr/share/i18n/locales/en_US"

/// Listings in a locale that is not UTF-8, and on terminals without colours, as the real `pass` prints them.
@Suite(
    .enabled(
        if: Programs.areInstalled("pass", "tree", "localedef")
            && FileManager.default.fileExists(atPath: definition),
        "Debian packages locales, pass and tree"
    )
)
struct LocaleTests {
    private static let locale = "en_US.ISO-8859-1"

    private let tool: ToolFixture

    init() throws {
        tool = try ToolFixture()
        let words = ["--no-archive", "-i", "en_US", "-f", "ISO-8859-1", "\(tool.folder)/\(Self.locale)"]
        let outcome = try runProgram("localedef", words, environment: ["PATH": TestPrograms.folder])
        try #require(outcome.status == 0, "\(outcome)")
        for name in ["\u{E9}t\u{E9}", "a", "Z", "tab\there"] { try tool.write("", to: "store/\(name).gpg") }
        // One word in the encoding of the locale.
        let folder = Array("\(tool.store)/".utf8)
        for name: [UInt8] in [[0xE9, 0x74, 0xE9], [0xDC, 0x62, 0x65, 0x72]] {
            let path = Path(folder + name + Array(".gpg".utf8))
            _ = try Subprocess("/usr/bin/touch", [path.bytes], environment: tool.environment).run()
        }
    }

    @Test(arguments: ["ls", "find e", "find \u{C9}", "show nosuch", "ls nosuch/"], [locale, "C", "C.UTF-8"])
    func listsAsPassDoes(_ line: String, _ locale: String) throws {
        for terminal in [["TERM": "xterm"], ["TERM": "dumb"], [:], ["TERM": "xterm", "NO_COLOR": "1"]] {
            var variables = tool.environment
            for (name, value) in terminal { variables[name] = Array(value.utf8) }
            variables["LC_ALL"] = Array(locale.utf8)
            variables["LOCPATH"] = Array(tool.folder.utf8)
            let words = line.split(separator: " ").map { Array($0.utf8) }
            let ours = try Subprocess(Path("\(tool.folder)/bin/pass"), words, environment: variables).run()
            let theirs = try Subprocess("/usr/bin/pass", words, environment: variables).run()
            #expect(ours.output == theirs.output, "\(String(decoding: ours.output, as: UTF8.self))")
            #expect(ours.errorOutput == theirs.errorOutput)
            #expect(ours.status == theirs.status)
        }
    }

    /// A converter brings the system's libc along, and a static executable does not survive one of another version.
    @Test(.enabled(if: Machine.hasStrace, "\(Machine.withoutStrace)"))
    func quotesNamesAsPassDoesWithoutAConverter() throws {
        let name: [UInt8] = [0xE9, 0x27, 0x80, 0xFF]
        var variables = tool.environment
        variables["LC_ALL"] = Array(Self.locale.utf8)
        variables["LOCPATH"] = Array(tool.folder.utf8)
        func remove(_ program: Path, _ words: [String]) throws -> Subprocess.Outcome {
            let path = Path(Array("\(tool.store)/".utf8) + name + Array(".gpg".utf8))
            _ = try Subprocess("/usr/bin/touch", [path.bytes], environment: tool.environment).run()
            return try Subprocess(
                program,
                words.map { Array($0.utf8) } + [name],
                environment: variables
            ).run()
        }
        let theirs = try remove("/usr/bin/pass", ["rm", "-f"])
        // A static executable has no loader to ask what it loads.
        let log = "\(tool.folder)/trace"
        let tracing = ["-qq", "-e", "trace=openat", "-o", log, "\(tool.folder)/bin/pass"]
        let ours = try remove(Path("\(TestPrograms.folder)/strace"), tracing + ["rm", "-f"])
        // What git says of it comes after.
        #expect(theirs.output.starts(with: ours.output), "\(String(decoding: ours.output, as: UTF8.self))")
        #expect(ours.output.starts(with: Array("removed ".utf8)))
        #expect(ours.status == 0 && theirs.status == 0)
        let opened = try String(contentsOfFile: log, encoding: .utf8)
        #expect(opened.contains("\(Self.locale)/LC_CTYPE\""))
        #expect(!opened.contains("ISO8859-1.so"))
    }
}
