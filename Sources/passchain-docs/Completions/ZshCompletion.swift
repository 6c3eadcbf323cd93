internal import CommandGrammar

extension CompletionScripts {
    /// The script for zsh: a file `_PROGRAM` in a folder of `fpath`.
    ///
    /// The style `prefix` names the store of another command, as the one of pass does:
    /// `zstyle ':completion::complete:workpass::' prefix ~/work`.
    var zsh: String {
        [
            "#compdef \(program)\n# Made from the descriptions of the commands; do not edit.\n",
            zshEntryPoint, zshArguments, zshRuntime,
        ].joined(separator: "\n")
    }

    /// The file `_DROPIN` for where the tool is installed under that name too.
    var zshDropIn: String {
        """
        #compdef \(dropIn)
        # Made from the descriptions of the commands; do not edit.

        autoload -Uz _\(program)
        _\(program) "$@"

        """
    }

    private var zshEntryPoint: String {
        #"""
        _\#(program)() {
            # Set where an option that \#(dropIn) lacks is a word like any other.
            local dropIn=${(M)${${(Q)words[1]}:t}:#\#(dropIn)}
            # What to ask: the program as typed if that is a path, otherwise \#(program), which a function, an alias or
            # a program of another name stands for.
            local tool=${(Q)words[1]}
            [[ $tool != \~* ]] || tool=${~tool}
            [[ $tool == */* ]] || (( ! $+commands[\#(program)] )) || tool=\#(program)
            local -a ask=($tool)
            local store
            zstyle -s ":completion:${curcontext}:" prefix store && ask=(env PASSWORD_STORE_DIR=$store $tool)
            __\#(program)_command '' '\#((subcommandNames + dashedNames).joined(separator: "|"))' \#(fallback.name)
        }

        # Completes the words behind command $1. The first of them may be the name of a subcommand, which pattern $2
        # knows; otherwise they belong to command $3.
        __\#(program)_command() {
            if (( CURRENT > 2 )) && [[ $words[2] == (${~2}) ]]; then
                shift words
                (( CURRENT-- ))
                __\#(program)_arguments "$1$words[1]"
            else
                (( CURRENT > 2 )) || [[ $PREFIX == -* ]] || __\#(program)_subcommands $1
                __\#(program)_arguments $3
            fi
        }

        # Offers the subcommands of command $1.
        __\#(program)_subcommands() {
            local -a subcommands
            case $1 in
        \#(zshSubcommands("", commands) + commands.map { zshSubcommands($0.name + " ", $0.subcommands) }.joined())\#
            esac
            _describe -t commands command subcommands
        }

        """#
    }

    private func zshSubcommands(_ front: String, _ commands: [Command]) -> String {
        guard !commands.isEmpty else { return "" }
        let names = commands.flatMap { command in
            command.names.filter { !$0.hasPrefix("-") }.map {
                "        \(zshQuoted("\($0):\(label(command.summary))"))\n"
            }
        }
        return "    (\(zshQuoted(front)))\n        subcommands=(\n" + names.map { "    " + $0 }.joined()
            + "        )\n        ;;\n"
    }

    private var zshArguments: String {
        """
        __\(program)_arguments() {
            case $1 in
        \(commands.map { zshCase($0, front: "") }.joined())\
            esac
        }

        """
    }

    private func zshCase(_ command: Command, front: String) -> String {
        let names = command.names.map { front.isEmpty ? $0 : "\"\(front)\($0)\"" }.joined(separator: "|")
        let subcommands = command.subcommands.flatMap(\.names).joined(separator: "|")
        let call =
            command.subcommands.first.map {
                "__\(program)_command '\(command.name) ' '\(subcommands)' '\(command.name) \($0.name)'"
            } ?? zshCall(command)
        return "    (\(names))\n        \(call)\n        ;;\n"
            + command.subcommands.map { zshCase($0, front: command.name + " ") }.joined()
    }

    private func zshCall(_ command: Command) -> String {
        let options = command.options.flatMap { group in
            group.options.flatMap { zshSpecifications($0, excluding: group.options.flatMap(\.spellings)) }
        }
        let operands = command.operands.enumerated().map { zshSpecification($1, at: $0 + 1) }
        if command.parsing == .verbatim, !options.isEmpty {
            return zshFirst(command, options) + "        " + zshArguments(" $first", operands)
        }
        return options + operands == [] ? "_message 'no arguments'" : zshArguments("", options + operands)
    }

    private func zshArguments(_ array: String, _ specifications: [String]) -> String {
        "_arguments -s -S :\(array)" + specifications.map { " \\\n            \(zshQuoted($0))" }.joined()
    }

    /// Sets an array to the options that count as the first word only, where they do.
    private func zshFirst(_ command: Command, _ options: [String]) -> String {
        let spellings = command.allOptions.flatMap(\.spellings).joined(separator: "|")
        return """
            local -a first
                    (( CURRENT > 2 )) && [[ $words[2] != (\(spellings)) ]] || [[ $dropIn ]] || first=(
            \(options.map { "            \(zshQuoted($0))\n" }.joined())\
                    )

            """
    }

    /// `(-p --path)--path=[summary]:subfolder:action`, for each spelling.
    private func zshSpecifications(_ option: Option, excluding others: [String]) -> [String] {
        option.spellings.map { spelling in
            let isLong = spelling.hasPrefix("--")
            let form =
                switch option.value {
                case .none: spelling
                case .required: spelling + (isLong ? "=" : "+")
                case .optional: spelling + (isLong ? "=-" : "-")
                }
            let value = option.placeholder.map { name in
                (option.takesNextWord ? ":" : "::") + zshColonsEscaped(name) + ":"
                    + zshAction(option.completes)
            }
            return
                "(\(others.joined(separator: " ")))\(form)[\(zshBracketsEscaped(label(option.summary)))]\(value ?? "")"
        }
    }

    private func zshSpecification(_ operand: Operand, at position: Int) -> String {
        let start =
            switch operand.occurs {
            case _ where [.gitSubcommand, .subcommand].contains(operand.completes): "\(position):"
            case .once: "\(position):"
            case .optional, .optionalIgnoringMore: "\(position)::"
            case .oneOrMore, .anyNumber: "*:"
            }
        let action =
            operand.completes == .nothing
            ? "__\(program)_nothing \(operand.name)" : zshAction(operand.completes)
        return start + zshColonsEscaped(operand.name) + ":" + action
    }

    private func zshAction(_ completes: Completion) -> String {
        switch completes {
        case .nothing: " "
        case .command: "{__\(program)_subcommands ''}"
        case .subcommand: "{__\(program)_subcommands \"$words[CURRENT-1] \"}"
        case .file: "_files"
        default: completes.kind.map { "__\(program)_\($0)" } ?? " "
        }
    }

    private var zshRuntime: String {
        let kinds = Self.kinds.map { "__\(program)_\($0)() { __\(program)_names \($0) \"$@\" }\n" }.joined()
        return kinds + #"""

            # Tells what a word is (the last of the arguments) that only the user knows. Of a word that may become an
            # option it says nothing: with a message zsh would list the option instead of inserting it.
            __\#(program)_nothing() { [[ $PREFIX != -* ]] && _message -e arguments "$argv[-1]" }

            # Offers the names of a kind ($1) one level at a time; the other words are for compadd.
            __\#(program)_names() {
                local kind=$1 typed=$PREFIX folder answer separator
                local -a leaves leafLabels steps stepLabels
                shift
                [[ $compstate[quote] == \' ]] || typed=${(Q)PREFIX}
                # zsh itself compares what follows the last slash, as the user's matchers would have it.
                [[ $kind == (keys|git) ]] || folder=${(M)typed##*/}
                answer="$($ask complete -z -- $kind "$folder" 2>/dev/null </dev/null)"
                # The end of the last name is no part of its label.
                answer=${answer%$'\0'}
                leaves=(${(0)answer})
                # Labels lack the folder with which each name begins. To split once more is the fastest way: each
                # pattern takes 2 ms for ten thousand names, and so is only tried where there are folders.
                separator=$'\0'$folder
                leafLabels=(${(ps:$separator:)${answer#"$folder"}})
                if [[ $kind != (keys|git) && $leaves[(r)*/] ]]; then
                    steps=(${(M)leaves:#*/}) stepLabels=(${(M)leafLabels:#*/})
                    leaves=(${leaves:#*/}) leafLabels=(${leafLabels:#*/})
                fi
                local added=1
                (( $#leaves )) && compadd "$@" -d leafLabels -a leaves && added=0
                (( $#steps )) && compadd "$@" -S '' -d stepLabels -a steps && added=0
                return $added
            }

            if [[ $funcstack[1] == _\#(program) ]]; then
                _\#(program) "$@"
            else
                compdef _\#(program) \#(program)
            fi

            """#
    }

    private func zshQuoted(_ text: String) -> String { "'" + escaping(text, "'") { _ in "'\\''" } + "'" }

    private func zshColonsEscaped(_ text: String) -> String { escaping(text, "\\:") { "\\\($0)" } }

    private func zshBracketsEscaped(_ text: String) -> String { escaping(text, "\\:[]") { "\\\($0)" } }
}
