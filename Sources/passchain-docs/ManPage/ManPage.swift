internal import CommandGrammar

/// The manual page of a tool in mdoc(7).
struct ManPage: Sendable {
    private let program: String
    private let commands: [Command]
    private let prose: ManPageText

    /// Describes a page of section 1, of hidden commands as well: who needs them has no other place to look.
    init(program: String, commands: [Command], prose: ManPageText) {
        self.program = program
        self.commands = commands
        self.prose = prose
    }

    /// The page.
    var text: String {
        let lines =
            [
                ".\\\" Made from the descriptions of the commands; do not edit.",
                ".Dd \(prose.date)", ".Dt \(program.uppercased()) 1", ".Os",
                ".Sh NAME", ".Nm \(program)", ".Nd \(MdocText.lines(prose.tagline).joined(separator: " "))",
                ".Sh SYNOPSIS",
            ] + commands.flatMap(\.forms).flatMap(synopsis)
            + [".Sh DESCRIPTION"] + paragraphs(prose.description)
            + [".Sh COMMANDS", ".Bl -tag -width Ds"] + commands.flatMap(entries) + [".El"]
            + environment + files + exitStatus + examples + compatibility + seeAlso
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: Commands

    private func synopsis(_ form: CommandForm) -> [String] { [".Nm"] + words(form) + usage(form.command) }

    private func words(_ form: CommandForm) -> [String] {
        form.isDefault
            ? [".Cm " + form.words.dropLast().joined(separator: " "), ".Op Cm \(form.command.name)"]
            : [".Cm " + form.words.joined(separator: " ")]
    }

    private func usage(_ command: Command) -> [String] {
        command.options.map { ".Op " + $0.options.map(shortForm).joined(separator: " | ") }
            + (command.parsing == .getopt
                ? command.operands.map(operand) : command.synopsis.split(separator: " ").map(word))
    }

    /// A word of a usage line, which says of words that nobody parses what options and operands cannot.
    private func word(_ text: Substring) -> String {
        let isOptional = text.hasPrefix("[")
        let inner = isOptional ? text.dropFirst().dropLast() : text
        let repeats = inner.hasSuffix("...")
        return (isOptional ? ".Op Ar " : ".Ar ") + (repeats ? inner.dropLast(3) + " ..." : inner)
    }

    /// The entry of a command, and those of its subcommands.
    private func entries(_ command: Command) -> [String] {
        guard !command.subcommands.isEmpty else { return command.forms.flatMap(entry) }
        let head = [".It Cm \(command.name)"] + about(command)
        return head + command.forms.flatMap(entry)
    }

    private func entry(_ form: CommandForm) -> [String] {
        [".It Xo"] + words(form) + usage(form.command) + [".Xc"] + about(form.command)
    }

    private func about(_ command: Command) -> [String] {
        let others = command.aliases.isEmpty ? [] : ["Also called"] + names(command.aliases)
        let options = command.allOptions.flatMap { option in
            [".It " + longForm(option)] + MdocText.lines(option.summary)
        }
        let list = options.isEmpty ? [] : [".Bl -tag -width Ds"] + options + [".El"]
        let discussion = command.discussion.flatMap { [".Pp"] + MdocText.lines($0) }
        return MdocText.lines(command.summary) + others + discussion + list
    }

    private func names(_ aliases: [String]) -> [String] {
        let last = aliases.count - 1
        return aliases.enumerated().flatMap { index, name in
            let isDashed = name.hasPrefix("-")
            let macro = isDashed ? ".Fl \(MdocText.literal(String(name.dropFirst())))" : ".Cm \(name)"
            let end = index == last ? " ." : index == last - 1 ? "" : " ,"
            return (index == last && last > 0 ? ["or"] : []) + [macro + end]
        }
    }

    private func operand(_ operand: Operand) -> String {
        let name = "Ar \(operand.name)"
        return switch operand.occurs {
        case .once: ".\(name)"
        case .optional, .optionalIgnoringMore: ".Op \(name)"
        case .oneOrMore: ".\(name) ..."
        case .anyNumber: ".Op \(name) ..."
        }
    }

    /// `Fl p Ar subfolder`, or the long name where there is no letter.
    private func shortForm(_ option: Option) -> String {
        guard let short = option.short else { return longName(option) }
        switch option.value {
        case .none: return "Fl \(short)"
        case .required(let name): return "Fl \(short) Ar \(name)"
        case .optional(let name): return "Fl \(short) Ns Oo Ar \(name) Oc"
        }
    }

    /// Both spellings: `Fl p Ar subfolder , Fl -path Ns = Ns Ar subfolder`.
    private func longForm(_ option: Option) -> String {
        option.short == nil ? longName(option) : shortForm(option) + " , " + longName(option)
    }

    private func longName(_ option: Option) -> String {
        let name = "Fl -\(option.long)"
        return switch option.value {
        case .none: name
        case .required(let value): "\(name) Ns = Ns Ar \(value)"
        case .optional(let value): "\(name) Ns Oo = Ns Ar \(value) Oc"
        }
    }

    // MARK: Sections

    private func paragraphs(_ texts: [String]) -> [String] {
        Array(texts.map(MdocText.lines).joined(separator: [".Pp"]))
    }

    private var environment: [String] {
        let items = prose.environment.flatMap { variable in
            let preset = variable.defaultValue.map { " The default is \($0)." } ?? ""
            return [".It Ev \(variable.name)"] + MdocText.lines(variable.text + preset)
        }
        return list("ENVIRONMENT", items)
    }

    private var files: [String] {
        let items = prose.files.flatMap {
            [".It Pa \(MdocText.argument($0.label))"] + MdocText.lines($0.text)
        }
        return list("FILES", items)
    }

    private var exitStatus: [String] {
        let items = prose.exitStatus.flatMap {
            [".It \(MdocText.argument($0.label))"] + MdocText.lines($0.text)
        }
        return list("EXIT STATUS", items)
    }

    private var examples: [String] {
        let items = prose.examples.map { example in
            MdocText.lines(example.text) + [".Bd -literal -offset indent"]
                + example.lines.map { line in
                    (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + MdocText.literal(line)
                } + [".Ed"]
        }
        return items.isEmpty ? [] : [".Sh EXAMPLES"] + items.joined(separator: [".Pp"])
    }

    private var compatibility: [String] {
        prose.compatibility.isEmpty ? [] : [".Sh COMPATIBILITY"] + paragraphs(prose.compatibility)
    }

    private var seeAlso: [String] {
        let pages = prose.seeAlso.compactMap { page -> String? in
            let parts = page.split(separator: "(")
            guard parts.count == 2 else { return nil }
            return ".Xr \(parts[0]) \(parts[1].dropLast())"
        }
        let lines = pages.enumerated().map { $1 + ($0 < pages.count - 1 ? " ," : "") }
        return lines.isEmpty ? [] : [".Sh SEE ALSO"] + lines
    }

    private func list(_ section: String, _ items: [String]) -> [String] {
        items.isEmpty ? [] : [".Sh \(section)", ".Bl -tag -width Ds"] + items + [".El"]
    }
}
