#!/bin/sh
# Follows the guide for CI in a new Debian 12 which has the packages of Swift's own images, this machine's toolchain and nothing of
# taskhost: Tools/swift-container.sh, as root. Half a minute for the system, another for the guide, which may take five.
set -eu
[ "$(id -u)" = 0 ] || { echo "swift-container.sh: needs root, for a root folder of its own; run it with sudo" >&2; exit 1; }
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" mmdebstrap:mmdebstrap
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
mirror=$("$root/Tools/debian-mirror.sh")
work=$(mktemp -d /var/tmp/taskhost-container.XXXXXX)
system=$work/system
finish() {
    umount -R "$system" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT
# What the Dockerfiles of swift.org install beside the toolchain, and Python for the script that follows pages.
mmdebstrap --quiet --variant=minbase --mode=root --aptopt='Acquire::Languages "none"' \
    --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --include=binutils-gold,git,gnupg2,libc6-dev,libcurl4-openssl-dev,libedit2,libgcc-12-dev,libncurses-dev,libpython3-dev \
    --include=libsqlite3-0,libstdc++-12-dev,libxml2-dev,libz3-dev,pkg-config,tzdata,zlib1g-dev,python3-minimal \
    bookworm "$system" "$mirror"
# A mount of its own, as a container's root is: the page is followed in a mount namespace.
mount --bind "$system" "$system"
mount --make-private "$system"
mkdir -p "$system/opt/swift" "$system/taskhost"
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
mount --bind -o ro "$toolchain" "$system/opt/swift"
mount --bind -o ro "$root" "$system/taskhost"
begin=$(date +%s)
chroot "$system" /usr/bin/env -i PATH=/opt/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    python3 -B /taskhost/Tools/quickstarts.py /taskhost/Documentation/QuickStarts/CI.md
took=$(($(date +%s) - begin))
echo "the guide for CI in a new system: $took s"
[ "$took" -le 300 ] || { echo "swift-container.sh: $took s; the guide is to be followed in 300" >&2; exit 1; }
