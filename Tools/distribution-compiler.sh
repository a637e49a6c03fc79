#!/bin/sh
# Builds the programs with the Swift compiler of Debian's sid, and runs the tests of pure logic under it; prints its version:
# Tools/distribution-compiler.sh FOLDER, as root. FOLDER/sid becomes a system with that compiler, once: 2 minutes and 3 GB. Then
# a quarter of an hour.
set -eu
[ "$(id -u)" = 0 ] || { echo "distribution-compiler.sh: needs root, for a root folder of its own; run it with sudo" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/require.sh" mmdebstrap:mmdebstrap
mkdir -p "$1"
system=$(cd "$1" && pwd)/sid
if [ ! -e "$system/made" ]; then
    mirror=$("$here/debian-mirror.sh")
    rm -rf "$system"
    # A mirror may be a snapshot, whose dates have passed; its signature is checked all the same.
    mmdebstrap --quiet --variant=minbase --mode=root --aptopt='Acquire::Languages "none"' \
        --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --include=swiftlang,libffi-dev,libsqlite3-dev,libseccomp-dev,libsystemd-dev,libmicrohttpd-dev,libcurl4-openssl-dev \
        --include=libssl-dev,libpq-dev,pkg-config,git,ca-certificates,g++ \
        sid "$system" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main"
    # Debian's swift-testing asks for a library that the package leaves out, and that nothing here uses.
    library=$(find "$system/usr" -name libTesting.so | head -n 1)
    [ -n "$library" ] || { echo "distribution-compiler.sh: Debian's swiftlang has no libTesting.so; look into $system" >&2; exit 1; }
    cc -shared -o "$(dirname "$library")/lib_Testing_Foundation.so" -x c /dev/null
    touch "$system/made"
fi
work=$system/srv/taskhost
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name '.build*' -exec rm -rf {} +
(cd "$here/.." && git ls-files -z | tar --null --verbatim-files-from -T - -c) | tar -x -C "$work"
mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT
inside() { chroot "$system" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
inside swiftc --version 2>&1 | head -n 1
# The releases differ about what is unsafe; and Debian's compiler checks itself, which a defect of 6.2 does not pass.
with_swift() {
    verb=$1
    shift
    inside env TASKHOST_TESTS="${tests:-}" swift "$verb" --package-path /srv/taskhost -Xswiftc -no-warnings-as-errors \
        -Xswiftc -Xfrontend -Xswiftc -sil-verify-none "$@"
}
for program in taskhost taskhost-worker taskhost-transfer; do
    with_swift build -c release --product $program
done
inside /srv/taskhost/.build/release/taskhost --version
# It allocates in a debug build where 6.3 does not.
tests=pure
with_swift test --scratch-path /srv/taskhost/.build-pure --skip AllocationTests
# A comparison of two types of integers: which one is meant depends on the compiler.
found=$(find "$work"/.build-pure/debug/*.build -name '*.o' -exec nm -A {} + |
    grep -E 'SzsE(2ee|2ne|1l|2le|1g|2ge)oiySbx_qd__tSzRd__lFZ' | head -n 20 || true)
[ -z "$found" ] || { printf '%s\n' "$found" "distribution-compiler.sh: integers of two types are compared; give them one" >&2; exit 1; }
