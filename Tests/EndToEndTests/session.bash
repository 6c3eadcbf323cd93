#!/usr/bin/env bash
# session.bash FOLDER
#
# Runs the numbered commands in FOLDER, one after the other, in this one shell, so that variables and functions last as in
# a terminal session. NUMBER.command is sourced; its output goes to NUMBER.out, NUMBER.err and NUMBER.status.
# ScriptRunner.swift sets the environment: a scratch HOME with its own keyring, and `pass`, the tool under test, in PATH.
#
# The functions below are what scripts may use besides the usual programs.
set -o pipefail

export ALICE=31B14EC8DF7D02DAFE64EE8E4A1B5FF90B35F19F
export BOB=496D06BD49A72FBF44B3B1AC2B07F359F7B3A9EB
export CAROL=E0A7327EFEFE84CE0765F2F5AC3BAB4834CC4667     # expired
export DAVE=E13F83E7C01962ED362CBAA6B16297A58E8DED9E      # no secret key
export ERIN=A0AACF2C0F4C988CDCE80A5E279D19A310DF82F9      # two encryption subkeys
export FRANK=8D3441F85B970AD794C36A7409D8204C1D2237C5     # signs only
export LOCKED=48638C8AEE9FBE8A3343CDB4EDA9FC4A1E0CC138    # passphrase in $HOME/passphrase, or none
export MALLORY=B8A6ADDE4E38D6787B98DABCC0A6A8DC751D1F44   # not trusted
export SIGNER=3AEC33DD4B008C51029D97F51DEC7EA6A3F678A4    # signs only
STORE=$HOME/.password-store

# Starts over with an empty store for the given ids (alice when there are none), without git.
fresh() {
    rm -rf "$STORE"
    pass init "${@:-$ALICE}" > /dev/null
}

# The same with git.
fresh_git() {
    fresh "$@" && pass git init > /dev/null
}

# Puts stdin into an entry without the tool under test: encrypt NAME GPG-ID...
encrypt() {
    local file=$STORE/$1.gpg id recipients=()
    shift
    for id; do recipients+=(-r "$id"); done
    (umask 077 && mkdir -p "${file%/*}" && gpg --batch --quiet --yes -e "${recipients[@]}" -o "$file")
}

# Describes a store: every file with its mode, what each entry holds and for whom, and the history.
state() {
    local store=${1:-${PASSWORD_STORE_DIR:-$STORE}} item
    store=${store%/}
    [[ -d $store ]] || { echo "no store"; return 0; }
    while IFS= read -r -d '' item; do
        describe "$store" "${item%% *}" "${item#* }"
    done < <(find "$store/" -name .git -printf '%M %P/\0' -prune -o -printf '%M %P\0' | LC_ALL=C sort -z -k2)
}

describe() {
    local file=$1/$3 shown=${3//$'\n'/\\n}
    case $2 in
    l*) echo "$2 $shown -> $(readlink "$file")" ;;
    d*)
        echo "$2 ${shown:-.}"
        [[ $file != */.git/ ]] || describe_history "${file%/.git/}"
        ;;
    *)
        case $file in
        *.[gG][pP][gG]) describe_entry "$2" "$shown" "$file" ;;
        *.sig) echo "$2 $shown, signed by $(signers "$file")" ;;
        *) echo "$2 $shown" && quote "$file" ;;
        esac
        ;;
    esac
}

describe_entry() {
    local ids=() word id start armored='' status=0
    gpg --batch --quiet --status-fd 3 -d "$3" 3> "$HOME/state.ids" > "$HOME/state.text" 2> /dev/null || status=$?
    while read -r _ word id _; do
        [[ $word != ENC_TO ]] || ids+=("$id")
    done < "$HOME/state.ids"
    [[ ${#ids[@]} -lt 2 ]] || mapfile -t ids < <(printf '%s\n' "${ids[@]}" | LC_ALL=C sort)
    if [[ ${#ids[@]} -eq 0 ]]; then
        echo "$1 $2, not encrypted" && quote "$3"
    else
        IFS= LC_ALL=C read -r -N 15 start < "$3" 2> /dev/null
        [[ $start != '-----BEGIN PGP ' ]] || armored=', armored'
        echo "$1 $2, for ${ids[*]}$armored"
        if [[ $status -eq 0 ]]; then quote "$HOME/state.text"; else echo "    (cannot be decrypted)"; fi
    fi
}

describe_history() {
    git -C "$1" log --format='    commit: %s' 2> /dev/null || echo "    no commit"
    git -C "$1" status --porcelain | sed 's/^/    git status: /'
}

signers() {
    gpg --batch --status-fd 1 --verify "$1" "${1%.sig}" 2> /dev/null |
        sed -n 's/^\[GNUPG:\] \(VALIDSIG\|BADSIG\|ERRSIG\) \([0-9A-F]*\).*/\1 \2/p'
}

# Shows a file indented, whether it ends with a newline, and whether it is empty; of a large one, its size and checksum.
quote() {
    local size
    size=$(stat -c %s "$1")
    [[ $size -gt 0 ]] || { echo '    (empty)'; return 0; }
    [[ $size -lt 10000 ]] || { echo "    ($size bytes, cksum $(cksum < "$1"))"; return 0; }
    LC_ALL=C sed 's/^/    | /' "$1"
    [[ $(tail -c 1 "$1" | wc -l) -eq 1 ]] || printf '\n    (no newline at the end)\n'
}

# Tells the lengths and kinds of the characters in each line of stdin.
shape() {
    local LC_ALL=C line
    while IFS= read -r line; do
        echo "${#line} characters:$([[ $line == *[[:lower:]]* ]] && echo ' lower')$(
            [[ $line == *[[:upper:]]* ]] && echo ' upper')$([[ $line == *[[:digit:]]* ]] && echo ' digits')$(
            [[ $line == *[[:punct:]]* ]] && echo ' punctuation')$([[ $line == *[![:graph:]]* ]] && echo ' others')"
    done
}

# Sorts the files of `pass grep` by name, each with its matches: pass lists them as the folder happens to be ordered.
files_sorted() {
    awk '/^\033\[94m/ { if (NR > 1) printf "%c", 0 } { print } END { printf "%c", 0 }' | LC_ALL=C sort -z | tr -d '\0'
}

# Keeps of a text that shows the whole help only what comes before the help's own wording.
without_usage() {
    awk '/^Usage:/ { exit } { print }' | grep -o 'pass: the standard unix password manager'
}

# Runs a command on a terminal of its own: terminal [PROMPT ANSWER]... -- COMMAND [ARGUMENT]...
# Each answer is typed once its prompt has appeared. Shows what the terminal shows, less its line-editing codes.
terminal() {
    converse "$@" | tr -d '\r' | sed 's/\x1b\[?2004[hl]//g'
}

# Runs a command again until it succeeds: for what a detached process does in its own time. Gives up after ten seconds.
await() {
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        "$@" && return 0
        sleep 0.05
    done
    echo "gave up waiting for: $*"
    return 1
}

umask 022
cd "$HOME" || exit
shopt -s nullglob
for session_command in "$1"/*.command; do
    # shellcheck source=/dev/null
    . "$session_command" < /dev/null > "${session_command%.command}.out" 2> "${session_command%.command}.err"
    echo "$?" > "${session_command%.command}.status"
done
