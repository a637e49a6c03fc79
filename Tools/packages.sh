#!/bin/sh
# Prints the Debian packages with the libraries that an installed tree takes from the system, one a line:
#   Tools/packages.sh RUNTIME-FOLDER FILE…    libraries in RUNTIME-FOLDER come along and need none
# Only what the files themselves name: each package brings what it needs in its turn.
set -eu
runtime=$1
shift
# Of another machine: the sysroot knows the package of each library.
if [ -n "${TASKHOST_SYSROOT:-}" ]; then
    for file in "$@" "$runtime"/*.so; do
        readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
    done | sort -u | while read -r library; do
        [ -e "$runtime/$library" ] || sed -n "s/^$library //p" "$TASKHOST_SYSROOT/libraries"
    done | sort -u
    exit 0
fi
command -v dpkg >/dev/null 2>&1 || exit 0
for file in "$@" "$runtime"/*.so; do
    readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$runtime/.needed"
    LD_LIBRARY_PATH=$runtime ldd "$file" | awk -v list="$runtime/.needed" '
        BEGIN { while ((getline name < list) > 0) needed[name] = 1 }
        ($1 in needed) && $3 ~ /^\// { print $3 }'
done | sort -u | while read -r library; do
    [ -e "$runtime/${library##*/}" ] && continue
    # Packages name files by their path before /lib became a link to /usr/lib, or after.
    dpkg -S "$library" 2>/dev/null || dpkg -S "/usr$library" 2>/dev/null || dpkg -S "${library#/usr}" 2>/dev/null || true
done | sed 's/:.*//' | sort -u
rm -f "$runtime/.needed"
