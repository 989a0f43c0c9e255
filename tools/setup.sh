#!/bin/sh
# Make .venv with Plyout in it, on a machine that has only python3 and a package registry.
# usage: tools/setup.sh [EXTRA]
set -eu
cd "$(dirname "$0")/.."
extra=${1:-dev}
if ! [ -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    rm -rf .venv
    if ! python3 -m venv .venv >/dev/null 2>&1; then # Debian keeps venv in a package of its own
        rm -rf .venv
        tools/debian.sh python3-venv
        python3 -m venv .venv
    fi
fi
echo "installing plyout[$extra] into .venv, which takes half a minute or more"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[$extra]"
touch ".venv/ready-$extra"
