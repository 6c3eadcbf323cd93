#!/bin/sh
# make-keyring.sh FOLDER
#
# Makes FOLDER (new, or empty) a GnuPG folder with all the test keys, trusted but for mallory's. Locked keys ask the
# pinentry of Fixtures/bin. FOLDER's path must be short: gpg-agent's socket in it may have 107 bytes. Its agent is ended.
set -eu
keys=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
chmod 700 "$1"
export GNUPGHOME="$1"
trap 'gpgconf --homedir "$GNUPGHOME" --kill all' EXIT
printf 'pinentry-program %s\n' "$keys/../bin/pinentry-file" > "$1/gpg-agent.conf"
echo no-auto-key-locate > "$1/gpg.conf"   # no test asks the network for keys
gpg --batch --quiet --import "$keys"/*.asc
gpg --batch --with-colons --list-keys |
    awk -F: '$1 == "pub" { primary = 1 }
             $1 == "fpr" && primary { fingerprint = $10; primary = 0 }
             $1 == "uid" && $10 !~ /mallory@/ { print fingerprint ":6:" }' |
gpg --batch --quiet --import-ownertrust
gpg --batch --quiet --check-trustdb
