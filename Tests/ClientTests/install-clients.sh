#!/usr/bin/env bash
# install-clients.sh
#
# Installs the programs that the client tests run, by name: from Debian, and what Debian lacks from PyPI into .build/clients.
# What cannot be had is named on standard error, and its tests are skipped; the status is 0 all the same.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)

packages=(golang-docker-credential-helpers pass-git-helper pass-extension-tail pass-extension-audit webext-browserpass
    vim expect oathtool python3-venv)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [[ ${#missing[@]} -gt 0 ]]; then
    sudo=()
    [[ $(id -u) = 0 ]] || sudo=(sudo -n)
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update > /dev/null
    # One by one: a package that is not there takes no other with it.
    for package in "${missing[@]}"; do
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get -qq install -y --no-install-recommends "$package" > /dev/null ||
            echo "$package cannot be installed; its tests are skipped" >&2
    done
fi

if [[ ! -x $top/.build/clients/bin/pimport ]]; then
    mkdir -p "$top/.build"
    if ! { python3 -m venv "$top/.build/clients" &&
        "$top/.build/clients/bin/pip" -q --disable-pip-version-check install 'pass-import==3.5'; }; then
        echo "pass-import cannot be installed; its tests are skipped" >&2
    fi
fi

bash "$top/Tests/Upstream/fetch-upstream.sh" "$top/.build/upstream" ||
    echo "the sources of pass cannot be fetched; the tests of passmenu, vim and pass-otp are skipped" >&2
exit 0
