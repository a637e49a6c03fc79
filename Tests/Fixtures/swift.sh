#!/bin/sh
# Compiles what the tests of the Swift SDK need, a file for each processor at a time:
#   Tests/Fixtures/swift.sh OUTDIR BUILD NAME.MODE…
#   clients       those that are named, each in its language mode, to SIL: OUTDIR/NAME.MODE.log and .status
#   applications  each as a library, OUTDIR/libNAME.so; OldStyle in mode 5, unoptimized and optimized (libOldStyleFast.so);
#                 with the clients whose first line says that they run in it
#   application-harness
# BUILD is the folder that SwiftPM built into. A client that does not compile is no failure here: the tests look at it.
# TASKHOST_SANITIZER: what BUILD was sanitized with (thread, address), if anything. TASKHOST_MUTEX: an object that stands before
# the runtime's functions in the harness.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
build=$2
shift 2
flags=$here/../../Tools/swift-flags.sh
mkdir -p "$out"
sanitizer=${TASKHOST_SANITIZER:-}
compile="swiftc -parse-as-library ${sanitizer:+-sanitize=$sanitizer} $("$flags" --build "$build" compile)"
link=$("$flags" --build "$build" link)
export here out compile link
{
    for client in "$@"; do echo "client $here/Clients/${client%.*}.swift ${client##*.} -Onone"; done
    for application in "$here"/Applications/*.swift; do
        case $application in
        */OldStyle.swift)
            echo "OldStyle $application 5 -Onone"
            echo "OldStyleFast $application 5 -O"
            ;;
        *) echo "$(basename "$application" .swift) $application 6 -Onone" ;;
        esac
    done
} | xargs -n 4 -P "$(nproc)" sh -c '
    if [ "$1" = client ]; then
        log=$out/$(basename "$2" .swift).$3
        status=0
        $compile -swift-version "$3" -emit-sil -o /dev/null "$2" >"$log.log" 2>&1 || status=$?
        echo $status >"$log.status"
    else
        clients=$(grep -l "^// Runs in $1\.$" "$here"/Clients/*.swift || true)
        $compile $link -swift-version "$3" "$4" -suppress-warnings -module-name "$1" "$2" $clients -o "$out/lib$1.so"
    fi' compile
harness="-std=c11 -O1 -Wall -Wextra -Werror -I $here/../../Sources/CTaskHost/include $here/application-harness.c"
if [ -z "$sanitizer" ]; then
    cc $harness -o "$out/application-harness" -ldl -pthread
else
    # Libraries find the sanitizer's runtime in the program that loads them; the toolchain's own compilers have it.
    clang -fsanitize="$sanitizer" -c $harness -o "$out/harness.o"
    clang -c "$here/thread-sanitizer-jobs.c" -o "$out/jobs.o"
    swiftc -sanitize="$sanitizer" -Xclang-linker -rdynamic "$out/harness.o" "$out/jobs.o" ${TASKHOST_MUTEX:-} -ldispatch \
        -lBlocksRuntime -o "$out/application-harness"
fi
