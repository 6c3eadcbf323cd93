#!/bin/bash
# Builds a client of the libraries in each form that the README shows, with the README's samples, and runs it.
# Usage: check.sh [FORM...]   PRODUCT:ALIAS, as Security: or KeychainKit:yes; all of them when none is named.
# The first build of a form takes about a minute, later ones in .build/consumer seconds.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/pcXXXXXX)
unset "${!PASSWORD_STORE_@}" "${!KEYCHAIN_@}"
export GNUPGHOME=$work/g PASSWORD_STORE_DIR=$work/s XDG_CACHE_HOME=$work/c
trap 'gpgconf --homedir "$GNUPGHOME" --kill all; rm -rf "$work"' EXIT
mkdir -m 700 "$GNUPGHOME" "$PASSWORD_STORE_DIR"
gpg --quiet --batch --passphrase '' --quick-gen-key consumer default default never
gpg --list-keys --with-colons consumer | awk -F: '/^fpr/ { print $10; exit }' >"$PASSWORD_STORE_DIR/.gpg-id"

expect() {
    [ "$1" = "$2" ] || { echo "expected '$2', got '$1' ($3)" >&2; exit 1; }
}

# sample NUMBER: that block of Swift in the README's section for both systems.
sample() {
    awk -v number="$1" '/^## /{ inside = $0 == "## On Linux and on the Mac" }
        inside && /^```$/ { shown = 0 }
        shown { print }
        inside && /^```swift$/ { shown = ++count == number }' "$root/README.md"
}

# The store's entry of the sample, in whatever group.
kept() { gpg --quiet --decrypt "$(find "$PASSWORD_STORE_DIR" -path '*com.example.app/alice.gpg')" | head -n 1; }

[ $# -gt 0 ] || set -- Security: Security:yes KeychainKit:yes
for form; do
    export PRODUCT=${form%:*}
    alias=${form#*:}
    client=$root/.build/consumer/$PRODUCT$alias
    rm -rf "$client/Sources"
    mkdir -p "$client"
    cp -r "$root/Tests/Consumer/Package.swift" "$root/Tests/Consumer/Sources" "$client"
    ln -sfn "$root" "$client/passchain"
    case $PRODUCT in
        Security) number=1 secret=hunter2 ;;
        KeychainKit) number=2 secret='hunter3!' ;;
    esac
    for target in Sample Sample5; do
        mkdir "$client/Sources/$target"
        sample "$number" >"$client/Sources/$target/main.swift"
    done
    unset ALIAS
    [ -z "$alias" ] || export ALIAS=$alias
    swift build --package-path "$client" --quiet
    # What a target sees can change with the second build.
    echo "// again" >>"$client/Sources/Other/main.swift"
    swift build --package-path "$client" --quiet
    programs=$(swift build --package-path "$client" --show-bin-path)
    for target in Sample Sample5; do
        rm -f "$programs/Info.plist"
        "$programs/$target" >/dev/null
        expect "$(kept)" "$secret" "$target, $form"
        rm -r "$PASSWORD_STORE_DIR/com.example.app"
    done
    cp "$root/Tests/Consumer/Info.plist" "$programs"
    expect "$("$programs/App")" "0 team abc" "App, $form"
    expect "$(ls -1 "$PASSWORD_STORE_DIR/%groups/team/com.example.app")" "alice.gpg" "the item's entry"
    rm -r "$PASSWORD_STORE_DIR/%groups"
    expect "$("$programs/Libraries")" "7 1 true" "Libraries, $form"
    [ -z "$alias" ] || expect "$("$programs/Other")" "not seen" "canImport in another target"
    echo "$PRODUCT, moduleAliases: ${alias:-no}: all programs work; another target: Security is $("$programs/Other")"
done
