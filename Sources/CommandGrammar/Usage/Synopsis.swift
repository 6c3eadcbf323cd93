/// Derives the text of a usage line in the notation of pass: `[--echo,-e | --multiline,-m] [--force,-f] pass-name`.
enum Synopsis {
    static func text(_ options: [OptionGroup], _ operands: [Operand]) -> String {
        pieces(options, operands).joined(separator: " ")
    }

    /// The text in the pieces that belong together.
    static func pieces(_ options: [OptionGroup], _ operands: [Operand]) -> [String] {
        options.map(text) + operands.map(text)
    }

    /// The pieces for a command; in the place of pass without the options that pass lacks.
    static func pieces(_ command: Command, asDropIn: Bool = false) -> [String] {
        if asDropIn { return command.synopsis.isEmpty ? [] : [command.synopsis] }
        return switch command.parsing {
        case .getopt: pieces(command.options, command.operands)
        case .verbatim: pieces(command.options, []) + command.synopsis.split(separator: " ").map(String.init)
        }
    }

    private static func text(_ group: OptionGroup) -> String {
        "[" + group.options.map(text).joined(separator: " | ") + "]"
    }

    private static func text(_ option: Option) -> String {
        var spellings = ["--" + option.long]
        if let short = option.short { spellings.append("-\(short)") }
        switch option.value {
        case .none:
            break
        case .required(let placeholder):
            spellings[0] += "=" + placeholder
            if spellings.count > 1 { spellings[1] += " " + placeholder }
        case .optional(let placeholder):
            spellings[0] += "[=" + placeholder + "]"
            if spellings.count > 1 { spellings[1] += "[" + placeholder + "]" }
        }
        return spellings.joined(separator: ",")
    }

    private static func text(_ operand: Operand) -> String {
        switch operand.occurs {
        case .once: operand.name
        case .optional, .optionalIgnoringMore: "[\(operand.name)]"
        case .oneOrMore: "\(operand.name)..."
        case .anyNumber: "[\(operand.name)...]"
        }
    }
}
