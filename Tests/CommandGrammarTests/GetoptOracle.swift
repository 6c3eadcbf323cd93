// swift-format-ignore-file: NeverForceUnwrap
import CommandGrammar

/// What `/usr/bin/getopt` makes of words, for many lines of words in one shell.
enum GetoptOracle {
    struct Case: Sendable {
        let command: Command
        let words: [Word]
        var posixlyCorrect = false
    }

    struct Answer: Equatable {
        var succeeded: Bool
        var messages: [UInt8]
        /// Long names and values; an optional value that is missing counts as empty, as getopt shows it.
        var options: [[Word]]
        var operands: [Word]
    }

    static let program = Word("pr\u{F8}g".utf8)

    /// Asks getopt about all cases.
    static func answers(to cases: [Case]) throws -> [Answer] {
        let folder = try TemporaryFolder()
        let script = try folder.write(cases.reduce(Word(prologue.utf8)) { $0 + line(for: $1) }, to: "cases")
        let result = try Program.bash.run([script], environment: ["LC_ALL": "C"])
        var fields = result.output.split(separator: 0, omittingEmptySubsequences: false).map { Word($0) }[...]
        return cases.map { read(&fields, $0.command) }
    }

    /// Prints status, messages, number of words and the words, each with a NUL behind it.
    private static let prologue = """
        ask() {
            local letters=$1 names=$2 messages words status=0
            shift 2
            { words=$(getopt -n "$program" -o "$letters" -l "$names" -- "$@" 2>&3); status=$?
            } 3>"$0.messages"
            messages=$(<"$0.messages")
            eval "set -- $words"
            printf '%s\\0' "$status" "$messages" "$#" "$@"
        }
        program=\(String(decoding: program, as: UTF8.self))

        """

    private static func line(for one: Case) -> Word {
        let letters = one.command.allOptions.compactMap { option in
            option.short.map { "\($0)" + colons(option) }
        }
        let names = one.command.allOptions.map { $0.long + colons($0) }
        let prefix = one.posixlyCorrect ? "POSIXLY_CORRECT=1 ask" : "ask"
        let head = "\(prefix) '\(letters.joined())' '\(names.joined(separator: ","))'"
        return Word(head.utf8) + one.words.flatMap { [0x20] + quoted($0) } + [0x0A]
    }

    private static func colons(_ option: CommandGrammar.Option) -> String {
        switch option.value {
        case .none: ""
        case .required: ":"
        case .optional: "::"
        }
    }

    private static func quoted(_ word: Word) -> Word {
        [0x27] + word.flatMap { $0 == 0x27 ? Word(#"'\''"#.utf8) : [$0] } + [0x27]
    }

    private static func read(_ fields: inout ArraySlice<Word>, _ command: Command) -> Answer {
        let status = fields.removeFirst()
        var answer = Answer(
            succeeded: status == Word("0".utf8),
            messages: fields.removeFirst(),
            options: [],
            operands: []
        )
        let count = Int(String(decoding: fields.removeFirst(), as: UTF8.self))!
        var words = fields.prefix(count)
        fields.removeFirst(count)
        while let word = words.popFirst(), word != Word("--".utf8) {
            let option = command.allOptions.first { isSpelling(word, of: $0) }!
            let value = option.value == .none ? [] : words.removeFirst()
            answer.options.append([Word(option.long.utf8), value])
        }
        answer.operands = Array(words)
        return answer
    }

    private static func isSpelling(_ word: Word, of option: CommandGrammar.Option) -> Bool {
        word == Word("--\(option.long)".utf8) || option.short.map { word == Word("-\($0)".utf8) } ?? false
    }
}
