#!/bin/sh
# Builds programs and plugins for aarch64 with the installed swift: Tools/arm64/build.sh SYSROOT-FOLDER BUILD-FOLDER PRODUCT…
# What needs Foundation is built on an aarch64 machine: Debian ships Foundation's modules for its own compiler alone.
set -eu
folder=$(cd "$1" && pwd)
build=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
# Libraries of the other machine; pkg-config knows no other.
PKG_CONFIG_LIBDIR=$folder/root/usr/lib/aarch64-linux-gnu/pkgconfig:$folder/root/usr/share/pkgconfig
PKG_CONFIG_PATH=$PKG_CONFIG_LIBDIR
PKG_CONFIG_SYSROOT_DIR=$folder/root
export PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
# What counts as unsafe differs between the releases of compiler and libraries: warnings stay warnings.
compile() {
    swift build --package-path "$root" --swift-sdks-path "$folder/sdk" --swift-sdk taskhost-aarch64 -c release \
        ${SWIFT_BUILD_FLAGS:-} -Xswiftc -no-warnings-as-errors "$@"
}
for product in "$@"; do
    case $product in
    # It has the runtime within it, whose modules lie elsewhere.
    taskhost-worker)
        compile --scratch-path "$build/worker" --static-swift-stdlib --product "$product"
        worker=$build/worker/release/$product
        ;;
    *) compile --scratch-path "$build" --product "$product" ;;
    esac
done
[ -z "${worker:-}" ] || { mkdir -p "$build/release" && cp "$worker" "$build/release/"; }
