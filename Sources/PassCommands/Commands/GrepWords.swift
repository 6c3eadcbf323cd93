internal import CommandGrammar

/// The words for grep(1), looked through for an option that would make it search files.
struct GrepWords {
    private let words: [Word]

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

    /// Long options may be cut short, to two letters here: `--rec` and `--de` are understood by grep(1).
    private static func isRecursiveLong(_ word: Word) -> Bool {
        let name = word.prefix { $0 != UInt8(ascii: "=") }
        let value = word.dropFirst(name.count + 1)
        return name.count >= 5 && "--recursive".utf8.starts(with: name)
            || name.count >= 4 && "--dereference-recursive".utf8.starts(with: name)
            || name.count >= 4 && "--directories".utf8.starts(with: name) && value.starts(with: "rec".utf8)
    }
}
