/// Turns plain text into lines of mdoc(7).
///
/// A sentence begins on a new line, lines stay below 80 bytes, and nothing in the text is taken for a request.
enum MdocText {
    private static let width = 76

    /// The lines of a paragraph; what stands between backquotes becomes `.Ql`.
    static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        func flush() {
            if !line.isEmpty { lines.append(line) }
            line = ""
        }
        for piece in pieces(text) {
            switch piece {
            case .word(let word, let endsSentence):
                if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > width { flush() }
                line += line.isEmpty ? (startsRequest(word) ? "\\&" : "") + word : " " + word
                if endsSentence { flush() }
            case .literal(let before, let literal, let after):
                flush()
                let opening = before.map { escaped(String($0)) + " " }.joined()
                let closing = after.map { " " + escaped(String($0)) }.joined()
                lines.append(".Ql " + opening + argument(literal) + closing)
            }
        }
        flush()
        return lines
    }

    /// `text` as one argument of a macro, whatever it looks like.
    static func argument(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.allSatisfy { $0 != " " && $0 != "\"" }
        return isPlain ? "\\&" + literal(text) : "\"\\&" + literal(text) + "\""
    }

    /// `text` for a line of an example: dashes and quotes stay what they are.
    static func literal(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "\"": "\\(dq"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default: String(character)
            }
        }.joined()
    }

    private enum Piece {
        case word(String, endsSentence: Bool)
        /// A literal, and the punctuation that touches it.
        case literal(before: String, String, after: String)
    }

    private static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var opening = ""
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                pieces.append(.literal(before: opening, String(part), after: ""))
                continue
            }
            var words = part.split(separator: " ").map(String.init)
            if index > 0, part.first != " ", let first = words.first {
                // What touches the literal from behind.
                words.removeFirst()
                if case .literal(let before, let literal, _) = pieces[pieces.count - 1] {
                    pieces[pieces.count - 1] = .literal(before: before, literal, after: first)
                }
            }
            opening = ""
            if part.last != " ", let last = words.last, last == "(" || last == "[" {
                opening = last
                words.removeLast()
            }
            pieces += words.map { .word(escaped($0), endsSentence: endsSentence($0)) }
        }
        return pieces
    }

    private static func endsSentence(_ word: String) -> Bool {
        let end = word.last { $0 != ")" && $0 != "\"" }
        return end.map { ".?!".contains($0) } ?? false
    }

    private static func startsRequest(_ word: String) -> Bool { word.first == "." || word.first == "'" }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "\\" ? "\\e" : String($0) }.joined()
    }
}
