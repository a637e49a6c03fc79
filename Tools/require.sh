#!/bin/sh
# Checks that the C libraries the project links are installed, and installs what is missing with apt.
# Usage: Tools/require.sh MODULE[:PACKAGE]…   MODULE as pkg-config, or a command on the PATH, or just PACKAGE, of Debian.
set -u
missing=""
for pair in "$@"; do
    module=${pair%%:*}
    package=${pair##*:}
    if ! pkg-config --exists "$module" 2>/dev/null && ! command -v "$module" >/dev/null 2>&1 &&
        ! dpkg -s "$package" >/dev/null 2>&1; then
        missing="$missing $package"
    fi
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "taskhost: these libraries are missing:$missing; install them (names are Debian's) and try again" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "taskhost: these packages are missing:$missing; run: sudo apt-get install$missing" >&2
    exit 1
fi
echo "taskhost: installing$missing"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# Parts of the checks run beside each other, and each may install: apt waits for its lock.
apt() { apt-get -o DPkg::Lock::Timeout=900 "$@"; }
# shellcheck disable=SC2086
if apt install -y $missing >"$log" 2>&1 || { apt update >"$log" 2>&1 && apt install -y $missing >>"$log" 2>&1; }; then
    rm -f "$log"
else
    tail -n 20 "$log" >&2
    echo "taskhost: apt-get could not install$missing; the log is $log" >&2
    exit 1
fi
