/// What is wrong with the words a command was given.
package struct UsageError: Error, Hashable, Sendable {
    /// One thing that is wrong.
    ///
    /// Words are as typed, so they need not be UTF-8.
    package enum Fault: Hashable, Sendable {
        /// No option has this short letter.
        case unknownLetter(UInt8)
        /// No option has this long name; the word is without its dashes and with its `=value`.
        case unknownOption(Word)
        /// Several options begin so; the word is without its dashes and with its `=value`.
        case ambiguousOption(Word, possibilities: [Option])
        /// The option, by its letter, lacks its value.
        case missingValueAfterLetter(UInt8)
        /// The option, by its long name, lacks its value.
        case missingValue(Option)
        /// The option, by its long name, was given a value and takes none.
        case needlessValue(Option)
        /// The options exclude each other.
        case exclusiveOptions([Option])
        /// There are fewer operands than the command needs.
        case tooFewOperands
        /// There are more operands than the command takes.
        case tooManyOperands
    }

    /// Everything that is wrong, in the order it was found; never empty.
    package let faults: [Fault]

    /// Makes an error of what is wrong.
    package init(faults: [Fault]) { self.faults = faults }

    /// The sentences getopt prints for the faults.
    ///
    /// - Parameter program: the last part of `argv[0]`.
    /// - Returns: sentences in order, without newlines. None when getopt would not have minded, which is so for
    ///   options that exclude each other and a wrong number of operands.
    package func messages(program: Word) -> [Word] {
        faults.compactMap { $0.message(program: program) }
    }
}

extension UsageError.Fault {
    /// The sentence of glibc's `getopt_long` for this fault.
    ///
    /// - Parameter program: the last part of `argv[0]`.
    /// - Returns: the sentence without a newline, or nil for what getopt does not look at.
    fileprivate func message(program: Word) -> Word? {
        let sentence: Word? =
            switch self {
            case .unknownLetter(let letter): "invalid option -- '" + [letter] + "'"
            case .unknownOption(let typed): "unrecognized option '--" + typed + "'"
            case .ambiguousOption(let typed, let possibilities):
                "option '--" + typed + "' is ambiguous; possibilities:"
                    + Word(possibilities.map { " '--\($0.long)'" }.joined().utf8)
            case .missingValueAfterLetter(let letter): "option requires an argument -- '" + [letter] + "'"
            case .missingValue(let option): "option '--" + option.longName + "' requires an argument"
            case .needlessValue(let option): "option '--" + option.longName + "' doesn't allow an argument"
            case .exclusiveOptions, .tooFewOperands, .tooManyOperands: nil
            }
        return sentence.map { program + ": " + $0 }
    }
}

/// Bytes and text in one sentence: what the user typed goes in as it is.
private func + (bytes: Word, text: StaticString) -> Word {
    bytes + Word(text.description.utf8)
}

private func + (text: StaticString, bytes: Word) -> Word {
    Word(text.description.utf8) + bytes
}
