#!/usr/bin/env bash
# run-pass-otp.sh [--native] [BINARY]
#
# Runs pass-otp's own test suite against BINARY (by default the debug build), with pass-otp's otp.bash as a user extension:
# BINARY must run an extension of pass unmodified. With --native, against the otp of BINARY itself.
# Needs expect and oathtool. Ends as run-upstream.sh does.
# pass itself fails the HOTP tests on bash 5.2 and later, which reads the & of otp.bash's replacement as a reference.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../../.build
kind=extension
[[ ${1-} != --native ]] || { kind=native && shift; }
binary=$(command -v "${1:-$build/debug/passchain}") || { echo "no such program: ${1:-passchain}; build it first" >&2; exit 2; }
binary=$(readlink -f "$binary")
for program in expect oathtool; do
    command -v "$program" > /dev/null || { echo "$program is not installed" >&2; exit 2; }
done
"$here/fetch-upstream.sh" "$build/upstream" || exit 77

scratch=$(mktemp -d /tmp/ot.XXXXXX) || exit 2
trap 'gpgconf --homedir "$scratch/otp/test/gnupg" --kill all 2> /dev/null; rm -rf "$scratch"' EXIT
cp -R "$build/upstream/pass-otp" "$scratch/otp" && chmod 700 "$scratch/otp/test/gnupg" || exit 2
case $kind in
extension) chmod +x "$scratch/otp/otp.bash" ;;
native) rm "$scratch/otp/otp.bash" ;;
esac
mkdir "$scratch/bin" && ln -s "$binary" "$scratch/bin/pass" || exit 2
export PATH="$scratch/bin:$PATH"
unset GNUPGHOME DISPLAY WAYLAND_DISPLAY GPG_TTY

passed=0 failed=0
cd "$scratch/otp/test" || exit 2
for file in *.t; do
    echo "== $file"
    output=$(bash "./$file" < /dev/null 2>&1)
    status=$?
    grep -E '^(ok|not ok) ' <<< "$output" || tail -5 <<< "$output"
    good=$(grep -c '^ok ' <<< "$output")
    bad=$(grep -c '^not ok ' <<< "$output")
    [[ $status -eq 0 || $bad -gt 0 ]] || bad=1
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "pass-otp as $kind: $passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
