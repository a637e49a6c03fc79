#!/bin/sh
# Copies the Swift libraries that executables load into a folder, so that they run where no toolchain is installed:
#   Tools/runtime.sh FOLDER EXECUTABLE…   Foundation goes along for plugins that need it.
set -eu
folder=$1
shift
runtime=$(ldd "$@" | awk '/libswiftCore\.so/ { print $3; exit }')
[ -n "$runtime" ] || { echo "runtime.sh: no Swift runtime among the libraries of $*" >&2; exit 1; }
source=$(dirname "$runtime")
install -d "$folder"
for library in $(ldd "$@" | awk -v folder="$source/" 'index($3, folder) == 1 { print $3 }' | sort -u) \
    "$source"/libFoundation*.so "$source"/lib_FoundationICU.so "$source"/libdispatch.so "$source"/libBlocksRuntime.so \
    "$source"/libswiftSynchronization.so "$source"/libswift_RegexParser.so "$source"/libswift_StringProcessing.so; do
    [ -e "$library" ] && install -m 644 "$library" "$folder/"
done
