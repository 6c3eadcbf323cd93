internal import CommandGrammar

/// The words for grep(1), looked through for what they make it do.
struct GrepWords {
    /// An option as it was given.
    private struct Given {
        /// The word it stands in.
        let word: Word
        /// Its letter, or its long name without the dashes, which may be cut short.
        let name: ArraySlice<UInt8>
        let isLong: Bool
        /// Its value, from the same word or the next one.
        let value: ArraySlice<UInt8>?
    }

    /// The words.
    let words: [Word]
    private let options: [Given]
    /// How many of them are neither options nor values of options.
    private let operandCount: Int

    /// Letters and long names of grep(1) 3.8 whose value may be the next word.
    private static let lettersWithValue = Set("ABCDdefm".utf8)
    private static let namesWithValue = [
        "after-context", "before-context", "context", "binary-files", "devices", "directories", "exclude",
        "exclude-dir", "exclude-from", "file", "include", "label", "max-count", "regexp",
    ]
    /// Other long names, which a name that is cut short may stand for.
    private static let namesWithoutValue = [
        "basic-regexp", "binary", "byte-offset", "color", "colour", "count", "dereference-recursive",
        "extended-regexp", "files-with-matches", "files-without-match", "fixed-strings", "help",
        "ignore-case",
        "initial-tab", "invert-match", "line-buffered", "line-number", "line-regexp", "no-filename",
        "no-ignore-case", "no-messages", "null", "null-data", "only-matching", "perl-regexp", "quiet",
        "recursive", "silent", "text", "unix-byte-offsets", "version", "with-filename", "word-regexp",
    ]

    init(_ words: [Word]) {
        self.words = words
        (options, operandCount) = GrepWords.parse(words)
    }

    private static func parse(_ words: [Word]) -> (options: [Given], operandCount: Int) {
        var options: [Given] = []
        var operandCount = 0
        var rest = words[...]
        while let word = rest.popFirst(), word != Array("--".utf8) {
            if word.starts(with: "--".utf8) {
                let name = word.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
                let value = name.endIndex < word.endIndex ? word[(name.endIndex + 1)...] : nil
                let next = value == nil && takesValue(name) ? rest.popFirst()?[...] : nil
                options.append(Given(word: word, name: name, isLong: true, value: value ?? next))
                continue
            }
            guard word.first == UInt8(ascii: "-"), word.count > 1 else {
                operandCount += 1
                continue
            }
            for index in word.indices.dropFirst() {
                let letter = word[index...index]
                guard lettersWithValue.contains(word[index]) else {
                    options.append(Given(word: word, name: letter, isLong: false, value: nil))
                    continue
                }
                let value = word[(index + 1)...]
                let next = value.isEmpty ? rest.popFirst()?[...] : nil
                options.append(Given(word: word, name: letter, isLong: false, value: next ?? value))
                break
            }
        }
        return (options, operandCount + rest.count)
    }

    /// Whether a long name, cut short or not, takes the next word as its value.
    private static func takesValue(_ name: ArraySlice<UInt8>) -> Bool {
        if namesWithValue.contains(where: { $0.utf8.elementsEqual(name) }) { return true }
        return namesWithValue.contains { $0.utf8.starts(with: name) }
            && !namesWithoutValue.contains { $0.utf8.starts(with: name) }
    }

    /// The first word that turns on a search of files: `-r`, `-R`, `--recursive`, `--directories=recurse` and so on.
    var recursiveOption: Word? { options.first(where: GrepWords.isRecursive)?.word }

    /// Long options may be cut short, to two letters here: `--rec` and `--de` are understood by grep(1).
    private static func isRecursive(_ option: Given) -> Bool {
        let name = option.name
        let recurses = option.value?.starts(with: "rec".utf8) ?? false
        guard option.isLong else {
            return "rR".utf8.contains(name[name.startIndex]) || name == [0x64] && recurses
        }
        return name.count >= 3 && "recursive".utf8.starts(with: name)
            || name.count >= 2 && "dereference-recursive".utf8.starts(with: name)
            || name.count >= 2 && "directories".utf8.starts(with: name) && recurses
    }

    private static let lettersForLines = Set("ABCEFGHTbcehilmnoqsvwxy0123456789".utf8)
    private static let namesForLines = [
        "count", "extended-regexp", "files-with-matches", "fixed-strings", "ignore-case", "invert-match",
        "line-number", "line-regexp", "only-matching", "quiet", "silent", "word-regexp",
    ]

    /// Whether searching several entries as one text finds a match exactly when one of them has one.
    ///
    /// True for options that look at each line by itself; any other option counts as false. So do Perl's expressions,
    /// which may look at the line before, and ``\` ``, which stands for the start of the text.
    var judgesEachLineAlone: Bool {
        hasOnly(GrepWords.lettersForLines, GrepWords.namesForLines)
            && !words.contains { $0.contains(UInt8(ascii: "`")) }
    }

    private static let lettersForWholeLines = Set("EFGehivwxy".utf8)
    private static let namesForWholeLines = [
        "extended-regexp", "fixed-strings", "ignore-case", "invert-match", "line-regexp", "word-regexp",
    ]

    /// Whether grep(1) judges each line alone and prints just those that match: there are no options for other output,
    /// and no names of files.
    var printsMatchingLines: Bool {
        let isSo = hasOnly(GrepWords.lettersForWholeLines, GrepWords.namesForWholeLines)
        let hasPatternOption = options.contains { !$0.isLong && $0.name.elementsEqual("e".utf8) }
        return isSo && judgesEachLineAlone && operandCount == (hasPatternOption ? 0 : 1)
    }

    /// Whether each option is one of `letters`, or one of `names` in full.
    private func hasOnly(_ letters: Set<UInt8>, _ names: [String]) -> Bool {
        options.allSatisfy { option in
            option.isLong
                ? names.contains { $0.utf8.elementsEqual(option.name) }
                : option.name.allSatisfy(letters.contains)
        }
    }
}
