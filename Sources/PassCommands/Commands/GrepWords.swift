internal import CommandGrammar

/// The words for grep(1), looked through for what they make it do.
struct GrepWords {
    /// The words.
    let words: [Word]

    init(_ words: [Word]) { self.words = words }

    /// Letters of grep(1) after which the rest of the word, or the next word, is a value.
    private static let lettersWithValue = Set("ABCDdefm".utf8)

    /// The first word that turns on a search of files: `-r`, `-R`, `--recursive`, `--directories=recurse` and so on.
    var recursiveOption: Word? {
        var skipsNext = false
        for word in words {
            if skipsNext {
                skipsNext = false
                continue
            }
            if word == Array("--".utf8) { return nil }
            if word.starts(with: "--".utf8) {
                if GrepWords.isRecursiveLong(word) { return word }
                continue
            }
            guard word.count > 1, word[0] == UInt8(ascii: "-") else { continue }
            for (index, letter) in word.enumerated().dropFirst() {
                if letter == UInt8(ascii: "r") || letter == UInt8(ascii: "R") { return word }
                guard GrepWords.lettersWithValue.contains(letter) else { continue }
                let value = word[(index + 1)...]
                if letter == UInt8(ascii: "d"), value.starts(with: "rec".utf8) { return word }
                skipsNext = value.isEmpty
                break
            }
        }
        return nil
    }

    /// Letters that change nothing about each line being judged alone, and those with a value.
    private static let lettersForLines = Set("EFGHTbchilnoqsvwxy0123456789".utf8)
    private static let lettersForLinesWithValue = Set("ABCem".utf8)

    private static let optionsForLines = Set(
        [
            "count", "extended-regexp", "files-with-matches", "fixed-strings", "ignore-case", "invert-match",
            "line-number", "line-regexp", "only-matching", "quiet", "silent", "word-regexp",
        ]
        .map { Array("--\($0)".utf8) }
    )

    /// Whether the same lines match when several entries are searched as one.
    ///
    /// So it is with what looks at one line at a time and counts it if it matches. Other options are taken not to: those
    /// that list what does not match, read patterns from standard input, or end lines with a zero byte; Perl's
    /// expressions, which may look at the line before; and ``\` ``, where a file starts.
    var judgesEachLineAlone: Bool {
        var rest = words[...]
        while let word = rest.popFirst(), word != Array("--".utf8) {
            guard word.count > 1, word[0] == UInt8(ascii: "-") else { continue }
            if word[1] == UInt8(ascii: "-") {
                guard GrepWords.optionsForLines.contains(word) else { return false }
                continue
            }
            for (index, letter) in word.enumerated().dropFirst() {
                if GrepWords.lettersForLinesWithValue.contains(letter) {
                    if index == word.count - 1 { _ = rest.popFirst() }
                    break
                }
                guard GrepWords.lettersForLines.contains(letter) else { return false }
            }
        }
        return !words.contains { $0.contains(UInt8(ascii: "`")) }
    }

    /// Long options may be cut short, to two letters here: `--rec` and `--de` are understood by grep(1).
    private static func isRecursiveLong(_ word: Word) -> Bool {
        let name = word.prefix { $0 != UInt8(ascii: "=") }
        let value = word.dropFirst(name.count + 1)
        return name.count >= 5 && "--recursive".utf8.starts(with: name)
            || name.count >= 4 && "--dereference-recursive".utf8.starts(with: name)
            || name.count >= 4 && "--directories".utf8.starts(with: name) && value.starts(with: "rec".utf8)
    }
}
