extension Command {
    /// Reads the words after the command's name by the rules of glibc's `getopt_long`.
    ///
    /// Options may follow operands, `--` ends them, letters can be bundled (`-rf`), a long name can be cut short
    /// while it is unique, and an optional value must be attached. A command that takes its words verbatim sees them
    /// all as operands, but for an option as the first. Like getopt, the parser reads on behind a mistake and reports
    /// every one.
    ///
    /// - Parameters:
    ///   - words: what the user typed behind the command's name.
    ///   - posixlyCorrect: whether the first operand ends the options, as `POSIXLY_CORRECT` in the environment asks.
    ///   - asDropIn: whether the tool runs in the place of pass, to which also the first word of a command that takes
    ///     its words verbatim is no option.
    /// - Returns: the options and operands.
    /// - Throws: ``UsageError`` for words getopt refuses, options that exclude each other and a wrong number of
    ///   operands.
    package func parse(
        _ words: [Word],
        posixlyCorrect: Bool = false,
        asDropIn: Bool = false
    ) throws(UsageError) -> Arguments {
        var scan = GetoptScan(options: allOptions)
        switch parsing {
        case .getopt: scan.read(words, posixlyCorrect: posixlyCorrect)
        case .verbatim: scan.readVerbatim(words, asDropIn: asDropIn)
        }
        let faults = scan.faults + exclusionFaults(scan.given) + countFaults(scan.operands.count)
        guard faults.isEmpty else { throw UsageError(faults: faults) }
        return Arguments(given: scan.given, operands: scan.operands)
    }

    private func exclusionFaults(_ given: [Arguments.Given]) -> [UsageError.Fault] {
        options.compactMap { group in
            guard case .exclusive(let options) = group else { return nil }
            let clashing = options.filter { option in given.contains { $0.option == option } }
            return clashing.count > 1 ? .exclusiveOptions(clashing) : nil
        }
    }

    private func countFaults(_ count: Int) -> [UsageError.Fault] {
        // How many words there may be is for the subcommand to say.
        guard subcommands.isEmpty else { return [] }
        if count < operands.reduce(0, { $0 + $1.occurs.minimum }) { return [.tooFewOperands] }
        var limit = 0
        for operand in operands {
            guard let maximum = operand.occurs.maximum else { return [] }
            limit += maximum
        }
        return count > limit ? [.tooManyOperands] : []
    }
}

/// One walk over the words of a command, as glibc's `getopt_long` makes it.
private struct GetoptScan {
    let options: [Option]
    var given: [Arguments.Given] = []
    var operands: [Word] = []
    var faults: [UsageError.Fault] = []

    init(options: [Option]) { self.options = options }

    mutating func read(_ words: [Word], posixlyCorrect: Bool) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == [.dash, .dash] {
                operands += rest
                return
            }
            if word.starts(with: [.dash, .dash]) {
                readLong(word.dropFirst(2), &rest)
            } else if word.first == .dash, word.count > 1 {
                readShort(word.dropFirst(), &rest)
            } else if posixlyCorrect {
                operands.append(word)
                operands += rest
                return
            } else {
                operands.append(word)
            }
        }
    }

    mutating func readVerbatim(_ words: [Word], asDropIn: Bool) {
        let first = asDropIn ? nil : words.first
        let option = options.first { option in
            option.spellings.contains { $0.utf8.elementsEqual(first ?? []) }
        }
        if let option { record(option, nil) }
        operands = option == nil ? words : Array(words.dropFirst())
    }

    /// Reads `name` or `name=value`.
    private mutating func readLong(_ typed: ArraySlice<UInt8>, _ rest: inout ArraySlice<Word>) {
        let name = typed.prefix { $0 != .equals }
        let attached = name.endIndex < typed.endIndex ? Word(typed[(name.endIndex + 1)...]) : nil
        let matches = options(called: name)
        guard let option = matches.first else {
            faults.append(.unknownOption(Word(typed)))
            return
        }
        guard matches.count == 1 else {
            faults.append(.ambiguousOption(Word(typed), possibilities: matches))
            return
        }
        switch option.value {
        case .none:
            if attached == nil { record(option, nil) } else { faults.append(.needlessValue(option)) }
        case .optional:
            record(option, attached)
        case .required:
            if let value = attached ?? rest.popFirst() {
                record(option, value)
            } else {
                faults.append(.missingValue(option))
            }
        }
    }

    /// The option with exactly this long name, otherwise all that begin with it and can be cut short.
    private func options(called name: ArraySlice<UInt8>) -> [Option] {
        let candidates = options.filter { $0.longName.starts(with: name) }
        let exact = candidates.first { $0.longName.count == name.count }
        return exact.map { [$0] } ?? candidates.filter { !$0.isTypedInFull }
    }

    /// Reads a word of letters, one of which may take the rest of it as its value.
    private mutating func readShort(_ letters: ArraySlice<UInt8>, _ rest: inout ArraySlice<Word>) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.shortLetter == letter }) else {
                faults.append(.unknownLetter(letter))
                continue
            }
            let attached = letters.isEmpty ? nil : Word(letters)
            switch option.value {
            case .none:
                record(option, nil)
                continue
            case .optional:
                record(option, attached)
            case .required:
                if let value = attached ?? rest.popFirst() {
                    record(option, value)
                } else {
                    faults.append(.missingValueAfterLetter(letter))
                }
            }
            return
        }
    }

    private mutating func record(_ option: Option, _ value: Word?) {
        given.append(Arguments.Given(option: option, value: value))
    }
}
