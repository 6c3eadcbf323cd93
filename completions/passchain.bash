# Completion of passchain for bash. Made from the descriptions of its commands; do not edit.

# Describes the command that words begin with: the options a user may want next to each other (one line for those
# that exclude each other), the options with a value and what completes it, the kinds of its operands, the
# subcommands that may follow, and how many of the words name it.
__passchain_describe() {
    groups=() required='' optional='' operands=() repeats='' verbatim='' subcommands=() named=1
    case $1 in
    init)
        groups=('-p --path=' '--keep-going' '--dry-run')
        required=' -p:folders --path:folders '
        operands=(keys)
        repeats=1
        ;;
    show | ls | list)
        groups=('-q --qrcode -c --clip --json --flat' '--field=' '-z --null')
        required=' --field:nothing '
        optional=' -q:nothing --qrcode:nothing -c:nothing --clip:nothing '
        operands=(entries-and-folders)
        ;;
    find | search)
        groups=('--json')
        operands=(nothing)
        repeats=1
        verbatim=1
        ;;
    grep)
        operands=(nothing)
        repeats=1
        verbatim=1
        ;;
    insert | add)
        groups=('-e --echo -m --multiline' '-f --force')
        operands=(entries-and-folders)
        ;;
    edit)
        operands=(entries-and-folders)
        verbatim=1
        ;;
    generate)
        groups=('-n --no-symbols' '-c --clip -q --qrcode' '-i --in-place -f --force')
        operands=(entries-and-folders nothing)
        ;;
    rm | remove | delete)
        groups=('-r --recursive' '-f --force' '--dry-run')
        operands=(entries-and-folders)
        ;;
    mv | rename)
        groups=('-f --force' '--dry-run')
        operands=(entries-and-folders entries-and-folders)
        ;;
    cp | copy)
        groups=('-f --force' '--dry-run')
        operands=(entries-and-folders entries-and-folders)
        ;;
    git)
        operands=(git)
        verbatim=1
        ;;
    otp)
        subcommands=(code show insert add append uri validate)
        case ${2-} in
        code | show)
            groups=('-c --clip --qrcode' '-q --quiet')
            operands=(entries)
            named=2
            ;;
        insert | add)
            groups=('-f --force' '-e --echo' '-s --secret' '-i --issuer=' '-a --account=' '-p --path=')
            required=' -i:nothing --issuer:nothing -a:nothing --account:nothing -p:folders --path:folders '
            operands=(entries-and-folders)
            named=2
            ;;
        append)
            groups=('-f --force' '-e --echo' '-s --secret' '-i --issuer=' '-a --account=')
            required=' -i:nothing --issuer:nothing -a:nothing --account:nothing '
            operands=(entries)
            named=2
            ;;
        uri)
            groups=('-c --clip -q --qrcode')
            operands=(entries)
            named=2
            ;;
        validate)
            operands=(nothing)
            named=2
            ;;
        *)
            groups=('-c --clip --qrcode' '-q --quiet')
            operands=(entries)
            ;;
        esac
        ;;
    help | --help)
        operands=(commands subcommands)
        verbatim=1
        ;;
    version | --version)
        groups=('--json')
        operands=(nothing)
        repeats=1
        verbatim=1
        ;;
    *) return 1 ;;
    esac
}

__passchain_subcommands=(init show ls list find search grep insert add edit generate rm remove delete mv rename cp copy git otp help version)
__passchain_dashed=(--help --version)

# Completes the word before the cursor. $2 is the part of it that readline is going to replace; a function that
# calls this one for another store need not hand it on.
_passchain() {
    local text tool words=() cur='' quote='' loose='' redirected='' IFS=$' \t\n' COMP_WORDS COMP_CWORD
    local groups required optional operands repeats verbatim subcommands named
    COMPREPLY=()
    compopt -o noquote 2>/dev/null
    __passchain_split "${COMP_LINE:0:COMP_POINT}"
    if [[ $redirected ]]; then
        compopt +o noquote -o bashdefault -o default 2>/dev/null
        return
    fi
    text=${2-$text}
    # Extensions expect the words bash gives, but not cut at colons and equals signs.
    COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
    cur=${words[COMP_CWORD]}
    __passchain_find_tool "${words[0]}"
    if ((COMP_CWORD > 1)) && __passchain_describe "${words[@]:1:COMP_CWORD-1}"; then
        ((COMP_CWORD == 2)) && COMPREPLY+=("${subcommands[@]}")
        __passchain_arguments $((named + 1))
    elif ((COMP_CWORD > 1)) && __passchain_extension "${words[1]}"; then
        __passchain_complete_extension "${words[1]}"
    else
        if ((COMP_CWORD == 1)); then
            COMPREPLY+=("${__passchain_subcommands[@]}" "${PASSWORD_STORE_EXTENSION_COMMANDS[@]}")
            [[ $cur == -* ]] && COMPREPLY+=("${__passchain_dashed[@]}")
        fi
        __passchain_describe show
        __passchain_arguments 1
    fi
    __passchain_insert
}

# Whether a word is the name of an extension that completes its own words.
__passchain_extension() {
    [[ " ${PASSWORD_STORE_EXTENSION_COMMANDS[*]} " == *" $1 "* ]] &&
        declare -F "__password_store_extension_complete_$1" >/dev/null
}

# Has an extension complete its words. It finds our functions even where pass's own completion is loaded,
# whose functions come back afterwards. The name of the variable is one that no extension sets.
__passchain_complete_extension() {
    local __passchain_former
    __passchain_former=$(declare -f "${__passchain_helpers[@]}")
    __passchain_define_helpers
    "__password_store_extension_complete_$1" 2>/dev/null
    unset -f "${__passchain_helpers[@]}"
    eval "$__passchain_former"
}

# Defines what extensions call.
__passchain_helpers=(_pass_complete_entries _pass_complete_folders _pass_complete_keys)
__passchain_define_helpers() {
    _pass_complete_entries() { __passchain_names entries-and-folders "$cur" '' "${1-0}"; }
    _pass_complete_folders() { __passchain_names folders "$cur"; }
    _pass_complete_keys() { __passchain_names keys "$cur"; }
}

# Finds what to ask: the program as typed if that is a path, otherwise passchain, which a function, an alias
# or a program of another name stands for.
__passchain_find_tool() {
    tool=${1/#'~/'/$HOME/}
    [[ $tool == */* && -x $tool ]] && return
    type -P passchain >/dev/null && tool=passchain
}

# Cuts a line ($1) into words as the shell would, without quotes; $2 is a quote that is open at its beginning.
# Sets words; quote, which stands open at the end (' or " or $' or a lone backslash); loose, when an unquoted $
# or ` is part of the last word; redirected, when the last word is the file of a redirection; and text, what
# readline is going to replace: it begins behind an open quote, or else behind a character that breaks words.
__passchain_split() {
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
            \') __passchain_unescape && state='' ;;
            \\) [[ $line ]] && escaped+=$char${line:0:1} line=${line:1} ;;
            *) escaped+=$char ;;
            esac
            ;;
        *) __passchain_split_unquoted ;;
        esac
    done
    [[ $state == \$\' ]] && __passchain_unescape
    words+=("$word") quote=$state
    case $state in \' | \" | \$\') text=$quoted ;; esac
}

# The part of the above that reads a character outside of quotes.
__passchain_split_unquoted() {
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
__passchain_unescape() {
    local plain
    eval "plain=\$'$escaped'"
    word+=$plain escaped=''
}

# Sets quoted to $1 as it is typed behind an open quote, which is closed when $2 is set.
__passchain_quote() {
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

# Adds what the tool answers for a kind ($1) and the beginning of a name ($2). Ten thousand names have to be
# added at once: a loop would take longer than anybody waits.
__passchain_ask() {
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
__passchain_names() {
    local start=${#COMPREPLY[@]} only
    __passchain_ask "$1" "$2"
    while [[ ${4-0} != 0 && ${#COMPREPLY[@]} == $((start + 1)) && ${COMPREPLY[start]} == */ ]]; do
        only=${COMPREPLY[start]}
        unset 'COMPREPLY[start]'
        __passchain_ask "$1" "$only"
        ((${#COMPREPLY[@]} > start)) || { COMPREPLY+=("$only") && break; }
    done
    [[ ${3-} ]] || return 0
    for ((; start < ${#COMPREPLY[@]}; start++)); do COMPREPLY[start]=$3${COMPREPLY[start]}; done
}

# Adds what completes $2, with $1 for the kind and $3 in front.
__passchain_complete() {
    case $1 in
    nothing) ;;
    commands) COMPREPLY+=("${__passchain_subcommands[@]}") ;;
    subcommands) __passchain_describe "${words[COMP_CWORD - 1]}" && COMPREPLY+=("${subcommands[@]}") ;;
    files) compopt +o noquote -o bashdefault -o default 2>/dev/null ;;
    *) __passchain_names "$1" "$2" "$3" ;;
    esac
}

# Sets kind to what completes the value of option $1, whose name may be cut short, if $2 has it.
__passchain_value() {
    local pair found=''
    kind=''
    for pair in $2; do
        [[ ${pair%:*} == "$1" ]] && found=$pair && break
        [[ $1 == --?* && ${pair%:*} == "$1"* ]] && found=$pair
    done
    [[ $found ]] && kind=${found##*:}
}

# Completes a word of the described command, whose words begin at $1.
__passchain_arguments() {
    local index=$1 count=0 ended=$verbatim kind='' word letters
    [[ ! $verbatim ]] || __passchain_first "$index"
    while ((index < COMP_CWORD)); do
        word=${words[index++]} kind=''
        if [[ $ended || $word != -?* ]]; then
            count=$((count + 1))
        elif [[ $word == -- ]]; then
            ended=1
        elif [[ $word == --* ]]; then
            [[ $word != *=* ]] && __passchain_value "$word" "$required" && index=$((index + 1))
        else
            for ((letters = 1; letters < ${#word}; letters++)); do
                __passchain_value "-${word:letters:1}" "$optional" && kind='' && break
                __passchain_value "-${word:letters:1}" "$required" || continue
                if ((letters == ${#word} - 1)); then index=$((index + 1)); else kind=''; fi
                break
            done
        fi
    done
    if ((index > COMP_CWORD)); then
        __passchain_complete "$kind" "$cur" ''
    elif [[ ! $ended && $cur == --*=* ]]; then
        __passchain_value "${cur%%=*}" "$required$optional" &&
            __passchain_complete "$kind" "${cur#*=}" "${cur%%=*}="
    elif [[ ! $ended && $cur == -[!-]?* ]] && __passchain_value "${cur:0:2}" "$required$optional"; then
        __passchain_complete "$kind" "${cur:2}" "${cur:0:2}"
    elif [[ ! $ended && $cur == -* ]]; then
        __passchain_options "$1"
    else
        if ((count >= ${#operands[@]})) && [[ $repeats ]]; then count=$((${#operands[@]} - 1)); fi
        if ((count < ${#operands[@]})); then __passchain_complete "${operands[count]}" "$cur" ''; fi
    fi
}

# For a command whose options count as its first word only ($1), and not in the place of pass: offers them
# there, and behind one passes over it.
__passchain_first() {
    [[ ${words[0]##*/} != pass && ${words[$1]} == -* ]] || return
    if (($1 == COMP_CWORD)); then
        __passchain_options "$1"
    elif [[ " ${groups[*]} " == *" ${words[$1]} "* ]]; then
        index=$((index + 1))
    fi
}

# Adds the options that have not been given and are not excluded by one that has. Words begin at $1.
__passchain_options() {
    local group option given
    for group in "${groups[@]}"; do
        given=''
        for option in $group; do
            [[ " ${words[*]:$1:COMP_CWORD-$1} " == *" ${option%=}"[\ =]* ]] && given=1
        done
        [[ $given ]] || COMPREPLY+=($group)
    done
}

# Turns the words in COMPREPLY into what readline may put in the place of $text: that text, and what is still
# missing, quoted in the way the word has begun. Readline's own quoting lets a $ through.
__passchain_insert() {
    local common quoted typed=$text
    __passchain_common || __passchain_winnow
    ((${#COMPREPLY[@]})) || return
    [[ $quote == \\ ]] && typed=${typed%\\}
    if [[ $loose ]]; then
        __passchain_quote "$(__passchain_unquote "$typed")"
        typed=$quoted
    fi
    if ((${#COMPREPLY[@]} > 1)); then
        __passchain_quote "${common#"$cur"}"
        # The list shows the ends of names as they are; they differ in their first character, so that
        # nothing of them is inserted.
        [[ $typed$quoted == "$common" ]] || COMPREPLY=("${COMPREPLY[@]/#"$common"/"$typed$quoted"}")
        return
    fi
    # As a file name it would get a slash where a folder of that name happens to be.
    compopt +o filenames 2>/dev/null
    [[ $common == */ || $common == --*= ]] && compopt -o nospace 2>/dev/null
    __passchain_quote "${common#"$cur"}" close
    COMPREPLY=("$typed$quoted")
}

# Sets common to what all of COMPREPLY begin with. Fails where that cannot be seen at a glance, or $cur is not
# part of it; and for few, which may hold a word twice.
__passchain_common() {
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
__passchain_winnow() {
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
__passchain_unquote() {
    local words loose redirected text open=$quote
    [[ $open == \\ ]] && open=''
    __passchain_split "$1" "$open"
    printf '%s' "${words[-1]}"
}

complete -o filenames -F _passchain passchain
case ${BASH_SOURCE[0]##*/} in
pass | pass.bash)
    __passchain_define_helpers
    _pass() { _passchain "$@"; }
    complete -o filenames -F _pass pass
    ;;
esac
