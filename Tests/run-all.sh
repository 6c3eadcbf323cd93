#!/usr/bin/env bash
# run-all.sh TOOL
#
# Runs all tests on a finished build: the suites of pass and pass-otp, a client package, and the project's own tests.
# What cannot be had (sources, client programs) is left out: the closing line then names it. Any failure ends the run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
tool=${1:?usage: run-all.sh TOOL}
swift=${SWIFT:-swift}
log=.build/test.log
left_out=()

# Runs a script whose status 77 says that its sources cannot be had.
upstream() {
    local status=0
    bash "${@:2}" || status=$?
    case $status in
        0) ;;
        77) left_out+=("$1") ;;
        *) exit "$status" ;;
    esac
}

upstream "pass's own suite" Tests/Upstream/run-upstream.sh "$tool"
upstream "pass-otp's suite with its extension" Tests/Upstream/run-pass-otp.sh "$tool"
upstream "pass-otp's suite" Tests/Upstream/run-pass-otp.sh --native "$tool"
bash Tests/Consumer/check.sh || exit
"$swift" test --skip-build --disable-xctest 2>&1 | tee "$log" || exit

[[ ! -s .build/clients/left-out ]] || mapfile -t -O "${#left_out[@]}" left_out < .build/clients/left-out
skipped=$(grep -cE '^. (Test|Suite) .* skipped' "$log")
[[ $skipped -eq 0 ]] || left_out+=("$skipped tests and suites that this machine skips (marked \"skipped\" above)")
[[ ${#left_out[@]} -eq 0 ]] || (IFS=';' && echo "Left out: ${left_out[*]}.")
