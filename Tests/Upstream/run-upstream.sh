#!/usr/bin/env bash
# run-upstream.sh [BINARY [TEST...]]
#
# Runs pass's own test suite, unmodified, against BINARY: by default the debug build. TEST picks files by name (t0300*).
# Ends with "N passed, N failed" and status 0 if all passed, 1 if a test failed, 2 if the suite could not be run, 77 if its
# sources cannot be had.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../.build
binary=$(command -v "${1:-$build/debug/passchain}") || { echo "no such program: ${1:-passchain}; build it first" >&2; exit 2; }
binary=$(readlink -f "$binary")
[[ $# -eq 0 ]] || shift
"$here/fetch-upstream.sh" "$build/upstream" || exit 77

# The path is short because of gpg-agent's socket (107 bytes).
scratch=$(mktemp -d /tmp/up.XXXXXX) || exit 2
trap 'gpgconf --homedir "$scratch/tests/gnupg" --kill all 2> /dev/null; rm -rf "$scratch"' EXIT
cp -R "$build/upstream/password-store/tests" "$scratch/tests" && chmod 700 "$scratch/tests/gnupg" || exit 2

# The suite runs "../src/password-store.sh". A launcher stands there, named in its messages as pass's script would be.
mkdir "$scratch/src" && ln -s "$binary" "$scratch/src/password-store.sh" || exit 2
export GIT_CONFIG_NOSYSTEM=1
unset XDG_CONFIG_HOME GNUPGHOME DISPLAY WAYLAND_DISPLAY GPG_TTY GPG_AGENT_INFO TREE_COLORS LS_COLORS TREE_CHARSET

passed=0 failed=0
cd "$scratch/tests" || exit 2
for file in t[0-9]*.sh; do
    if [[ $# -gt 0 ]]; then
        chosen=
        # shellcheck disable=SC2053 # TEST is a pattern
        for pattern; do [[ $file != $pattern && $file != $pattern.sh ]] || chosen=yes; done
        [[ $chosen ]] || continue
    fi
    echo "== $file"
    output=$(bash "./$file" < /dev/null 2>&1)
    status=$?
    echo "$output"
    good=$(grep -c '^ok ' <<< "$output")
    bad=$(grep -c '^not ok ' <<< "$output")
    # A file that breaks off without a "not ok" has failed, too.
    [[ $status -eq 0 || $bad -gt 0 ]] || bad=1
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
