#!/usr/bin/env bash
# install-clients.sh
#
# Gets the programs that the client tests run, by name, into .build/clients, and asks nothing:
#   debian/  Debian's packages, downloaded and unpacked. Installed, they would put extensions where every pass of this
#            machine loads them, that of the recorded sessions too.
#   python/  what Debian lacks, from PyPI
# and the sources of pass and pass-otp into .build/upstream. What is there already is left alone.
#
# What cannot be had is named on standard error and in .build/clients/left-out, and its tests are skipped; the status is
# 0 even then.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
clients=$top/.build/clients
mkdir -p "$clients/debian" "$clients/archives"
: > "$clients/left-out"
# leave_out NAME: says that it cannot be had, for the reason in the file `error`.
leave_out() {
    echo "$1 cannot be had, and its tests are skipped: $(tail -n 1 error)" >&2
    echo "the tests of $1" >> "$clients/left-out"
}

# The programs, and the Python modules that two of them import.
packages=(golang-docker-credential-helpers pass-git-helper python3-xdg pass-extension-tail pass-extension-audit
    python3-zxcvbn webext-browserpass)

# Where nothing had to be installed, apt may not have looked yet what there is.
if ! apt-cache -qq show "${packages[@]}" > /dev/null 2>&1; then
    sudo=()
    [[ $(id -u) = 0 ]] || sudo=(sudo -n)
    # What this is for fails with a reason of its own.
    "${sudo[@]}" apt-get -qq update > /dev/null 2>&1 || true
fi
cd "$clients/archives" || exit 0
for package in "${packages[@]}"; do
    [[ ! -e $clients/debian/usr/share/doc/$package ]] || continue
    rm -f "$package"_*.deb
    # One by one: a package that is not there takes no other with it.
    { apt-get -qq -o APT::Sandbox::User= download "$package" > /dev/null &&
        dpkg-deb --extract "$package"_*.deb "$clients/debian"; } 2> error ||
        leave_out "Debian's $package"
done

# Debian's own Python: another one may be in a folder that only its user can read.
if ! "$clients/python/bin/pimport" --version > /dev/null 2>&1; then
    rm -rf "$clients/python"
    { /usr/bin/python3 -m venv "$clients/python" &&
        "$clients/python/bin/pip" -q --disable-pip-version-check --no-input install 'pass-import==3.5'; } > error 2>&1 ||
        leave_out "PyPI's pass-import"
fi

bash "$top/Tests/Upstream/fetch-upstream.sh" "$top/.build/upstream" > error 2>&1 ||
    leave_out "passmenu and redact_pass.vim from the sources of pass"
exit 0
