#!/bin/sh
# Keeps the symbols of executables and libraries where debuggers look for them, by their build id:
#   Tools/debug-symbols.sh FOLDER FILE…    FOLDER: such as usr/lib/debug of a package
set -eu
folder=$1
shift
for file in "$@"; do
    id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
    [ -n "$id" ] || { echo "debug-symbols.sh: there is no build id; $file; link it with --build-id" >&2; exit 1; }
    rest=${id#??}
    target=$folder/.build-id/${id%"$rest"}/$rest.debug
    install -d "${target%/*}"
    "${OBJCOPY:-objcopy}" --only-keep-debug --compress-debug-sections "$file" "$target"
    chmod 644 "$target"
done
