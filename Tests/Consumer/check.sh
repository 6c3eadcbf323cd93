#!/bin/bash
# Builds a client that imports Security in each form that the README shows, and runs it.
# Usage: check.sh (takes a few minutes: it builds the package three times)
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/pcXXXXXX)
export GNUPGHOME=$work/g PASSWORD_STORE_DIR=$work/s XDG_CACHE_HOME=$work/c
trap 'gpgconf --homedir "$GNUPGHOME" --kill all; rm -rf "$work"' EXIT
mkdir -m 700 "$GNUPGHOME" "$PASSWORD_STORE_DIR"
gpg --quiet --batch --passphrase '' --quick-gen-key consumer default default never
gpg --list-keys --with-colons consumer | awk -F: '/^fpr/ { print $10; exit }' >"$PASSWORD_STORE_DIR/.gpg-id"

expect() {
    [ "$1" = "$2" ] || { echo "expected '$2', got '$1' ($3)" >&2; exit 1; }
}

for form in Security: Security:yes KeychainKit:yes; do
    export PRODUCT=${form%:*}
    alias=${form#*:}
    client=$work/client-$PRODUCT$alias
    mkdir "$client"
    cp -r "$root/Tests/Consumer/Package.swift" "$root/Tests/Consumer/Sources" "$client"
    ln -s "$root" "$client/passchain"
    [ -z "$alias" ] || export ALIAS=$alias
    swift build --package-path "$client" --quiet
    # What a target sees can change with the second build.
    echo "// again" >>"$client/Sources/Other/main.swift"
    swift build --package-path "$client" --quiet
    programs=$(swift build --package-path "$client" --show-bin-path)
    cp "$root/Tests/Consumer/Info.plist" "$programs"
    expect "$("$programs/App")" "0 team abc" "$form"
    expect "$(ls -1 "$PASSWORD_STORE_DIR/%groups/team/com.example.app")" "alice.gpg" "the item's entry"
    rm -r "$PASSWORD_STORE_DIR/%groups"
    [ -z "$alias" ] || expect "$("$programs/Other")" "not seen" "canImport in another target"
    echo "$PRODUCT, moduleAliases: ${alias:-no}: App works; another target: Security is $("$programs/Other")"
done
