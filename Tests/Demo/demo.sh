#!/usr/bin/env bash
# demo.sh TOOL: the main job on throw-away keys and a throw-away store, shown step by step. Exit status 0: all went well.
set -euo pipefail
tool=${1:?usage: demo.sh TOOL}
# A short path: the socket of gpg-agent must fit into 107 bytes.
scratch=$(mktemp -d /tmp/pcdemo.XXXXXX)
trap 'gpgconf --homedir "$scratch/gnupg" --kill all; rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/gnupg" "$scratch/home"
unset "${!PASSWORD_STORE_@}" "${!GIT_@}"
export HOME="$scratch/home" GNUPGHOME="$scratch/gnupg" PASSWORD_STORE_DIR="$scratch/store" LC_ALL=C.UTF-8
ln -s "$(readlink -f "$tool")" "$scratch/passchain"
PATH="$scratch:$PATH"
git config --global user.name "Demo"
git config --global user.email demo@example.org
git config --global init.defaultBranch main

say() { printf '\n\033[1m# %s\033[0m\n' "$1"; }
show() { printf '$ %s\n' "$1"; bash -c "$1"; }
key() {
    gpg --batch --quiet --passphrase '' --quick-generate-key "$1 <$1@example.org>" future-default default never 2>/dev/null
    gpg --list-keys --with-colons "$1@example.org" | awk -F: '$1 == "fpr" { print $10; exit }'
}

say "Two throw-away keys, Alice's and Bob's"
alice=$(key alice)
bob=$(key bob)
gpg --quiet --check-trustdb 2>/dev/null
echo "alice $alice"
echo "bob   $bob"

say "A new store for Alice, versioned by git"
show "passchain init $alice"
show "passchain git init"

say "Insert a password, generate two more"
show "echo 'correct horse battery staple' | passchain insert --echo Email/home"
show "passchain generate Web/example.org 20"
show "printf 'hunter2\nlogin: alice\nurl: https://example.net\n' | passchain insert --multiline Web/example.net"

say "List, find, show, search"
show "passchain"
show "passchain find example"
show "passchain show Email/home"
show "passchain grep login"

say "Edit: an editor is any program; this one is sed"
show "EDITOR='sed -i s/alice/bob/' passchain edit Web/example.net"
show "passchain show Web/example.net"

say "A new first line for an entry, its other lines kept"
show "passchain generate --in-place Web/example.net 24"

say "Bob joins: every entry is encrypted anew, for both"
show "passchain init $alice $bob"

say "Move, and remove"
show "passchain mv Email/home Email/private"
show "passchain rm --force Web/example.org"

say "What the history says"
show "passchain git log --format='%h %s'"
show "passchain git status --short --branch"

say "All of it is a plain pass store: gpg alone can read it"
show "gpg --quiet --decrypt '$PASSWORD_STORE_DIR/Email/private.gpg'"
