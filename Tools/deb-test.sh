#!/bin/sh
# Installs the packages in a new Debian system, runs their examples, upgrades them to another version, and purges them:
#   Tools/deb-test.sh FOLDER NEWER [SUITE]    FOLDER, NEWER: what Tools/deb.sh made, of two versions. As root.
set -eu
folder=$(cd "$1" && pwd)
newer=$(cd "$2" && pwd)
suite=${3:-bookworm}
[ "$(id -u)" -eq 0 ] || { echo "deb-test.sh: only root can make a system of its own" >&2; exit 1; }
"$(dirname "$0")/require.sh" mmdebstrap
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | head -n 1)
root=$(mktemp -d /var/tmp/taskhost-deb.XXXXXX)
mounts="proc sys dev"
finish() {
    for place in $mounts; do umount -R "$root/$place" 2>/dev/null || true; done
    rm -rf --one-file-system "$root"
}
trap finish EXIT
mmdebstrap --quiet --variant=apt "$suite" "$root" "$mirror"
chmod 755 "$root"
for place in $mounts; do mount --rbind "/$place" "$root/$place" && mount --make-rslave "$root/$place"; done
# As in a container: nothing is started.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir "$root/packages" "$root/newer"
cp "$folder"/*.deb "$root/packages/"
cp "$newer"/*.deb "$root/newer/"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -c "$1"; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo "installing"
inside 'apt-get update' >/dev/null
inside 'apt-get install -y --no-install-recommends /packages/taskhost_*.deb /packages/taskhost-examples_*.deb \
    /packages/libtaskhost-dev_*.deb /packages/taskhost-swift-dev_*.deb' >/dev/null
inside 'taskhost --version && test -d /etc/taskhost/manifests'
inside 'useradd --create-home somebody'
for user in root somebody; do
    echo "as $user:"
    inside "su - $user -c 'taskhost run --all --payload-text 123456789 --quiet'"
done
echo "upgrading"
inside 'apt-get install -y --no-install-recommends /newer/*.deb' >/dev/null
inside 'dpkg-query -W "taskhost*" "libtaskhost*" && taskhost history --limit 1 >/dev/null'
echo "purging"
inside 'apt-get purge -y "taskhost*" "libtaskhost*"' >/dev/null
left=$(inside 'find / -xdev \( -path /proc -o -path /sys -o -path /packages -o -path /newer -o -path /home \
    -o -path /root -o -path "/var/lib/dpkg" -o -path "/var/log" -o -path "/var/cache" \) -prune \
    -o -name "*taskhost*" -print')
[ -z "$left" ] || { echo "deb-test.sh: purging left this: $left" >&2; exit 1; }
echo "nothing is left"
