internal import CommandGrammar

extension CompletionScripts {
    /// The script for fish 3.1 and later.
    ///
    /// Installed under the name of the drop-in, it completes that instead. Names with a newline or a tab are left out:
    /// fish cannot be told them.
    var fish: String {
        [
            "# Completion of \(program) for fish. Made from the descriptions of its commands; do not edit.\n",
            fishGrammar, fishRuntime, fishRegistration,
        ].joined(separator: "\n")
    }

    private var fishGrammar: String {
        """
        # Prints the name of the command that words begin with, if they do, and how many of them name it.
        function __\(program)_command
            switch "$argv[1]"
        \(commands.map(fishCase).joined())\
            end
        end

        """
    }

    private func fishCase(_ command: Command) -> String {
        let start = "    case \(command.names.joined(separator: " "))\n"
        guard let first = command.subcommands.first else {
            return start + "        printf '%s\\n' \(command.name) 1\n"
        }
        let arms = command.subcommands.map {
            "        case \($0.names.joined(separator: " "))\n            printf '%s\\n' \(command.name)/\($0.name) 2\n"
        }
        return start + "        switch \"$argv[2]\"\n" + arms.joined()
            + "        case '*'\n            printf '%s\\n' \(command.name)/\(first.name) 1\n        end\n"
    }

    private var fishRuntime: String {
        #"""
        # Whether these are all words before the one at the cursor.
        function __\#(program)_follows
            set -l words (commandline -opc)[2..-1]
            test "$words" = "$argv"
        end

        # Whether the word at the cursor belongs to command NAME. With FIRST and LAST, whether it is one of these
        # operands, counted from 0; REQUIRED is a pattern for options whose value is the next word.
        function __\#(program)_at --argument-names name first last required
            set -l words (commandline -opc)[2..-1]
            set -l command (__\#(program)_command $words)
            if set -q command[1]
                set -e words[1..$command[2]]
            else
                set command \#(fallback.name)
            end
            test $command[1] = $name; or return
            set -q first[1]; or return 0
            set -l count 0
            set -l ended
            while set -q words[1]
                set -l word $words[1]
                set -e words[1]
                if set -q ended[1]; or not string match -qr '^-.' -- $word
                    set count (math $count + 1)
                else if test $word = --
                    set ended yes
                else if test -n "$required"; and string match -qr -- $required $word; and set -q words[1]
                    set -e words[1]
                end
            end
            test $count -ge $first; and test $count -le $last
        end

        # Prints names of a kind, one level at a time. With LETTER, the word may begin with that option.
        function __\#(program)_names --argument-names kind letter
            set -l typed (commandline -ct | string collect)
            set typed (string unescape -- $typed | string collect; or echo $typed)
            if test -n "$letter"
                set typed (string replace -r -- "^(--[^=]*=|-[^-]*?$letter)" '' $typed | string collect)
            end
            # What to ask: the program as typed if that is a path, otherwise \#(program), which a function, an alias or a
            # program of another name stands for.
            set -l tool (commandline -opc)[1]
            set tool (string replace -r '^~/' "$HOME/" -- $tool)
            if not string match -q '*/*' -- $tool; and command -q \#(program)
                set tool \#(program)
            end
            # fish itself compares what follows the last slash, loosely if need be.
            set -l folder ''
            contains $kind keys git; or set folder (string match -r '^.*/' -- $typed | string collect)
            # Its lines go straight to fish: each further step over all names takes as long as fish's own.
            command $tool complete -- $kind "$folder" 2>/dev/null </dev/null
        end

        """#
    }

    private var fishRegistration: String {
        """
        set -l program \(program)
        string match -qr '(^|/)\(dropIn)\\.fish$' -- (status filename); and set program \(dropIn)

        complete -c $program -f
        \(commands.flatMap(fishNames).joined())\

        \(commands.flatMap(\.forms).flatMap(fishLines).joined())
        """
    }

    private func fishNames(_ command: Command) -> [String] {
        // Those that name a command, and then one behind it, offer the same there: `help otp insert`.
        let askers = commands.filter { $0.operands.contains { $0.completes == .subcommand } }.flatMap(\.names)
        let places = ([""] + askers.map { " \($0)" }).map { "\($0) \(command.name)" }
        return fishNames(of: command, behind: [""])
            + command.subcommands.flatMap { fishNames(of: $0, behind: places) }
    }

    private func fishNames(of command: Command, behind places: [String]) -> [String] {
        command.names.map { name in
            let word = name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-a \(name)"
            let condition = fishQuoted(places.map { "__\(program)_follows\($0)" }.joined(separator: "; or "))
            return "complete -c $program -n \(condition) \(word) -d \(fishQuoted(label(command.summary)))\n"
        }
    }

    private func fishLines(_ form: CommandForm) -> [String] {
        let start = "complete -c $program -n "
        let place = "__\(program)_at " + form.words.joined(separator: "/")
        let options = form.command.options.flatMap { group in
            group.options.map { option in
                if form.command.parsing == .verbatim { return fishFirst(form, option) }
                let others = group.options.filter { $0 != option }
                return start + fishQuoted(place + fishUnlessGiven(others)) + fishOption(option) + "\n"
            }
        }
        let required = fishRequired(form.command.allOptions.filter(\.takesNextWord))
        let operands = form.command.operands.enumerated().compactMap { index, operand in
            fishAction(operand.completes).map { action in
                let last = operand.repeatsWhenCompleted ? 9999 : index
                return start + fishQuoted("\(place) \(index) \(last) \(required)") + action + "\n"
            }
        }
        return options + operands
    }

    /// An option that counts as the first word only, and not in the place of the drop-in.
    private func fishFirst(_ form: CommandForm, _ option: Option) -> String {
        let words = form.command.names.map { (form.words.dropLast() + [$0]).joined(separator: " ") }
        let condition = words.map { "__\(program)_follows \($0)" }.joined(separator: "; or ")
        return
            "test $program = \(dropIn); or complete -c $program -n \(fishQuoted(condition))\(fishOption(option))\n"
    }

    private func fishUnlessGiven(_ options: [Option]) -> String {
        guard !options.isEmpty else { return "" }
        let spellings = options.map { ($0.short.map { "-s \($0) " } ?? "") + $0.long }
        return "; and not __fish_contains_opt \(spellings.joined(separator: " "))"
    }

    private func fishOption(_ option: Option) -> String {
        var line = (option.short.map { " -s \($0)" } ?? "") + " -l \(option.long)"
        if option.takesNextWord {
            line += " -r" + (fishAction(option.completes, of: option) ?? " -f")
        }
        return line + " -d " + fishQuoted(label(option.summary))
    }

    /// What completes a word that is, or may begin with, an option.
    private func fishAction(_ completes: Completion, of option: Option? = nil) -> String? {
        if completes == .file { return " -F" }
        if completes == .command { return " -f -a " + fishQuoted(subcommandNames.joined(separator: " ")) }
        // An equals sign is no option: it stands for an option that has no letter.
        let letter = option.map { " \($0.short ?? "=")" } ?? ""
        return completes.kind.map { " -f -a " + fishQuoted("(__\(program)_names \($0)\(letter))") }
    }

    /// A pattern for the spellings of options whose value is the next word.
    private func fishRequired(_ options: [Option]) -> String {
        guard !options.isEmpty else { return "" }
        let letters = options.compactMap(\.short).map { "\($0)" }.joined()
        let spellings = options.map { "--\($0.long)" } + (letters.isEmpty ? [] : ["-[^-]*[\(letters)]"])
        return fishQuoted("^(\(spellings.joined(separator: "|")))$")
    }

    private func fishQuoted(_ text: String) -> String { "'" + escaping(text, "\\'") { "\\\($0)" } + "'" }
}
