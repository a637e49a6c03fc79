#!/bin/sh
# Prints what swiftc needs to compile code against taskhost's Swift modules, on one line.
#
#   Tools/swift-flags.sh [debug|release] [compile|link|test|toolset]     of this checkout, after `swift build`
#   Tools/swift-flags.sh --build FOLDER [compile|link|test|toolset]      of a folder that SwiftPM built into
#   PREFIX/lib/taskhost/swift/flags.sh [compile|link|test|toolset]       after `make install`; it is this script
#   Tools/swift-flags.sh --installed FOLDER [compile|link|test|toolset] the same; FOLDER is PREFIX/lib/taskhost/swift
#
# compile: for each file. link: for a plugin. test: for a program of unit tests with TaskHostTesting.
# toolset: compile and test as a file of JSON for SwiftPM, whose packages then need no dependency and no flags.
#
#   swiftc -parse-as-library $(Tools/swift-flags.sh release) -typecheck App.swift
#   swiftc -parse-as-library $(Tools/swift-flags.sh release) $(Tools/swift-flags.sh release link) App.swift -o libApp.so
#   Tools/swift-flags.sh release toolset >taskhost.json && swift test --toolset taskhost.json
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = --installed ]; then
    folder=$2
    shift 2
fi
if [ -f "$folder/libTaskHostSDK.a" ]; then
    modules=$folder
    archive=$folder/libTaskHostSDK.a
    maps="$folder/CTaskHost $folder/CApplication $folder/CCryptoKit $folder/UIKitClang $folder/OSClang $folder/FrameworkNames"
    overlays=$folder/CrossImport
else
    root=$(dirname "$folder")
    build=$root/.build/release
    case ${1:-} in
    debug | release)
        build=$root/.build/$1
        shift
        ;;
    --build)
        build=$2
        shift 2
        ;;
    esac
    modules=$build/Modules
    archive=$build/libTaskHostSDK.a
    maps="$root/Sources/CTaskHost/include $root/Sources/SDK/CApplication/include"
    maps="$maps $root/Sources/SDK/CCryptoKit/include $root/Sources/SDK/UIKitClang $root/Sources/SDK/OSClang $root/Sources/SDK/FrameworkNames"
    overlays=$root/Sources/SDK/CrossImport
fi
# What the modules need of the Swift runtime; the linker does not find it in an archive.
runtime="-lswiftSynchronization -Xlinker --as-needed -lswiftObservation -Xlinker --no-as-needed"
parts="-Xlinker $(dirname "$archive")/libTaskHostSwiftUI.a -Xlinker $(dirname "$archive")/libTaskHostCryptoKit.a"
flags="-I $modules"
for map in $maps; do flags="$flags -I $map"; done
# Files that import Foundation alone find there what Foundation has on iOS, and UIKit, as where a bridging header or
# another file imports it.
flags="$flags -Xfrontend -import-module -Xfrontend TaskHostFoundation -Xfrontend -import-module -Xfrontend UIKit"
# Modules with names of their own (Package.swift).
for name in CoreFoundation CoreGraphics CoreLocation Network Security WidgetKit; do
    flags="$flags -module-alias $name=TaskHost$name"
done
# TaskHostFoundation declares some of Foundation's names anew. As an overlay of both modules it hides theirs also in files
# that import FoundationNetworking themselves, or say Foundation.URLSession. FoundationEssentials stands for Foundation,
# which re-exports it: the compiler takes no overlay by Swift alone.
flags="$flags -Xfrontend -enable-cross-import-overlays"
cross="-Xfrontend -swift-module-cross-import -Xfrontend"
flags="$flags $cross FoundationNetworking -Xfrontend $overlays/Foundation.swiftoverlay"
flags="$flags $cross Foundation -Xfrontend $overlays/FoundationEssentials.swiftoverlay"
# The kit first: it has the parts of the SDK that it needs.
kit="-Xlinker $(dirname "$archive")/libTaskHostTesting.a -Xlinker $archive $parts $runtime"
# WORD…: each in quotes, with commas between them.
list() {
    separator=
    for word in "$@"; do
        printf '%s"%s"' "$separator" "$word"
        separator=', '
    done
}
case ${1:-compile} in
compile) echo "$flags" ;;
link)
    # The exported symbol stands in an object that nothing refers to. Of the other archives a plugin gets what it uses.
    echo "-emit-library -Xlinker --whole-archive -Xlinker $archive -Xlinker --no-whole-archive $parts $runtime"
    ;;
test) echo "$kit" ;;
toolset)
    # Its options of the linker are the linker's own.
    printf '{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": [%s]}, "linker": {"extraCLIOptions": [%s]}}\n' \
        "$(list $flags)" "$(list $(echo "$kit" | sed 's/-Xlinker //g'))"
    ;;
*)
    echo "usage: swift-flags.sh [debug|release | --build FOLDER | --installed FOLDER] [compile|link|test|toolset]" >&2
    exit 64
    ;;
esac
