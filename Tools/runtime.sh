#!/bin/sh
# Copies the Swift runtime into a folder, so that executables and plugins run where no toolchain is installed:
#   Tools/runtime.sh FOLDER EXECUTABLE…
# All of it but what belongs to tests and debuggers: plugins may need more than the executables.
set -eu
folder=$1
shift
runtime=$(ldd "$@" | awk '/libswiftCore\.so/ { print $3; exit }')
[ -n "$runtime" ] || { echo "runtime.sh: no Swift runtime among the libraries of $*" >&2; exit 1; }
source=$(dirname "$runtime")
install -d "$folder"
for library in "$source"/*.so; do
    case ${library##*/} in
    libXCTest.so | libTesting.so | lib_Testing*.so | libswiftRemoteMirror.so | lib_InternalSwiftStaticMirror.so) continue ;;
    esac
    # These find each other by $ORIGIN; one that names no folder finds the others through whoever loads it.
    install -m 644 "$library" "$folder/"
    strip --strip-unneeded "$folder/${library##*/}"
done
