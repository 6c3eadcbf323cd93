#!/bin/bash
# Runs what several threads or processes do at once under the thread sanitizer: `make sanitize`.
# Any report fails the run. The build stands beside the usual one, in .build/sanitize.
set -euo pipefail
cd "$(dirname "$0")/../.."

build=.build/sanitize
swift build --build-tests --sanitize=thread --scratch-path "$build"
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$clang" -shared -fPIC -O1 -Wall -Wextra -Werror -o "$build/mutex.so" Tests/Sanitizers/mutex.c
swiftc -sanitize=thread -o "$build/race" Tests/Sanitizers/race.swift

mutex=$PWD/$build/mutex.so
if ! LD_PRELOAD=$mutex "$build/race" guarded; then
    echo 'mutex.c does not teach the sanitizer what a Mutex is; does this Swift have another one?' >&2
    exit 1
fi
if LD_PRELOAD=$mutex "$build/race" unguarded 2>/dev/null; then
    echo 'The sanitizer does not find a race that is there.' >&2
    exit 1
fi
# Not the two tests that look through all memory, which is endless with the sanitizer's own; nothing in them is shared.
LD_PRELOAD=$mutex swift test --skip-build --sanitize=thread --scratch-path "$build" --disable-xctest \
    --filter '^(GPGME|PasswordStore|Security|KeychainKit|Unix)Tests\.' --skip 'ResourceTests/leavesNoCopyOf'
