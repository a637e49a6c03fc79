#!/bin/sh
# Copies the Swift runtime into a folder, so that executables and plugins run where no toolchain is installed:
#   Tools/runtime.sh FOLDER EXECUTABLE…
# All of it but what belongs to tests and debuggers: plugins may need more than the executables. For another machine
# (TASKHOST_SYSROOT, as Tools/arm64/sysroot.sh makes it) just what the executables need, since no plugin is built against it.
set -eu
folder=$1
shift
place() {
    # These find each other by $ORIGIN; one that names no folder finds the others through whoever loads it.
    install -m 644 "$1" "$folder/"
    "${STRIP:-strip}" --strip-unneeded "$folder/${1##*/}"
}
install -d "$folder"
if [ -n "${TASKHOST_SYSROOT:-}" ]; then
    source=$TASKHOST_SYSROOT/root/usr/libexec/swift/lib/swift/linux
    while [ $# -gt 0 ]; do
        for name in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
            [ ! -e "$source/$name" ] || [ -e "$folder/$name" ] || { place "$source/$name" && set -- "$@" "$source/$name"; }
        done
        shift
    done
    exit 0
fi
runtime=$(ldd "$@" | awk '/libswiftCore\.so/ { print $3; exit }')
[ -n "$runtime" ] || { echo "runtime.sh: no Swift runtime among the libraries of $*" >&2; exit 1; }
source=$(dirname "$runtime")
for library in "$source"/*.so; do
    case ${library##*/} in
    libXCTest.so | libTesting.so | lib_Testing*.so | libswiftRemoteMirror.so | lib_InternalSwiftStaticMirror.so) continue ;;
    esac
    place "$library"
done
