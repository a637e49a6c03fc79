#!/bin/sh
# Makes what the aarch64 programs are built against and run in, once: Tools/arm64/sysroot.sh FOLDER [SUITE]
#   FOLDER/root        Debian's libraries and headers, and the Swift runtime, of SUITE (sid), which has a Swift of 6.2.3 or newer
#   FOLDER/interfaces  the Swift modules as text, which a newer compiler reads; Debian ships Foundation without
#   FOLDER/static      the same, with the runtime to link in
#   FOLDER/kernel      the suite's kernels, with pages of 4 KiB and of 16 KiB
#   FOLDER/packages    each package of the root with its version, one a line
# A minute or two, 1.1 GB of downloads, 4 GB of disk. Packages are unpacked, not configured: nothing of them is run.
set -eu
folder=$1
suite=${2:-sid}
here=$(cd "$(dirname "$0")" && pwd)
compiler=$(swiftc --version 2>/dev/null | head -n 1)
mark="$suite $compiler $(sha256sum "$here/sysroot.sh" | cut -c 1-16)"
[ "$(cat "$folder/mark" 2>/dev/null)" = "$mark" ] && exit 0

command -v apt-get >/dev/null 2>&1 ||
    { echo "sysroot.sh: apt-get is missing; the sysroot comes from Debian's packages; build on a Debian" >&2; exit 1; }
mirror=$("$here/../debian-mirror.sh")
keys=/usr/share/keyrings/debian-archive-keyring.gpg
rm -rf "$folder/root" "$folder/interfaces" "$folder/static" "$folder/kernel" "$folder/big" "$folder/mark"
mkdir -p "$folder/lists/partial" "$folder/debs/partial" "$folder/big" "$folder/root" "$folder/kernel"
folder=$(cd "$folder" && pwd)
echo "deb [signed-by=$keys] $mirror $suite main" >"$folder/sources.list"

# apt with an empty machine of the other architecture in this folder.
# A mirror may be a snapshot, whose dates have passed; its signature is checked all the same.
options="-o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Dir::State::status=/dev/null
    -o Dir::State::Lists=$folder/lists -o Dir::Etc::sourcelist=$folder/sources.list -o Dir::Etc::sourceparts=- -o APT::Architecture=arm64
    -o APT::Architectures=arm64 -o Dir::Cache=$folder -o Dir::Cache::Archives=$folder/debs -o APT::Install-Recommends=false
    -o APT::Sandbox::User=root -o Debug::NoLocking=1"
of_suite() {
    command=$1
    shift
    # shellcheck disable=SC2086
    "$command" $options "$@" >>"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2; exit 1; }
}
: >"$folder/log"
echo "aarch64: Debian's packages of $suite (1.1 GB)"
of_suite apt-get update
# shellcheck disable=SC2086
kernel=$(apt-cache $options depends linux-image-arm64 | sed -n 's/.*Depends: linux-image-\(.*-arm64\)$/\1/p' | head -n 1)
# shellcheck disable=SC2086
cxx=$(apt-cache $options depends g++ | sed -n 's/.*Depends: g++-\([0-9]*\)$/libstdc++-\1-dev/p' | head -n 1)
# Headers and libraries to build with; then a small system to run in.
of_suite apt-get -y --download-only install libc6-dev "$cxx" libffi-dev libsqlite3-dev libseccomp-dev libsystemd-dev \
    libmicrohttpd-dev libcurl4-openssl-dev libssl-dev libpq-dev \
    base-files base-passwd bash dash coreutils grep sed findutils gawk util-linux mount login passwd libc-bin hostname tar gzip \
    busybox-static tzdata iproute2 procps ca-certificates python3 dpkg diffutils perl-base debconf init-system-helpers
(cd "$folder/big" && of_suite apt-get download swiftlang libswiftlang "linux-binary-unsigned-$kernel" \
    "linux-modules-$kernel" "linux-binary-unsigned-$kernel-16k" "linux-modules-$kernel-16k")
for package in "$folder"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder/root" --keep-directory-symlink -f -
done
for package in "$folder"/debs/*.deb "$folder"/big/*.deb; do
    dpkg-deb --show --showformat '${Package} ${Version}\n' "$package"
done >"$folder/packages"
# Which package has a library, as dpkg -S would say.
for package in "$folder"/debs/*.deb; do
    name=$(dpkg-deb --field "$package" Package)
    dpkg-deb --fsys-tarfile "$package" | tar -t |
        sed -n "s|.*/\(lib[^/]*\.so[^/]*\)\$|\1 $name|p; s|.*/\(ld-linux[^/]*\)\$|\1 $name|p"
done | sort -u >"$folder/libraries"
for package in "$folder"/big/linux-*.deb; do dpkg-deb -x "$package" "$folder/kernel"; done
dpkg-deb -x "$folder"/big/libswiftlang_*.deb "$folder/root"
dpkg-deb --fsys-tarfile "$folder"/big/swiftlang_*.deb |
    tar -x -C "$folder/root" --wildcards './usr/lib/swift*' './usr/libexec/swift/lib/swift*' \
        './usr/libexec/swift/lib/clang/*/include*'
rm -rf "$folder/big"

# The modules of another compiler are of no use; their interfaces are.
modules=$folder/root/usr/libexec/swift/lib/swift
cp -a "$modules" "$folder/interfaces"
cp -a "${modules}_static" "$folder/static"
find "$folder/interfaces/linux" "$folder/static/linux" "$folder/root/usr" -name '*.swiftmodule' -type f -delete
rm -rf "$folder/interfaces/clang" "$folder/static/clang"
# Where the compiler looks for the start of a program that has the runtime within it.
ln -sfn ../libexec/swift/lib/swift_static "$folder/root/usr/lib/swift_static"
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
for clang in "$toolchain"/lib/clang/*; do ln -sfn "$clang" "$folder/interfaces/clang"; ln -sfn "$clang" "$folder/static/clang"; done

sdk=$folder/sdk/taskhost-aarch64.artifactbundle
mkdir -p "$sdk/debian"
cat >"$sdk/info.json" <<END
{"schemaVersion": "1.0", "artifacts": {"taskhost-aarch64": {
    "type": "swiftSDK", "version": "1", "variants": [{"path": "debian"}]}}}
END
cat >"$sdk/debian/swift-sdk.json" <<END
{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {
    "sdkRootPath": "$folder/root", "swiftResourcesPath": "$folder/interfaces",
    "swiftStaticResourcesPath": "$folder/static", "toolsetPaths": ["toolset.json"]}}}
END
cat >"$sdk/debian/toolset.json" <<END
{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}, "cCompiler": {"extraCLIOptions": ["-fPIC"]}}
END
echo "$mark" >"$folder/mark"
