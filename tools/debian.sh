#!/bin/sh
# Install the named Debian packages if they are missing and we may; say so if we may not.
set -eu
missing=""
for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "not installed, and this user cannot install it: Debian package(s)$missing" >&2
    exit 1
fi
echo "installing Debian package(s)$missing"
patiently="-o DPkg::Lock::Timeout=300" # another program may be installing something
apt-get update -qq || true # what is known of may do
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $patiently --no-install-recommends $missing >/dev/null
