#!/bin/sh
# Makes the Debian packages of what is built: Tools/deb.sh FOLDER BUILD FILE…
#   FOLDER: where they go; BUILD: .build/release; FILE…: executables and libraries of it whose symbols are kept apart.
# Two calls with the same SOURCE_DATE_EPOCH (default: the time of the last commit) make the same files.
set -eu
folder=$1
build=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" dh:debhelper lintian objcopy:binutils
# ARCH=arm64 on another machine: the packages without modules for Swift plugins, which need Foundation's.
machine=""
if [ -n "${TASKHOST_SYSROOT:-}" ]; then
    machine=-aarm64
    export DH_OPTIONS=-Ntaskhost-swift-dev
fi
version=${TASKHOST_VERSION:-$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$root/Sources/Setting/Release.swift")}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
work=$folder/taskhost-$version
rm -rf "$folder"
mkdir -p "$work/tree"
cp -R "$root/Distribution/debian" "$work/debian"
cp -R "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" "$root/Documentation" "$work/"
printf 'taskhost (%s) unstable; urgency=medium\n\n  * Built from its sources.\n\n -- taskhost developers <taskhost@localhost>  %s\n' \
    "$version" "$(date -uRd "@$SOURCE_DATE_EPOCH")" >"$work/debian/changelog"
make -s -C "$root" -o build -o cross-arm64 install DESTDIR="$(cd "$work" && pwd)/tree" PREFIX=/usr BIN="$build" >/dev/null
# What a machine with systemd's journal reads: each run has a line there.
install -d "$work/tree/etc/taskhost"
install -m 644 "$root/Distribution/config.json" "$work/tree/etc/taskhost/config.json"
# Debian's own places: completions of zsh, and units that debhelper 13 finds.
mkdir -p "$work/tree/usr/share/zsh/vendor-completions" "$work/tree/lib/systemd"
mv "$work/tree/usr/lib/systemd/system" "$work/tree/lib/systemd/"
mv "$work/tree/usr/share/zsh/site-functions/_taskhost" "$work/tree/usr/share/zsh/vendor-completions/"
files=""
for file in "$@"; do files="$files $root/$build/$file"; done
# shellcheck disable=SC2086
"$root/Tools/debug-symbols.sh" "$work/tree/usr/lib/debug" $files
(cd "$work" && dpkg-buildpackage $machine --build=binary --no-sign -d >../build.log 2>&1) || { tail -n 20 "$folder/build.log" >&2; exit 1; }
ls "$folder"/*.deb
