#!/bin/bash
# Runs the tool, with each of its uses of GPGME, under valgrind's memcheck: memcheck.sh PATH-OF-THE-TOOL
#
# The tool and not the tests: libdispatch, which those need, and valgrind do not get on. What memcheck finds in Swift's
# own libraries stands, with its cause, in memcheck.supp.
set -eu
here=$(dirname "$(realpath "$0")")
export HOME=/nonexistent LC_ALL=C.UTF-8
folder=$(mktemp -d)
export GNUPGHOME=$folder/g PASSWORD_STORE_DIR=$folder/store
mkdir -m 700 "$GNUPGHOME"
trap 'gpgconf --kill all; rm -rf "$folder"' EXIT

# valgrind does not read all of the debug information that Swift writes, and gives up; names it reads.
objcopy --strip-debug "$1" "$folder/passchain"
for name in alice bob; do
    gpg --quiet --batch --passphrase '' --quick-gen-key "$name <$name@example.org>" default default never \
        2>> "$folder/gpg"
done
alice=$(gpg --with-colons -k alice | awk -F: '/^fpr/ { print $10; exit }')
bob=$(gpg --with-colons -k bob | awk -F: '/^fpr/ { print $10; exit }')

# check STATUS WORDS...: runs the tool, which must end with this status and without an error that memcheck counts.
#
# What memcheck found is read from its log, and not asked for as an exit status. GPGME forks a child that forks gpg and
# ends; what only other threads pointed to is lost in that child, memcheck would have it fail for that, and GPGME take
# gpg for not started.
check() {
    local wanted=$1 status=0
    shift
    valgrind --tool=memcheck --trace-children=no --child-silent-after-fork=yes \
        --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=30 \
        --suppressions="$here/memcheck.supp" --log-file="$folder/log" \
        "$folder/passchain" "$@" > "$folder/output" 2> "$folder/errors" || status=$?
    echo "passchain $*: status $status"
    [[ $status -eq $wanted ]] && grep -q 'ERROR SUMMARY: 0 errors' "$folder/log" && return
    cat "$folder/log" "$folder/errors"
    exit 1
}

check 0 init "$alice"
check 0 insert -m a/x <<< 'secret of x'
check 0 insert -e b <<< 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP'
check 0 show a/x
check 0 ls
check 0 otp b
check 0 generate -i a/x 12
EDITOR='sed -i s/^/x/' check 0 edit a/x
check 0 grep secret
check 0 init "$alice" "$bob"
check 0 init -p a "$bob"
check 0 mv a/x c
check 0 cp c a/y
# With options for gpg GPGME does all of it; for what is longer than a pipe takes it is asked twice.
PASSWORD_STORE_GPG_OPTS=--verbose check 0 show c
PASSWORD_STORE_GPG_OPTS=--verbose check 0 generate -i c 14
head -c 99999 /dev/zero | PASSWORD_STORE_GPG_OPTS=--verbose check 0 insert -m long
# A list without a signature would stop what follows.
check 0 init -p a ''
PASSWORD_STORE_SIGNING_KEY=$alice check 0 init "$alice"
PASSWORD_STORE_SIGNING_KEY=$alice check 0 insert -e d <<< signed
# What cannot be done: no such key, no signature by it, no whole message, none at all, nobody's secret key.
check 1 init nobody@example.org
PASSWORD_STORE_SIGNING_KEY=$bob check 1 insert -e e <<< refused
truncate --size=-9 "$PASSWORD_STORE_DIR/b.gpg"
check 2 show b
echo text > "$PASSWORD_STORE_DIR/text.gpg"
check 2 show text
mv "$GNUPGHOME/private-keys-v1.d" "$folder/away"
check 2 show d
