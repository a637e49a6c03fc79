#!/bin/sh
# Runs every example of an installed tree in a new Debian system that has the packages it names and nothing else of ours:
#   Tools/chroot-test.sh TREE [SUITE]    TREE: what `make install DESTDIR=TREE PREFIX=/usr/local` made. As root.
# The system comes from where this machine's apt gets Debian from, and is removed at the end.
set -eu
tree=$(cd "$1" && pwd)
suite=${2:-bookworm}
prefix=usr/local
[ "$(id -u)" -eq 0 ] || { echo "chroot-test.sh: only root can make a system of its own" >&2; exit 1; }
"$(dirname "$0")/require.sh" mmdebstrap
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | head -n 1)
root=$(mktemp -d /var/tmp/taskhost-chroot.XXXXXX)
mounts="proc sys dev"
finish() {
    for place in $mounts; do umount -R "$root/$place" 2>/dev/null || true; done
    rm -rf --one-file-system "$root"
}
trap finish EXIT
echo "making a $suite system with: $(tr '\n' ' ' <"$tree/$prefix/lib/taskhost/packages")"
mmdebstrap --quiet --variant=minbase --include="$(paste -sd, "$tree/$prefix/lib/taskhost/packages")" \
    "$suite" "$root" "$mirror"
cp -a "$tree/." "$root/"
chmod 755 "$root"
for place in $mounts; do mount --rbind "/$place" "$root/$place" && mount --make-rslave "$root/$place"; done
# One user for each way to run: root, and one without rights over control groups.
chroot "$root" useradd --create-home somebody
for user in root somebody; do
    echo "as $user:"
    chroot "$root" su - "$user" -c "PATH=/$prefix/bin:\$PATH taskhost run --all --payload-text 123456789 --quiet"
done
