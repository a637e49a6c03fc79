#!/bin/sh
# Installs an executable or a library stripped, and with a search path of its own instead of the builder's:
#   Tools/place.sh MODE SEARCH-PATH FOLDER FILE…    SEARCH-PATH as in DT_RUNPATH, for example '$ORIGIN/../runtime'
set -eu
mode=$1
search=$2
folder=$3
shift 3
for file in "$@"; do
    target=$folder/${file##*/}
    install -m "$mode" "$file" "$target"
    # First: patchelf moves sections in a way that strip does not follow.
    "${STRIP:-strip}" --strip-unneeded "$target"
    patchelf --set-rpath "$search" "$target"
done
