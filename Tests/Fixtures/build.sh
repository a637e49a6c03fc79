#!/bin/sh
# Builds every fixture into OUTDIR, one library each, and puts the manifests beside them:
#   Tests/Fixtures/build.sh OUTDIR
# CC and CXX choose the compilers. OUTDIR is then a manifest folder that `taskhost --manifests OUTDIR` reads.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh OUTDIR}
mkdir -p "$out"
include=$here/../../Sources/CTaskHost/include
export out include
export CC="${CC:-cc}" CXX="${CXX:-c++}"
export flags="-O1 -Wall -Wextra -Werror -D_GNU_SOURCE -fPIC -shared -pthread -fvisibility=hidden -Wno-infinite-recursion"

# A name, a tab and a source file on each line; two compilers at a time.
for source in "$here"/Hostile/*.c "$here"/Hostile/*.cpp; do
    name=${source##*/}
    printf '%s %s\n' "libhostile-${name%.*}.so" "$source"
done >"$out/.sources"
for source in "$here"/Good/*.c; do
    name=${source##*/}
    printf '%s %s\n' "lib${name%.*}.so" "$source"
done >>"$out/.sources"
xargs -n 2 -P 2 sh -c '
    case "$2" in
        *.cpp) exec $CXX -std=c++11 $flags -I "$include" -o "$out/$1" "$2" ;;
        *) exec $CC -std=c11 $flags -I "$include" -o "$out/$1" "$2" -ldl ;;
    esac' build <"$out/.sources"
rm "$out/.sources"
$CC -std=c11 -O1 -Wall -Wextra -Werror -I "$include" -o "$out/harness" "$here/harness.c" -ldl -pthread
case $($CC -dumpmachine) in
aarch64*) frozen=AbiFrozen/aarch64 ;;
*) frozen=AbiFrozen ;;
esac
cp "$here"/manifests/*.json "$here/$frozen/libFrozenV1.so" "$out/"
