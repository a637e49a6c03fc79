#!/bin/sh
# Prints what swiftc needs to compile code against taskhost's Swift modules, on one line.
#
#   Tools/swift-flags.sh [debug|release] [compile|link]
#   Tools/swift-flags.sh --installed FOLDER [compile|link]      after `make install`: FOLDER is PREFIX/lib/taskhost/swift
#
#   swiftc -parse-as-library $(Tools/swift-flags.sh release) -typecheck App.swift
#   swiftc -parse-as-library $(Tools/swift-flags.sh release) $(Tools/swift-flags.sh release link) App.swift -o libApp.so
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
if [ "${1:-}" = --installed ]; then
    folder=$2
    modules=$folder
    archive=$folder/libTaskHostSDK.a
    maps="$folder/CTaskHost $folder/CApplication $folder/UIKitClang $folder/OSClang"
    shift 2
else
    configuration=release
    case ${1:-} in debug | release) configuration=$1 && shift ;; esac
    modules=$root/.build/$configuration/Modules
    archive=$root/.build/$configuration/libTaskHostSDK.a
    maps="$root/Sources/CTaskHost/include $root/Sources/SDK/CApplication/include"
    maps="$maps $root/Sources/SDK/UIKitClang $root/Sources/SDK/OSClang"
fi
case ${1:-compile} in
compile)
    flags="-I $modules"
    for map in $maps; do flags="$flags -I $map"; done
    # Files that import Foundation alone find there what Foundation has on iOS.
    echo "$flags -Xfrontend -import-module -Xfrontend TaskHostFoundation"
    ;;
link)
    # The exported symbol stands in an object that nothing refers to.
    echo "-emit-library -Xlinker --whole-archive -Xlinker $archive -Xlinker --no-whole-archive"
    ;;
*)
    echo "usage: swift-flags.sh [debug|release | --installed FOLDER] [compile|link]" >&2
    exit 64
    ;;
esac
