#!/usr/bin/env bash
# fetch-upstream.sh FOLDER
#
# Gets the sources of pass and pass-otp, their test suites included, as Debian's source packages, and unpacks them into
# FOLDER/password-store and FOLDER/pass-otp. Nothing happens for what is there already.
#
# Everything of apt's is kept below FOLDER, so the host's configuration and lists stay as they are; only the mirror that
# the host's own apt is set to is taken from there. apt checks the archive's signature and the files' hashes.
set -euo pipefail
mkdir -p "${1:?usage: fetch-upstream.sh FOLDER}"
folder=$(cd "$1" && pwd)
[[ ! -d $folder/password-store/tests || ! -d $folder/pass-otp/test ]] || exit 0

suite=${SUITE:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
# shellcheck disable=SC2016 # the format is apt's
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' 'Component: main' |
    awk -v suite="$suite" '$2 == suite { print $1; exit }')
[[ -n $mirror ]] || { echo "apt knows no mirror of $suite: run apt-get update first" >&2; exit 1; }

private=$folder/apt
mkdir -p "$private/sources" "$private/lists/partial" "$private/cache/archives/partial"
cat > "$private/sources/source.sources" <<SOURCES
Types: deb-src
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
apt_get() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$private/sources" \
        -o Dir::State::lists="$private/lists" -o Dir::Cache="$private/cache" -o APT::Sandbox::User= "$@"
}
apt_get update
cd "$folder"
# The upstream archives alone: Debian's own parts are not on every mirror.
apt_get source --tar-only password-store pass-otp
for name in password-store pass-otp; do
    archives=("${name}"_*.orig.tar.*[!c])   # not the .asc beside it
    rm -rf "$name" && mkdir "$name" && tar -xf "${archives[0]}" -C "$name" --strip-components=1
done
