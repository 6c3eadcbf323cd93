#!/usr/bin/env bash
# install-clients.sh
#
# Gets the programs that the client tests run, by name, into .build/clients, and asks nothing:
#   debian/  Debian's packages, downloaded and unpacked. Installed, they would put extensions where every pass of this
#            machine loads them, that of the recorded sessions too.
#   python/  what Debian lacks, from PyPI
# and the sources of pass and pass-otp into .build/upstream. What is there already is left alone.
#
# What cannot be had is named on standard error, and its tests are skipped; the status is 0 all the same.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
clients=$top/.build/clients
mkdir -p "$clients/debian" "$clients/archives"

# The programs, and the Python modules that two of them import.
packages=(golang-docker-credential-helpers pass-git-helper python3-xdg pass-extension-tail pass-extension-audit
    python3-zxcvbn webext-browserpass)

# Where nothing had to be installed, apt may not have looked yet what there is.
if ! apt-cache -qq show "${packages[@]}" > /dev/null 2>&1; then
    sudo=()
    [[ $(id -u) = 0 ]] || sudo=(sudo -n)
    "${sudo[@]}" apt-get -qq update > /dev/null 2>&1
fi
cd "$clients/archives" || exit 0
for package in "${packages[@]}"; do
    [[ ! -e $clients/debian/usr/share/doc/$package ]] || continue
    rm -f "$package"_*.deb
    # One by one: a package that is not there takes no other with it.
    apt-get -qq -o APT::Sandbox::User= download "$package" > /dev/null 2> error &&
        dpkg-deb --extract "$package"_*.deb "$clients/debian" 2> error ||
        echo "Debian's $package cannot be had, and its tests are skipped: $(tail -n 1 error)" >&2
done

if [[ ! -x $clients/python/bin/pimport ]]; then
    rm -rf "$clients/python"
    python3 -m venv "$clients/python" > error 2>&1 &&
        "$clients/python/bin/pip" -q --disable-pip-version-check --no-input install 'pass-import==3.5' > error 2>&1 ||
        echo "PyPI's pass-import cannot be had, and its tests are skipped: $(tail -n 1 error)" >&2
fi

bash "$top/Tests/Upstream/fetch-upstream.sh" "$top/.build/upstream" > error 2>&1 ||
    echo "The sources of pass cannot be had; passmenu and vim's redact_pass are skipped: $(tail -n 1 error)" >&2
exit 0
