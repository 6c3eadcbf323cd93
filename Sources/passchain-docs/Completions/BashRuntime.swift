internal import CommandGrammar

extension CompletionScripts {
    /// How the line is cut into words, and quotes are put back: the same in every script.
    ///
    /// bash cuts words at colons and equals signs and leaves quotes in them, so the words it offers are no names.
    var bashWords: String {
        #"""
        # Cuts a line ($1) into words as the shell would, without quotes; $2 is a quote that is open at its beginning.
        # Sets words; quote, which stands open at the end (' or " or $' or a lone backslash); loose, when an unquoted $
        # or ` is part of the last word; redirected, when the last word is the file of a redirection; and text, what
        # readline is going to replace: it begins behind an open quote, or else behind a character that breaks words.
        __\#(program)_split() {
            local line=$1 state=${2-} started=${2-} word='' char next escaped='' quoted=$1
            words=() loose='' redirected='' text=$1
            while [[ $line ]]; do
                char=${line:0:1} line=${line:1}
                case $state in
                \\) word+=$char state='' ;;
                \') if [[ $char == \' ]]; then state=''; else word+=$char; fi ;;
                \")
                    case $char in
                    \") state='' ;;
                    \\)
                        next=${line:0:1} line=${line:1}
                        [[ $next == [\"\\\$\`] ]] || word+=$char
                        word+=$next
                        ;;
                    *)
                        word+=$char
                        [[ $char == [\$\`] ]] && loose=1
                        ;;
                    esac
                    ;;
                \$\')
                    case $char in
                    \') __\#(program)_unescape && state='' ;;
                    \\) [[ $line ]] && escaped+=$char${line:0:1} line=${line:1} ;;
                    *) escaped+=$char ;;
                    esac
                    ;;
                *) __\#(program)_split_unquoted ;;
                esac
            done
            [[ $state == \$\' ]] && __\#(program)_unescape
            words+=("$word") quote=$state
            case $state in \' | \" | \$\') text=$quoted ;; esac
        }

        # The part of the above that reads a character outside of quotes.
        __\#(program)_split_unquoted() {
            case $char in
            [[:space:]] | [\<\>])
                # A number or an ampersand right before a redirection belongs to it.
                [[ $char == [\<\>] && $word =~ ^([0-9]+|&)$ ]] && started=''
                if [[ $started && ! $redirected ]]; then words+=("$word"); fi
                [[ $started ]] && redirected=''
                [[ $char == [\<\>] ]] && redirected=1
                word='' started='' loose=''
                ;;
            [\&\|]) [[ $redirected && ! $started ]] || { word+=$char started=1; } ;;
            \$)
                started=1
                if [[ $line == \'* ]]; then
                    state=\$\' line=${line:1} escaped='' quoted=$line
                else
                    word+=$char loose=1
                fi
                ;;
            \\ | \' | \") state=$char started=1 quoted=$line ;;
            *)
                word+=$char started=1
                [[ $char == \` ]] && loose=1
                ;;
            esac
            [[ ! $state && ${COMP_WORDBREAKS-} == *"$char"* ]] && text=$line
        }

        # Adds what a $'...' stands for to the word. No quote can end the text early: each has a backslash before it.
        __\#(program)_unescape() {
            local plain
            eval "plain=\$'$escaped'"
            word+=$plain escaped=''
        }

        # Sets quoted to $1 as it is typed behind an open quote, which is closed when $2 is set.
        __\#(program)_quote() {
            local special
            quoted=$1
            case $quote in
            "'") quoted=${quoted//"'"/"'\\''"} ;;
            "$'") quoted=${quoted//\\/\\\\} quoted=${quoted//"'"/"\\'"} ;;
            '"')
                for special in \\ \" \$ \`; do quoted=${quoted//"$special"/"\\$special"}; done
                # In double quotes a backslash keeps history from being expanded, but stays.
                [[ $- == *H* ]] && quoted=${quoted//!/"\"\\!\""}
                ;;
            *) [[ $quoted ]] && printf -v quoted %q "$quoted" ;;
            esac
            if [[ ${2-} && $quote != \\ ]]; then quoted+=${quote#\$}; fi
        }

        """#
    }

    /// How candidates are found.
    var bashCandidates: String {
        #"""
        # Adds what the tool answers for a kind ($1) and the beginning of a name ($2). Ten thousand names have to be
        # added at once: a loop would take longer than anybody waits.
        __\#(program)_ask() {
            local index=${#COMPREPLY[@]} names
            names=$("$tool" complete -e -- "$1" "$2" 2>/dev/null </dev/null)
            [[ $names ]] || return 0
            mapfile -t -O "$index" COMPREPLY <<<"$names"
            [[ $names == *\\* ]] || return 0
            for ((; index < ${#COMPREPLY[@]}; index++)); do
                [[ ${COMPREPLY[index]} != *\\* ]] || printf -v "COMPREPLY[index]" %b "${COMPREPLY[index]}"
            done
        }

        # Adds the names of a kind ($1) that begin with $2, each with $3 in front. With $4 not 0, a folder that is the
        # only answer is replaced with what is in it.
        __\#(program)_names() {
            local start=${#COMPREPLY[@]} only
            __\#(program)_ask "$1" "$2"
            while [[ ${4-0} != 0 && ${#COMPREPLY[@]} == $((start + 1)) && ${COMPREPLY[start]} == */ ]]; do
                only=${COMPREPLY[start]}
                unset 'COMPREPLY[start]'
                __\#(program)_ask "$1" "$only"
                ((${#COMPREPLY[@]} > start)) || { COMPREPLY+=("$only") && break; }
            done
            [[ ${3-} ]] || return 0
            for ((; start < ${#COMPREPLY[@]}; start++)); do COMPREPLY[start]=$3${COMPREPLY[start]}; done
        }

        # Adds what completes $2, with $1 for the kind and $3 in front.
        __\#(program)_complete() {
            case $1 in
            nothing) ;;
            commands) COMPREPLY+=("${__\#(program)_subcommands[@]}") ;;
            subcommands) __\#(program)_describe "${words[COMP_CWORD - 1]}" && COMPREPLY+=("${subcommands[@]}") ;;
            files) compopt +o noquote -o bashdefault -o default 2>/dev/null ;;
            *) __\#(program)_names "$1" "$2" "$3" ;;
            esac
        }

        # Sets kind to what completes the value of option $1, whose name may be cut short, if $2 has it.
        __\#(program)_value() {
            local pair found=''
            kind=''
            for pair in $2; do
                [[ ${pair%:*} == "$1" ]] && found=$pair && break
                [[ $1 == --?* && ${pair%:*} == "$1"* ]] && found=$pair
            done
            [[ $found ]] && kind=${found##*:}
        }

        # Completes a word of the described command, whose words begin at $1.
        __\#(program)_arguments() {
            local index=$1 count=0 ended=$verbatim kind='' word letters
            [[ ! $verbatim ]] || __\#(program)_first "$index"
            while ((index < COMP_CWORD)); do
                word=${words[index++]} kind=''
                if [[ $ended || $word != -?* ]]; then
                    count=$((count + 1))
                elif [[ $word == -- ]]; then
                    ended=1
                elif [[ $word == --* ]]; then
                    [[ $word != *=* ]] && __\#(program)_value "$word" "$required" && index=$((index + 1))
                else
                    for ((letters = 1; letters < ${#word}; letters++)); do
                        __\#(program)_value "-${word:letters:1}" "$optional" && kind='' && break
                        __\#(program)_value "-${word:letters:1}" "$required" || continue
                        if ((letters == ${#word} - 1)); then index=$((index + 1)); else kind=''; fi
                        break
                    done
                fi
            done
            if ((index > COMP_CWORD)); then
                __\#(program)_complete "$kind" "$cur" ''
            elif [[ ! $ended && $cur == --*=* ]]; then
                __\#(program)_value "${cur%%=*}" "$required$optional" &&
                    __\#(program)_complete "$kind" "${cur#*=}" "${cur%%=*}="
            elif [[ ! $ended && $cur == -[!-]?* ]] && __\#(program)_value "${cur:0:2}" "$required$optional"; then
                __\#(program)_complete "$kind" "${cur:2}" "${cur:0:2}"
            elif [[ ! $ended && $cur == -* ]]; then
                __\#(program)_options "$1"
            else
                if ((count >= ${#operands[@]})) && [[ $repeats ]]; then count=$((${#operands[@]} - 1)); fi
                if ((count < ${#operands[@]})); then __\#(program)_complete "${operands[count]}" "$cur" ''; fi
            fi
        }

        # For a command whose options count as its first word only ($1), and not in the place of \#(dropIn): offers them
        # there, and behind one passes over it.
        __\#(program)_first() {
            [[ ${words[0]##*/} != \#(dropIn) && ${words[$1]} == -* ]] || return
            if (($1 == COMP_CWORD)); then
                __\#(program)_options "$1"
            elif [[ " ${groups[*]} " == *" ${words[$1]} "* ]]; then
                index=$((index + 1))
            fi
        }

        # Adds the options that have not been given and are not excluded by one that has. Words begin at $1.
        __\#(program)_options() {
            local group option given
            for group in "${groups[@]}"; do
                given=''
                for option in $group; do
                    [[ " ${words[*]:$1:COMP_CWORD-$1} " == *" ${option%=}"[\ =]* ]] && given=1
                done
                [[ $given ]] || COMPREPLY+=($group)
            done
        }

        """#
    }

    /// How the candidates become what readline shows and inserts.
    var bashInsertion: String {
        #"""
        # Turns the words in COMPREPLY into what readline may put in the place of $text: that text, and what is still
        # missing, quoted in the way the word has begun. Readline's own quoting lets a $ through.
        __\#(program)_insert() {
            local common quoted typed=$text
            __\#(program)_common || __\#(program)_winnow
            ((${#COMPREPLY[@]})) || return
            [[ $quote == \\ ]] && typed=${typed%\\}
            if [[ $loose ]]; then
                __\#(program)_quote "$(__\#(program)_unquote "$typed")"
                typed=$quoted
            fi
            if ((${#COMPREPLY[@]} > 1)); then
                __\#(program)_quote "${common#"$cur"}"
                # The list shows the ends of names as they are; they differ in their first character, so that
                # nothing of them is inserted.
                [[ $typed$quoted == "$common" ]] || COMPREPLY=("${COMPREPLY[@]/#"$common"/"$typed$quoted"}")
                return
            fi
            # As a file name it would get a slash where a folder of that name happens to be.
            compopt +o filenames 2>/dev/null
            [[ $common == */ || $common == --*= ]] && compopt -o nospace 2>/dev/null
            __\#(program)_quote "${common#"$cur"}" close
            COMPREPLY=("$typed$quoted")
        }

        # Sets common to what all of COMPREPLY begin with. Fails where that cannot be seen at a glance, or $cur is not
        # part of it; and for few, which may hold a word twice.
        __\#(program)_common() {
            local IFS='' all rest
            ((${#COMPREPLY[@]} > 100)) || return
            common=${COMPREPLY[0]}
            while [[ ${COMPREPLY[-1]} != "$common"* ]]; do common=${common%?}; done
            [[ $common == "$cur"* ]] || return
            # Nothing was cut off where a word does not begin so.
            all=${COMPREPLY[*]} rest=${COMPREPLY[*]#"$common"}
            ((${#all} - ${#rest} == ${#COMPREPLY[@]} * ${#common}))
        }

        # Leaves in COMPREPLY what begins with $cur, once, and sets common to what all of it begins with.
        __\#(program)_winnow() {
            local candidate candidates=()
            local -A seen=()
            for candidate in "${COMPREPLY[@]}"; do
                [[ $candidate == "$cur"* && ! ${seen[.$candidate]-} ]] || continue
                seen[.$candidate]=1 candidates+=("$candidate")
            done
            COMPREPLY=("${candidates[@]}") common=${candidates[0]-}
            for candidate in "${candidates[@]}"; do
                while [[ $candidate != "$common"* ]]; do common=${common%?}; done
            done
        }

        # Prints a part of a word without its quotes; the open one stands before it.
        __\#(program)_unquote() {
            local words loose redirected text open=$quote
            [[ $open == \\ ]] && open=''
            __\#(program)_split "$1" "$open"
            printf '%s' "${words[-1]}"
        }

        """#
    }
}
