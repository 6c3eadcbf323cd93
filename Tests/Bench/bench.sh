#!/usr/bin/env bash
# bench.sh TOOL [OUTPUT]: times TOOL against Debian's pass and against the floor (what gpg, git, or a walk of the tree
# cost alone), alternating, and prints medians and ratios as a table; also to OUTPUT when that is given.
#
# ROUNDS (default 5) is how often the commands take turns, KEY the kind of key: future-default (ed25519 and cv25519) or
# rsa3072. Everything happens on a throw-away key and throw-away stores.
set -euo pipefail
tool=$(readlink -f "${1:?usage: bench.sh TOOL [OUTPUT]}")
output=${2:-}
rounds=${ROUNDS:-5}
kind=${KEY:-future-default}
# A short path: the socket of gpg-agent must fit into 107 bytes.
scratch=$(mktemp -d /tmp/pcbench.XXXXXX)
trap 'gpgconf --homedir "$scratch/gnupg" --kill all; rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/gnupg" "$scratch/home" "$scratch/bin"
unset "${!PASSWORD_STORE_@}" "${!GIT_@}"
export HOME="$scratch/home" GNUPGHOME="$scratch/gnupg" LC_ALL=C.UTF-8 TERM=xterm
ln -s "$tool" "$scratch/bin/passchain"
ours="$scratch/bin/passchain"
pass=$(command -v pass)
git config --global user.name Bench
git config --global user.email bench@example.org
git config --global init.defaultBranch main

gpg --batch --quiet --passphrase '' --quick-generate-key 'bench <bench@example.org>' "$kind" default never 2>/dev/null
gpg --batch --quiet --passphrase '' --quick-generate-key 'other <other@example.org>' "$kind" default never 2>/dev/null
fingerprint() { gpg --list-keys --with-colons "$1@example.org" | awk -F: '$1 == "fpr" { print $10; exit }'; }
bench=$(fingerprint bench)
other=$(fingerprint other)
if [ "$kind" = rsa3072 ]; then
    for key in "$bench" "$other"; do gpg --batch --quiet --passphrase '' --quick-add-key "$key" rsa3072 encr never; done
fi
gpg --quiet --check-trustdb 2>/dev/null

# store NAME COUNT: a store of COUNT entries in folders of 100.
store() {
    local root="$scratch/$1" i folder
    mkdir -m 700 "$root"
    echo "$bench" > "$root/.gpg-id"
    printf 'correct horse battery staple\nlogin: alice\n' |
        gpg --batch --quiet --trust-model always -r "$bench" --compress-algo none -e > "$root/template"
    for ((i = 0; i < $2; i++)); do
        folder="$root/folder$((i / 100))"
        [ $((i % 100)) -ne 0 ] || mkdir "$folder"
        cp "$root/template" "$folder/entry$i.gpg"
    done
    rm "$root/template"
}
commit_all() { git -C "$1" init -q && git -C "$1" add -A && git -C "$1" commit -qm "Start"; }

store plain 100
store thousand 1000
store large 10000
store large-git 10000
store team 20
printf '%s@example.org\n' bench other > "$scratch/team/.gpg-id"
store init-ours 200
store init-pass 200
store history 20
commit_all "$scratch/large-git"
commit_all "$scratch/history"
commit_all "$scratch/team"

# medians RUNS COMMAND...: the commands take turns; one median in ms a line.
medians() {
    local runs=$1 commands=("${@:2}") round index command store
    for ((round = 0; round < rounds; round++)); do
        for index in "${!commands[@]}"; do
            command=${commands[index]}
            # What in_store made: its store, and the command.
            case $command in
                @*) store=${command%% *} command=${command#* } ;;
                *) store=@plain ;;
            esac
            PASSWORD_STORE_DIR="$scratch/${store#@}" hyperfine -N --warmup 1 --runs "$runs" --style none \
                --export-json "$scratch/run.$index.$round" "$command" >/dev/null 2>&1
        done
    done
    for index in "${!commands[@]}"; do
        jq -s '[.[].results[0].times[]] | sort | .[length / 2 | floor] * 1000' "$scratch"/run."$index".*
    done
    rm -f "$scratch"/run.*
}
rows=()
# row TITLE RUNS OURS PASS [FLOOR-TITLE FLOOR]
row() {
    local title=$1 runs=$2 floor_title=${5:-} result
    mapfile -t result < <(medians "$runs" "$3" "$4" ${6:+"$6"})
    rows+=("$(awk -v title="$title" -v ours="${result[0]}" -v pass="${result[1]}" -v floor="${result[2]:-0}" \
        -v floor_title="$floor_title" 'BEGIN {
            printf "| %s | %.1f | %.1f | %.2f |", title, ours, pass, ours / pass
            if (floor > 0) printf " %.1f (%s) | %.2f |", floor, floor_title, ours / floor; else printf " | |"
        }')")
    printf '%s\n' "${rows[-1]}" >&2
}
in_store() { printf '@%s %s' "$1" "$2"; }

entry="$scratch/plain/folder0/entry0.gpg"
row 'version' 40 "$ours version" "$pass version"
row 'show' 30 "$(in_store plain "$ours show folder0/entry0")" "$(in_store plain "$pass show folder0/entry0")" \
    'gpg -q -d' "gpg -q -d $entry"
row 'show, against gopass instead of pass' 30 "$(in_store plain "$ours show folder0/entry0")" \
    "$(in_store plain "gopass show folder0/entry0")" 'gpg -q -d' "gpg -q -d $entry"
# A display of its own, where Xvfb and xclip are installed: copying behind an earlier copy, and with nobody waiting.
if command -v Xvfb xclip > /dev/null; then
    exec 3> "$scratch/display"
    Xvfb -displayfd 3 -screen 0 64x64x8 > /dev/null 2>&1 &
    server=$!
    trap 'kill "$server"; gpgconf --homedir "$scratch/gnupg" --kill all; rm -rf "$scratch"' EXIT
    until [ -s "$scratch/display" ]; do sleep 0.1; done
    DISPLAY=:$(cat "$scratch/display")
    export DISPLAY
    # shellcheck disable=SC2016 # the script expands it
    printf '#!/bin/sh\ngpg -q -d "$1" | xclip -selection clipboard\n' > "$scratch/gpg-xclip"
    chmod +x "$scratch/gpg-xclip"
    for time in 45 0; do
        row "show -c$([ $time = 0 ] && echo ', nobody waiting' || echo ', after another')" 10 \
            "$(in_store plain "env PASSWORD_STORE_CLIP_TIME=$time $ours show -c folder0/entry0")" \
            "$(in_store plain "env PASSWORD_STORE_CLIP_TIME=$time $pass show -c folder0/entry0")" \
            'gpg and xclip' "$scratch/gpg-xclip $entry"
    done
    unset DISPLAY
fi
row 'ls of 10,000' 10 "$(in_store large "$ours ls")" "$(in_store large "$pass ls")" 'find' "find $scratch/large"
row 'find in 10,000' 10 "$(in_store large "$ours find entry99")" "$(in_store large "$pass find entry99")" \
    'find' "find $scratch/large -name *entry99*"
# What bash does at a tab, in a shell of its own: the names in a folder of 10,000.
completions=$(dirname "$0")/../../completions/passchain.bash
flat="$scratch/flat"
mkdir -m 700 "$flat" "$flat/all"
echo "$bench" > "$flat/.gpg-id"
(cd "$flat/all" && seq -f 'entry%g.gpg' 10000 | xargs touch)
cat > "$scratch/tab-ours.sh" <<S
#!/bin/bash
. $(readlink -f "$completions")
COMP_LINE='passchain show all/' COMP_POINT=19
_passchain passchain all/ show
[ \${#COMPREPLY[@]} = 10000 ]
S
cat > "$scratch/tab-pass.sh" <<'S'
#!/bin/bash
. /usr/share/bash-completion/completions/pass
COMP_WORDS=(pass show all/) COMP_CWORD=2
_pass pass all/ show
[ ${#COMPREPLY[@]} = 10000 ]
S
chmod +x "$scratch/tab-ours.sh" "$scratch/tab-pass.sh"
tab() { printf 'env PATH=%s/bin:%s PASSWORD_STORE_DIR=%s %s/tab-%s.sh' "$scratch" "$PATH" "$flat" "$scratch" "$1"; }
row 'a tab over 10,000' 5 "$(tab ours)" "$(tab pass)" 'find' "find $flat"
cat > "$scratch/four-gpg" <<'S'
#!/bin/sh
find "$1" -name '*.gpg' -print0 | xargs -0 -n 1 -P 4 gpg -q -d > /dev/null
S
cat > "$scratch/gpg-git" <<'S'
#!/bin/sh
cd "$1" && head -c 25 /dev/urandom | base64 | gpg -q --batch --yes -e -r "$2" --compress-algo none -o floor.gpg &&
    git add floor.gpg && git commit -qm floor
S
chmod +x "$scratch/four-gpg" "$scratch/gpg-git"
row 'grep in 1,000, none matches' 1 "$(in_store thousand "$ours grep bob")" "$(in_store thousand "$pass grep bob")" \
    'four gpg at a time' "$scratch/four-gpg $scratch/thousand"
row 'grep in 1,000, all match' 1 "$(in_store thousand "$ours grep alice")" "$(in_store thousand "$pass grep alice")" \
    'four gpg at a time' "$scratch/four-gpg $scratch/thousand"
row 'generate, with commit' 10 "$(in_store history "$ours generate -f made")" \
    "$(in_store history "$pass generate -f made")" 'gpg and git' "$scratch/gpg-git $scratch/history $bench"
row 'generate, for two mail addresses' 10 "$(in_store team "$ours generate -f made")" \
    "$(in_store team "$pass generate -f made")"
row 'generate, commit among 10,000' 5 "$(in_store large-git "$ours generate -f made")" \
    "$(in_store large-git "$pass generate -f made")" 'gpg and git' "$scratch/gpg-git $scratch/large-git $bench"
# Each run changes the recipients, so that each one has to encrypt all 200 anew.
for who in ours pass; do
    cat > "$scratch/init-$who.sh" <<S
#!/bin/sh
export PASSWORD_STORE_DIR=$scratch/init-$who
if grep -q $other $scratch/init-$who/.gpg-id; then exec ${!who} init $bench; else exec ${!who} init $bench $other; fi
S
    chmod +x "$scratch/init-$who.sh"
done
row 'init over 200' 2 "$scratch/init-ours.sh" "$scratch/init-pass.sh"

peak() { env PASSWORD_STORE_DIR="$scratch/$1" /usr/bin/time -f %M "$ours" "${@:2}" 2>&1 >/dev/null | tail -n 1; }
{
    echo "passchain $("$ours" version | sed -n 's/.*passchain \([0-9.]*\).*/\1/p'), GnuPG $(gpg --version | sed -n '1s/.* //p'), $kind keys," \
        "$(nproc) cores ($(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)), medians in ms."
    echo
    echo '| what | passchain | pass | ratio | floor | ratio |'
    echo '|---|---:|---:|---:|---:|---:|'
    printf '%s\n' "${rows[@]}"
    echo
    echo "Peak memory: show $(peak plain show folder0/entry0) kB, ls of 10,000 $(peak large ls) kB."
} | tee ${output:+"$output"}
