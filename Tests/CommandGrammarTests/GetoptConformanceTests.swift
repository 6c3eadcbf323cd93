import TestSupport
import Testing

@testable import CommandGrammar

/// The parser against util-linux's `getopt`, which is glibc's `getopt_long`.
@Suite(.enabled(if: Program.getopt.isInstalled, "needs /usr/bin/getopt"))
struct GetoptConformanceTests {
    private static func command(_ name: String, _ options: [CommandGrammar.Option]) -> Command {
        Command(
            name,
            summary: "Takes any operands.",
            options: options.map { .any($0) },
            operands: [Operand("word", completes: .nothing, occurs: .anyNumber)]
        )
    }

    private static let path = Option("path", "p", value: .required("x"), summary: "P.")
    private static let clip = Option("clip", "c", value: .optional("n"), summary: "C.")
    private static let force = Option("force", "f", summary: "F.")

    static let commands = [
        command("init", [path]),
        command("show", [Sample.qrcode, Sample.clip]),
        command(
            "generate",
            [Sample.noSymbols, Sample.qrcodeSwitch, Sample.clipSwitch, Sample.inPlace, force]
        ),
        command("mixed", [path, clip, force]),
        command(
            "prefixes",
            [
                path, Option("path-name", "P", summary: "P."),
                Option("pat", value: .optional("n"), summary: "P."),
                force, Option("force-all", value: .required("x"), summary: "F."),
            ]
        ),
        command("one", [force]),
    ]

    /// Words that have surprised people, each with every command.
    static let lines: [[String]] = [
        [], ["--"], ["-"], [""], ["a"], ["-f"], ["a", "-f", "b"], ["--", "-f"], ["-f", "--", "-f", "--"],
        ["-c2"], ["-c", "2"], ["--clip=2"], ["--clip", "2"], ["--clip="], ["--c"], ["--cl=2"], ["-qc"],
        ["-cq"],
        ["-c", "-c2"], ["-c2", "-c"], ["-cf"], ["-fc"], ["-fc2"], ["-fcf", "x"], ["-c-f"], ["-f-"], ["-f-f"],
        ["-p"], ["-p", "x"], ["-px"], ["-p="], ["-p=x"], ["-p", "--", "y"], ["-p", "-f"], ["-fp"],
        ["-fp", "x"],
        ["-fpx"], ["--path"], ["--path", "x"], ["--path=x"], ["--path="], ["--path", "--"],
        ["--path=--", "--", "z"],
        ["--pa"], ["--pat"], ["--path-"], ["--path-n"], ["--path-n=1"], ["--p", "x"], ["--p=x", "y"],
        ["--force=x"],
        ["--force="], ["--f=1"], ["--forc"], ["--force-"], ["--force-all"], ["--force-all", "-f"], ["--fx"],
        ["--nosuch"], ["--nosuch=1", "-x"], ["-x"], ["-xy", "a"], ["-xf"], ["-:"], ["-;"], ["-W", "force"],
        ["-?"],
        ["-="], ["--=x"], ["--="], ["---force"], ["---"], ["-f", "-", "-f"], ["a", "--", "b", "--"],
        ["--clip", "--"],
        ["-x", "-y", "--zz", "--path"], ["--path", "a", "--path=b", "-pc"], ["a b", "c'd", "e\nf", "-pg h"],
        ["--path=a b=c"], ["--cl\u{E9}"], ["-\u{E9}"], ["-f", "\u{E9}", "-p\u{1F511}"],
        ["\\", "$x", "`y`", "*"],
        ["--PATH=x"], ["-F"], ["--clip=-"], ["-c=3"], ["+f"], ["--fo", "rce"], ["-pf", "-fp", "-f"], ["-p-"],
        ["-p--"],
    ]

    @Test(arguments: commands)
    func treatsKnownTrapsAlike(_ command: Command) throws {
        try compare(
            Self.lines.flatMap { line in
                [false, true].map {
                    GetoptOracle.Case(command: command, words: line.map { Word($0.utf8) }, posixlyCorrect: $0)
                }
            }
        )
    }

    @Test func passesBytesOfNoEncodingThrough() throws {
        let lines: [[Word]] = [
            [[0xFF]], [[0x2D, 0xFF]], [[0x2D, 0x66, 0x80, 0xFE]], [Word("--".utf8) + [0xC3]],
            [Word("--path=".utf8) + [0xFF, 0x01]], [Word("--\u{1B}[0m".utf8)], [[0x2D, 0x1B]],
            [Word("-p".utf8), [0x80]], [[0x0A]], [[0x2D, 0x0A]],
        ]
        try compare(Self.commands.flatMap { command in lines.map { .init(command: command, words: $0) } })
    }

    /// 600 lines a seed, put together from pieces that make options likely.
    @Test(arguments: 1...5)
    func treatsArbitraryWordsAlike(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces: [Word] =
            [
                "-", "--", "-", "--", "=", "=", "p", "c", "f", "q", "n", "i", "x", "path", "pa", "clip", "cl",
                "force",
                "fo", "force-a", "in-place", "no-s", "2", "", " ", "'", "name", "\u{E9}",
            ].map { Word($0.utf8) } + [[0xFF]]
        try compare(
            (0..<600).map { _ in
                let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    Word(
                        (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in
                            pieces.randomElement(using: &random)!
                        }
                    )
                }
                return GetoptOracle.Case(
                    command: Self.commands.randomElement(using: &random)!,
                    words: words,
                    posixlyCorrect: Int.random(in: 0..<4, using: &random) == 0
                )
            }
        )
    }

    private func compare(_ cases: [GetoptOracle.Case]) throws {
        let answers = try GetoptOracle.answers(to: cases)
        try #require(answers.count == cases.count)
        for (one, theirs) in zip(cases, answers) {
            var expected = theirs
            if !theirs.succeeded {
                // What getopt could read in spite of a mistake is of no use: the command is not run.
                expected.options = []
                expected.operands = []
            }
            let line = one.words.map { String(decoding: $0, as: UTF8.self) }
            #expect(ours(one) == expected, "\(one.command.name) \(line) \(one.posixlyCorrect)")
        }
    }

    private func ours(_ one: GetoptOracle.Case) -> GetoptOracle.Answer {
        do throws(UsageError) {
            let arguments = try one.command.parse(one.words, posixlyCorrect: one.posixlyCorrect)
            return GetoptOracle.Answer(
                succeeded: true,
                messages: [],
                options: arguments.given.map { [Word($0.option.long.utf8), $0.value ?? []] },
                operands: arguments.operands
            )
        } catch {
            let messages = error.messages(program: GetoptOracle.program, asDropIn: true)
            return GetoptOracle.Answer(
                succeeded: false,
                messages: Word(messages.joined(separator: [0x0A])),
                options: [],
                operands: []
            )
        }
    }
}
