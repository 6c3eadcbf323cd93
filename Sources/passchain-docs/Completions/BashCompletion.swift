internal import CommandGrammar

extension CompletionScripts {
    /// The script for bash 4.4 and later; it does not need the package bash-completion.
    ///
    /// Its functions have names of its own, since the drop-in's own script may be loaded in the same shell, before it or
    /// after. Installed under the name of the drop-in, it completes that too, and defines what users know of pass:
    /// `_pass`, `_pass_complete_entries`, `_pass_complete_folders` and `_pass_complete_keys`. An extension named in
    /// `PASSWORD_STORE_EXTENSION_COMMANDS` finds these whenever its `__password_store_extension_complete_NAME` is called.
    var bash: String {
        [
            "# Completion of \(program) for bash. Made from the descriptions of its commands; do not edit.\n",
            bashGrammar, bashEntryPoint, bashWords, bashCandidates, bashInsertion, bashRegistration,
        ].joined(separator: "\n")
    }

    /// The function that knows the commands: it sets what the others read.
    private var bashGrammar: String {
        """
        # Describes the command that words begin with: the options a user may want next to each other (one line for those
        # that exclude each other), the options with a value and what completes it, the kinds of its operands, the
        # subcommands that may follow, and how many of the words name it.
        __\(program)_describe() {
            groups=() required='' optional='' operands=() repeats='' verbatim='' subcommands=() named=1
            case $1 in
        \(commands.map { bashCase($0, indent: 4) }.joined())\
            *) return 1 ;;
            esac
        }

        __\(program)_subcommands=(\(subcommandNames.joined(separator: " ")))
        __\(program)_dashed=(\(dashedNames.joined(separator: " ")))

        """
    }

    /// The arm for a command, and in it one for each subcommand.
    private func bashCase(_ command: Command, indent: Int) -> String {
        guard let first = command.subcommands.first else {
            return bashArm(command.names, bashDescription(command), indent: indent)
        }
        let names = command.subcommands.flatMap(\.names).joined(separator: " ")
        let arms = command.subcommands.map {
            bashArm($0.names, bashDescription($0) + ["named=2"], indent: indent + 4)
        }
        let start = String(repeating: " ", count: indent + 4)
        let rest = bashArm(["*"], bashDescription(first), indent: indent + 4)
        return bashArm(
            command.names,
            ["subcommands=(\(names))", "case ${2-} in"],
            indent: indent,
            isOpen: true
        )
            + arms.joined() + rest + "\(start)esac\n\(start);;\n"
    }

    private func bashArm(_ names: [String], _ lines: [String], indent: Int, isOpen: Bool = false) -> String {
        let start = String(repeating: " ", count: indent)
        return "\(start)\(names.joined(separator: " | ")))\n"
            + (lines + (isOpen ? [] : [";;"])).map { "\(start)    \($0)\n" }.joined()
    }

    private func bashDescription(_ command: Command) -> [String] {
        var lines: [String] = []
        let groups = command.options.map { $0.options.flatMap(bashSpellings).joined(separator: " ") }
        if !groups.isEmpty { lines.append("groups=('\(groups.joined(separator: "' '"))')") }
        let valued = command.allOptions.filter { $0.value != .none }
        let required = bashValues(valued.filter(\.takesNextWord))
        let optional = bashValues(valued.filter { !$0.takesNextWord })
        if !required.isEmpty { lines.append("required='\(required)'") }
        if !optional.isEmpty { lines.append("optional='\(optional)'") }
        if !command.operands.isEmpty {
            lines.append("operands=(\(command.operands.map(\.completes.word).joined(separator: " ")))")
        }
        if command.operands.last?.repeatsWhenCompleted == true { lines.append("repeats=1") }
        if command.parsing == .verbatim { lines.append("verbatim=1") }
        return lines
    }

    /// What bash offers: a long option with a value ends in an equals sign.
    private func bashSpellings(_ option: Option) -> [String] {
        option.spellings.map { $0.hasPrefix("--") && option.takesNextWord ? $0 + "=" : $0 }
    }

    /// Each spelling with what completes its value: ` -p:folders --path:folders `.
    private func bashValues(_ options: [Option]) -> String {
        let pairs = options.flatMap { option in option.spellings.map { "\($0):\(option.completes.word)" } }
        return pairs.isEmpty ? "" : " " + pairs.joined(separator: " ") + " "
    }

    private var bashEntryPoint: String {
        #"""
        # Completes the word before the cursor. $2 is the part of it that readline is going to replace; a function that
        # calls this one for another store need not hand it on.
        _\#(program)() {
            local text tool words=() cur='' quote='' loose='' redirected='' IFS=$' \t\n' COMP_WORDS COMP_CWORD
            local groups required optional operands repeats verbatim subcommands named
            COMPREPLY=()
            compopt -o noquote 2>/dev/null
            __\#(program)_split "${COMP_LINE:0:COMP_POINT}"
            if [[ $redirected ]]; then
                compopt +o noquote -o bashdefault -o default 2>/dev/null
                return
            fi
            text=${2-$text}
            # Extensions expect the words bash gives, but not cut at colons and equals signs.
            COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
            cur=${words[COMP_CWORD]}
            __\#(program)_find_tool "${words[0]}"
            if ((COMP_CWORD > 1)) && __\#(program)_describe "${words[@]:1:COMP_CWORD-1}"; then
                ((COMP_CWORD == 2)) && COMPREPLY+=("${subcommands[@]}")
                __\#(program)_arguments $((named + 1))
            elif ((COMP_CWORD > 1)) && __\#(program)_extension "${words[1]}"; then
                __\#(program)_complete_extension "${words[1]}"
            else
                if ((COMP_CWORD == 1)); then
                    COMPREPLY+=("${__\#(program)_subcommands[@]}" "${PASSWORD_STORE_EXTENSION_COMMANDS[@]}")
                    [[ $cur == -* ]] && COMPREPLY+=("${__\#(program)_dashed[@]}")
                fi
                __\#(program)_describe \#(fallback.name)
                __\#(program)_arguments 1
            fi
            __\#(program)_insert
        }

        # Whether a word is the name of an extension that completes its own words.
        __\#(program)_extension() {
            [[ " ${PASSWORD_STORE_EXTENSION_COMMANDS[*]} " == *" $1 "* ]] &&
                declare -F "__password_store_extension_complete_$1" >/dev/null
        }

        # Has an extension complete its words. It finds our functions even where \#(dropIn)'s own completion is loaded,
        # whose functions come back afterwards. The name of the variable is one that no extension sets.
        __\#(program)_complete_extension() {
            local __\#(program)_former
            __\#(program)_former=$(declare -f "${__\#(program)_helpers[@]}")
            __\#(program)_define_helpers
            "__password_store_extension_complete_$1" 2>/dev/null
            unset -f "${__\#(program)_helpers[@]}"
            eval "$__\#(program)_former"
        }

        # Defines what extensions call.
        __\#(program)_helpers=(_\#(dropIn)_complete_entries _\#(dropIn)_complete_folders _\#(dropIn)_complete_keys)
        __\#(program)_define_helpers() {
            _\#(dropIn)_complete_entries() { __\#(program)_names entries-and-folders "$cur" '' "${1-0}"; }
            _\#(dropIn)_complete_folders() { __\#(program)_names folders "$cur"; }
            _\#(dropIn)_complete_keys() { __\#(program)_names keys "$cur"; }
        }

        # Finds what to ask: the program as typed if that is a path, otherwise \#(program), which a function, an alias
        # or a program of another name stands for.
        __\#(program)_find_tool() {
            tool=${1/#'~/'/$HOME/}
            [[ $tool == */* && -x $tool ]] && return
            type -P \#(program) >/dev/null && tool=\#(program)
        }

        """#
    }

    private var bashRegistration: String {
        #"""
        complete -o filenames -F _\#(program) \#(program)
        case ${BASH_SOURCE[0]##*/} in
        \#(dropIn) | \#(dropIn).bash)
            __\#(program)_define_helpers
            _\#(dropIn)() { _\#(program) "$@"; }
            complete -o filenames -F _\#(dropIn) \#(dropIn)
            ;;
        esac

        """#
    }
}

extension Operand {
    /// Whether a shell offers the same for further words.
    var repeatsWhenCompleted: Bool {
        switch occurs {
        case .oneOrMore, .anyNumber: ![.gitSubcommand, .subcommand].contains(completes)
        case .once, .optional, .optionalIgnoringMore: false
        }
    }
}
