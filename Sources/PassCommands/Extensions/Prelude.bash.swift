/// The bash script in which an extension of pass runs.
///
/// It is handed to `bash -c`, so that `$0` is the host's own path. Its first three arguments are the folder of
/// system extensions, the file of the extension, and the word that named it; the extension gets the rest. It
/// defines the variables and functions that extensions expect and then sources the file, inside a function and
/// inside a condition, as pass does.
///
/// What needs the store's own code is asked of the host, by these words, which are no commands for people:
///
/// | call | meaning |
/// |---|---|
/// | `__as WORD COMMAND [ARGUMENT...]` | runs the built-in COMMAND; its usage lines name it WORD |
/// | `__as WORD __generate [ARGUMENT...]` | `generate`, but the new password and a newline go to descriptor 9 instead of the announcement that goes to the output |
/// | `__clip NAME` | puts what comes on the input on the clipboard, says so, restores it later |
/// | `__qrcode NAME` | shows what comes on the input as a QR code |
/// | `__verify FILE` | status 0 when `FILE.sig` is a good signature by a key of `PASSWORD_STORE_SIGNING_KEY` |
/// | `__reencrypt PATH` | re-encrypts what needs it at and below PATH, which starts with the store's folder |
///
/// - Source: `cmd_extension` in pass 1.7.4, and what its extensions call.
enum Prelude {
    static let script = #"""
        # The host of pass's extensions. $0 is the host; the arguments are
        # SYSTEM_EXTENSION_DIR FILE COMMAND [ARGUMENT...].
        # Most of the variables and functions are for the extension, which shellcheck does not see:
        # shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2317

        SYSTEM_EXTENSION_DIR=$1 _passchain_file=$2 COMMAND=$3
        shift 3

        # pass-otp replaces text with "&" in it, which bash 5.2 began to expand: HOTP counters were destroyed.
        shopt -u patsub_replacement 2> /dev/null
        set -o pipefail
        umask "${PASSWORD_STORE_UMASK:-077}"

        PROGRAM=${0##*/}
        PREFIX=${PASSWORD_STORE_DIR:-$HOME/.password-store}
        [[ $PREFIX == /* ]] || PREFIX=$PWD/$PREFIX
        EXTENSIONS=${PASSWORD_STORE_EXTENSIONS_DIR:-$PREFIX/.extensions}
        X_SELECTION=${PASSWORD_STORE_X_SELECTION:-clipboard}
        CLIP_TIME=${PASSWORD_STORE_CLIP_TIME:-45}
        GENERATED_LENGTH=${PASSWORD_STORE_GENERATED_LENGTH:-25}
        CHARACTER_SET=${PASSWORD_STORE_CHARACTER_SET:-[:punct:][:alnum:]}
        CHARACTER_SET_NO_SYMBOLS=${PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS:-[:alnum:]}
        GETOPT=getopt
        SHRED="shred -f -z"
        BASE64=base64

        unset GIT_DIR GIT_WORK_TREE GIT_NAMESPACE GIT_INDEX_FILE GIT_INDEX_VERSION GIT_OBJECT_DIRECTORY
        unset GIT_COMMON_DIR INNER_GIT_DIR SECURE_TMPDIR
        export GIT_CEILING_DIRECTORIES=$PREFIX/..

        # pass itself hands on the words "not a tty".
        if [[ $GPG_TTY != /* ]]; then
            unset GPG_TTY
            if [[ -t 0 ]]; then GPG_TTY=$(tty)
            elif [[ -t 2 ]]; then GPG_TTY=$(tty <&2)
            elif [[ -t 1 ]]; then { GPG_TTY=$(tty <&3); } 3>&1
            fi
            [[ -z $GPG_TTY ]] || export GPG_TTY
        fi

        if type -P gpg2 > /dev/null; then GPG=gpg2; else GPG=gpg; fi
        read -r -d '' -a GPG_OPTS <<< "$PASSWORD_STORE_GPG_OPTS"
        GPG_OPTS+=(--quiet --yes --compress-algo=none --no-encrypt-to)
        if [[ $GPG == gpg2 || -n $GPG_AGENT_INFO ]]; then GPG_OPTS+=(--batch --use-agent); fi
        GPG_RECIPIENTS=()
        GPG_RECIPIENT_ARGS=()

        # --- What asks the host -------------------------------------------------------------------------------

        # Runs the host. The variables that an extension may have changed hold for it, as they do inside pass.
        _passchain_host() (
            export PASSWORD_STORE_DIR=$PREFIX PASSWORD_STORE_X_SELECTION=$X_SELECTION
            export PASSWORD_STORE_CLIP_TIME=$CLIP_TIME PASSWORD_STORE_GENERATED_LENGTH=$GENERATED_LENGTH
            export PASSWORD_STORE_CHARACTER_SET=$CHARACTER_SET
            export PASSWORD_STORE_CHARACTER_SET_NO_SYMBOLS=$CHARACTER_SET_NO_SYMBOLS
            export PASSWORD_STORE_KEY PASSWORD_STORE_SIGNING_KEY PASSWORD_STORE_GPG_OPTS EDITOR
            exec "$0" "$@"
        )

        # Runs a built-in command. A failure of it ends the extension, as "die" does inside pass; where only the
        # commit failed (status 3) the extension goes on, as it does there.
        _passchain_command() {
            local status=0
            _passchain_host __as "$COMMAND" "$@" || status=$?
            [[ $status -eq 0 || $status -eq 3 ]] || exit "$status"
            return "$status"
        }

        cmd_init() { _passchain_command init "$@"; }
        cmd_find() { _passchain_command find "$@"; }
        cmd_grep() { _passchain_command grep "$@"; }
        cmd_insert() { _passchain_command insert "$@"; }
        cmd_edit() { _passchain_command edit "$@"; }
        cmd_delete() { _passchain_command rm "$@"; }
        cmd_usage() { _passchain_command help "$@"; }
        cmd_version() { _passchain_command version "$@"; }

        cmd_copy_move() {
            local verb=$1
            shift
            if [[ $verb == copy ]]; then _passchain_command cp "$@"; else _passchain_command mv "$@"; fi
        }

        cmd_git() {
            set_git "$PREFIX/."
            if [[ $1 == init ]]; then
                _passchain_command git "$@"
                set_git "$PREFIX/."
            elif [[ -n $INNER_GIT_DIR ]]; then
                _passchain_host __as "$COMMAND" git "$@"
            else
                die "Error: the password store is not a git repository. Try \"$PROGRAM git init\"."
            fi
        }

        verify_file() {
            [[ -z $PASSWORD_STORE_SIGNING_KEY ]] || _passchain_host __verify "$1" || exit
        }

        reencrypt_path() { _passchain_host __reencrypt "$1"; }

        # The secret goes through a pipe: the arguments of a process are for everyone to see.
        clip() { printf '%s' "$1" | _passchain_host __clip "${2-}" || exit; }
        qrcode() { printf '%s' "$1" | _passchain_host __qrcode "${2-}"; }

        # An extension may have put functions of its own in the place of "clip" and "qrcode": what shall go there
        # comes back from the host first.
        cmd_show() {
            local -a given=("$@")
            local words target='' number='' line secret end='the clipboard'

            # Without words that getopt accepts no target is found, and the host says what is wrong.
            words=$($GETOPT -q -o q::c:: -l qrcode::,clip:: -- "$@") || words=--
            eval "set -- $words"
            while [[ $1 != -- ]]; do
                case $1 in
                    -q | --qrcode) target+=qrcode ;;
                    -c | --clip) target+=clip ;;
                esac
                number=$2
                shift 2
            done
            shift

            if [[ $target != clip && $target != qrcode || ! -f $PREFIX/$1.gpg ]]; then
                _passchain_command show "${given[@]}"
                return
            fi
            check_sneaky_paths "$1"
            line=${number:-1}
            [[ $line =~ ^[0-9]+$ ]] || die "Clip location '$line' is not a number."
            [[ $line =~ [1-9] ]] || line=1
            # A variable loses a NUL: it becomes two lines here, which no line is.
            secret=$(_passchain_host __as "$COMMAND" show -- "$1" \
                | LC_ALL=C sed -n "${line}{s/\x00/\n./g;p}") || exit
            if [[ $secret == *$'\n'* ]]; then
                [[ $target == clip ]] || end='a QR code'
                die "Error: $1 holds a NUL byte, where $end would end. Use standard output."
            fi
            [[ -n $secret ]] || die "There is no password to put on the clipboard at line $line."
            "$target" "$secret" "$1"
        }

        cmd_generate() {
            local -a given=("$@") options=()
            local words target='' secret

            words=$($GETOPT -q -o nqcif -l no-symbols,qrcode,clip,in-place,force -- "$@") || words=--
            eval "set -- $words"
            while [[ $1 != -- ]]; do
                case $1 in
                    -q | --qrcode) target+=qrcode ;;
                    -c | --clip) target+=clip ;;
                    *) options+=("$1") ;;
                esac
                shift
            done

            # One target at most: clipclip and clipqrcode are no functions, and the host knows what to say.
            if [[ $target != clip && $target != qrcode ]]; then
                _passchain_command generate "${given[@]}"
                return
            fi
            {
                secret=$(_passchain_host __as "$COMMAND" __generate "${options[@]}" "$@" 9>&1 >&8 8>&-) || exit
            } 8>&1
            "$target" "$secret" "$2"
        }

        # --- What is done here --------------------------------------------------------------------------------

        die() {
            local IFS=' '
            printf '%s\n' "$*" >&2
            exit 1
        }

        # Asks on a terminal; without one the answer is yes.
        yesno() {
            local answer=''
            if [[ -t 0 ]]; then
                read -r -p "$1 [y/N] " answer
                case $answer in
                    y | Y) ;;
                    *) exit 1 ;;
                esac
            fi
        }

        check_sneaky_paths() {
            local name self=pass
            [[ $PROGRAM != passchain ]] || self=$PROGRAM
            for name; do
                case /$name/ in
                    */../*) die "Error: You've attempted to pass a sneaky path to $self. Go home." ;;
                esac
            done
        }

        # Sets INNER_GIT_DIR: the folder of the file, or the nearest one above it that exists, if that is in git.
        set_git() {
            local store=${PREFIX%/} folder=${1%/*}
            INNER_GIT_DIR=
            until [[ -d $folder ]]; do
                [[ $folder == "$store"/* ]] || return 0
                folder=${folder%/*}
            done
            if [[ $(_passchain_git_in "$folder" rev-parse --is-inside-work-tree 2> /dev/null) == true ]]; then
                INNER_GIT_DIR=$folder
            fi
        }

        # Runs git in a folder of the store. What was pulled there may look like a repository without a work tree,
        # whose configuration names programs.
        _passchain_git_in() {
            git -c safe.bareRepository=explicit -C "$@"
        }

        # Runs git where set_git found it. A name is a name: "*" in it matches no other file.
        _passchain_git() {
            GIT_LITERAL_PATHSPECS=1 _passchain_git_in "$INNER_GIT_DIR" "$@"
        }

        git_add_file() {
            [[ -n $INNER_GIT_DIR ]] || return 1
            _passchain_git add -- "$1" || return
            [[ -n $(_passchain_git status --porcelain -- "$1") ]] || return 1
            git_commit "$2"
        }

        git_commit() {
            [[ -n $INNER_GIT_DIR ]] || return 1
            local -a sign=()
            if [[ $(_passchain_git config --type=bool --get pass.signcommits) == true ]]; then sign=(-S); fi
            # Without literal names: the commands of a hook may give patterns.
            _passchain_git_in "$INNER_GIT_DIR" commit "${sign[@]}" -m "$1"
        }

        # Prints the .gpg-id that governs a folder below the store; fails when there is none.
        _passchain_gpg_id() {
            local below=/$1
            while [[ ! -f $PREFIX$below/.gpg-id ]]; do
                [[ -n $below ]] || return 1
                below=${below%/*}
            done
            printf '%s' "$PREFIX$below/.gpg-id"
        }

        # Reads a .gpg-id into GPG_RECIPIENTS by the host's own rules: no line is dropped silently. A last line
        # without a newline counts, a carriage return and a byte order mark do not. A variable loses a NUL, which
        # joins two words; another control character stands in for it.
        _passchain_read_gpg_id() {
            local IFS=$' \t' line id number=0
            while IFS= read -r line || [[ -n $line ]]; do
                number=$((number + 1))
                [[ $number -gt 1 ]] || line=${line#$'\xef\xbb\xbf'}
                id=${line%%#*}
                read -r id <<< "${id%$'\r'}"
                case $line in
                    '<<<<<<< '* | '||||||| '* | '>>>>>>> '*) die "Error: line $number of $1 is left from a merge." ;;
                esac
                case $id in
                    '') continue ;;
                    =======) die "Error: line $number of $1 is left from a merge." ;;
                    -* | *[[:cntrl:]]*) die "Error: line $number of $1 is no GPG id." ;;
                esac
                GPG_RECIPIENTS+=("$id")
            done < <(LC_ALL=C tr '\000' '\001' < "$1")
            [[ ${#GPG_RECIPIENTS[@]} -gt 0 ]] || die "Error: $1 names no GPG id."
        }

        # Fills GPG_RECIPIENTS and GPG_RECIPIENT_ARGS for a folder below the store.
        set_gpg_recipients() {
            local IFS=$' \t\n' file id
            check_sneaky_paths "$1"
            GPG_RECIPIENTS=()
            GPG_RECIPIENT_ARGS=()

            if [[ -n $PASSWORD_STORE_KEY ]]; then
                read -r -d '' -a GPG_RECIPIENTS <<< "$PASSWORD_STORE_KEY"
            elif file=$(_passchain_gpg_id "$1"); then
                verify_file "$file"
                _passchain_read_gpg_id "$file"
            else
                printf 'Error: You must run:\n    %s init your-gpg-id\n' "$PROGRAM" >&2
                printf 'before you may use the password store.\n\n' >&2
                cmd_usage
                exit 1
            fi
            for id in "${GPG_RECIPIENTS[@]}"; do GPG_RECIPIENT_ARGS+=(-r "$id"); done
        }

        # Sets SECURE_TMPDIR: a folder in memory that goes away at the end, or one on disk that is shredded.
        tmpdir() {
            [[ -z $SECURE_TMPDIR ]] || return 0
            local name=$PROGRAM.XXXXXXXXXXXXX
            if [[ -d /dev/shm && -w /dev/shm && -x /dev/shm ]]; then
                SECURE_TMPDIR=$(mktemp -d "/dev/shm/$name") || exit
                trap _passchain_remove_tmpdir EXIT
            else
                if [[ $1 != nowarn ]]; then
                    printf '%s\n' "There is no /dev/shm here, so what you edit is written to a disk for a while." \
                        "It is overwritten afterwards, which not every disk does for good." >&2
                    yesno "Are you sure you would like to continue?"
                fi
                SECURE_TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/$name") || exit
                trap _passchain_shred_tmpdir EXIT
            fi
        }

        _passchain_remove_tmpdir() { rm -rf -- "$SECURE_TMPDIR"; }

        _passchain_shred_tmpdir() {
            # shellcheck disable=SC2086 # SHRED holds options
            find "$SECURE_TMPDIR" -type f -links 1 -exec $SHRED {} +
            rm -rf -- "$SECURE_TMPDIR"
        }

        # --- Extensions ---------------------------------------------------------------------------------------

        # Runs the extension that the first argument names, with the others; fails when there is none.
        cmd_extension() {
            check_sneaky_paths "$1"
            _passchain_file=$EXTENSIONS/$1.bash
            if [[ $PASSWORD_STORE_ENABLE_EXTENSIONS == true && -f $_passchain_file && -x $_passchain_file ]]; then
                verify_file "$_passchain_file"
            else
                _passchain_file=$SYSTEM_EXTENSION_DIR/$1.bash
                [[ -n $SYSTEM_EXTENSION_DIR && -f $_passchain_file && -x $_passchain_file ]] || return 1
            fi
            shift
            _passchain_source "$@"
            return 0
        }

        cmd_extension_or_show() {
            if ! cmd_extension "$@"; then
                COMMAND=show
                cmd_show "$@"
            fi
        }

        # Inside a function, for extensions that say "local" at their top level.
        _passchain_source() {
            # shellcheck disable=SC1090 # the file is the caller's choice
            source "$_passchain_file" "$@"
        }

        # In a condition "set -e" has no effect: extensions that say it work because of that. What an extension
        # returns is no exit status; what it exits with is.
        if ! _passchain_source "$@"; then :; fi
        exit 0
        """#
}
