#!/bin/bash
# Builds clients of the libraries, in the shapes that packages have and the forms that the README shows, with the
# README's samples, and runs them.
# Usage: check.sh [PACKAGE...]   client, plain, nested, alias; all of them when none is named.
# They share one scratch folder, .build/consumer/scratch: our libraries are compiled once.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/pcXXXXXX)
unset "${!PASSWORD_STORE_@}" "${!KEYCHAIN_@}"
export GNUPGHOME=$work/g PASSWORD_STORE_DIR=$work/s XDG_CACHE_HOME=$work/c
trap 'gpgconf --homedir "$GNUPGHOME" --kill all; rm -rf "$work"' EXIT
mkdir -m 700 "$GNUPGHOME" "$PASSWORD_STORE_DIR"
gpg --quiet --batch --passphrase '' --quick-gen-key consumer default default never
gpg --list-keys --with-colons consumer | awk -F: '/^fpr/ { print $10; exit }' >"$PASSWORD_STORE_DIR/.gpg-id"
clients=$root/.build/consumer
mkdir -p "$clients"
ln -sfn "$root" "$clients/passchain"

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

# prepare NAME: the folder of a package. Sources that its manifest does not name are none of its.
prepare() {
    client=$clients/$1
    rm -rf "$client"
    mkdir "$client"
    cp -r "$root/Tests/Consumer/Sources" "$root/Tests/Consumer/Tests" "$client"
    cp "$root/Tests/Consumer/Packages/$1.swift" "$client/Package.swift"
    for suffix in '' 5; do
        mkdir "$client/Sources/SecuritySample$suffix" "$client/Sources/KeychainKitSample$suffix"
        sample 1 >"$client/Sources/SecuritySample$suffix/main.swift"
        sample 2 >"$client/Sources/KeychainKitSample$suffix/main.swift"
    done
}

swift_() { swift "$1" --package-path "$client" --scratch-path "$clients/scratch" "${@:2}"; }

# build [OPTION...]: builds; what failed is said.
build() { swift_ build --quiet "$@"; }

# The package's tests, of both kinds.
run_tests() {
    swift_ test --skip-build >"$work/tests" 2>&1 || { cat "$work/tests"; exit 1; }
    grep -q 'Test run with [1-9].* passed' "$work/tests"
}

check_samples() {
    for target in "$@"; do
        rm -f "$programs/Info.plist"
        "$programs/$target" >/dev/null
        case $target in
            Security*) expect "$(kept)" hunter2 "$target" ;;
            *) expect "$(kept)" 'hunter3!' "$target" ;;
        esac
        rm -r "$PASSWORD_STORE_DIR/com.example.app"
    done
}

check_app() {
    cp "$root/Tests/Consumer/Info.plist" "$programs"
    expect "$("$programs/App")" "0 team abc" App
    expect "$(ls -1 "$PASSWORD_STORE_DIR/%groups/team/com.example.app")" "alice.gpg" "the item's entry"
    rm -r "$PASSWORD_STORE_DIR/%groups" "$programs/Info.plist"
}

check_client() {
    check_samples SecuritySample SecuritySample5 KeychainKitSample KeychainKitSample5
    check_app
    expect "$("$programs/Libraries")" "7 1 true" Libraries
    expect "$("$programs/Both")" "com.example.app -25300" Both
    expect "$("$programs/Teller")" "2 true" Teller
    run_tests
    grep -q 'Executed [1-9].* tests*, with 0 failures' "$work/tests"
}

check_plain() { :; }

check_nested() {
    expect "$("$programs/Far")" "No error." Far
    expect "$("$programs/Near")" "s No error." Near
    run_tests
}

check_alias() {
    # What a target sees can change with the second build.
    echo "// again" >>"$client/Sources/Other/main.swift"
    build --build-tests
    expect "$("$programs/Other")" "not seen" "canImport in another target"
    expect "$("$programs/Named")" "shelf -25299 support" Named
    check_samples SecuritySample
    check_app
    run_tests
}

[ $# -gt 0 ] || set -- client plain nested alias
for name; do
    start=$SECONDS
    # A module of this name from another package would be seen by the one with the alias.
    [ "$name" != alias ] || rm -f "$clients"/scratch/*/debug/Modules/Security.*
    [ "$name" != nested ] || prepare plain
    prepare "$name"
    build --build-tests
    programs=$(swift_ build --show-bin-path)
    "check_$name"
    echo "$name: builds and works ($((SECONDS - start)) s)"
done
