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
        /// The option, by its long name, counts together with another one only.
        case optionWithoutOther(Option, needed: Option)
        /// What a rule of the command's own says of its words, in one sentence without a period.
        case brokenRule(String)
        /// There are fewer operands than the command needs.
        case tooFewOperands
        /// There are more operands than the command takes.
        case tooManyOperands
    }

    /// Everything that is wrong, in the order it was found; never empty.
    package let faults: [Fault]

    /// Makes an error of what is wrong.
    package init(faults: [Fault]) { self.faults = faults }

    /// The sentences getopt prints for the faults, and ours for what it does not look at.
    ///
    /// - Parameters:
    ///   - program: the last part of `argv[0]`.
    ///   - asDropIn: whether the tool runs in the place of pass, which has no word for options of its own that exclude
    ///     each other.
    /// - Returns: sentences in order, without newlines. None for a wrong number of operands.
    package func messages(program: Word, asDropIn: Bool = false) -> [Word] {
        faults.compactMap { fault in
            if case .exclusiveOptions(let options) = fault, asDropIn,
                !options.contains(where: \.isTypedInFull)
            {
                return nil
            }
            return fault.message(program: program)
        }
    }
}

extension UsageError.Fault {
    /// The sentence of glibc's `getopt_long` for this fault, or one like it.
    ///
    /// - Parameter program: the last part of `argv[0]`.
    /// - Returns: the sentence without a newline, or nil where the usage line says it all.
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
            case .exclusiveOptions(let options):
                "options " + Word(options.map { "'--\($0.long)'" }.joined(separator: " and ").utf8)
                    + " exclude each other"
            case .optionWithoutOther(let option, let needed):
                "option '--" + option.longName + "' requires '--" + needed.longName + "'"
            case .brokenRule(let sentence): Word(sentence.utf8)
            case .tooFewOperands, .tooManyOperands: nil
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
