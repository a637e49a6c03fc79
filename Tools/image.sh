#!/bin/sh
# Makes a container image of the packages, and tries it: Tools/image.sh PACKAGES FOLDER [SUITE]
#   PACKAGES: what Tools/deb.sh made; FOLDER: gets taskhost.oci.tar (an OCI archive: podman load -i, skopeo copy oci-archive:…).
# No registry takes part: Debian's packages make the root file system. As root. With the same SOURCE_DATE_EPOCH (default: the
# time of the last commit) and the same state of Debian's archive two images are alike.
set -eu
packages=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
suite=${3:-bookworm}
root=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "image.sh: only root can make a system of its own" >&2; exit 1; }
"$root/Tools/require.sh" mmdebstrap buildah
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | head -n 1)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
package=$(echo "$packages"/taskhost_*.deb)
# The first of alternatives, without versions.
needs=$(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/|.*//; s/(.*)//; s/ //g' | paste -sd,)
work=$(mktemp -d /var/tmp/taskhost-image.XXXXXX)
tool() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
finish() {
    tool rm --all >/dev/null 2>&1 || true
    rm -rf --one-file-system "$work"
}
trap finish EXIT
echo "making a $suite system with: $needs"
mmdebstrap --quiet --variant=apt --include="$needs,ca-certificates,tzdata" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --customize-hook="copy-in '$package' /var/tmp" \
    --customize-hook='chroot "$1" sh -c "dpkg -i /var/tmp/taskhost_*.deb && rm /var/tmp/taskhost_*.deb"' \
    "$suite" "$work/system.tar" "$mirror"
container=$(tool from scratch)
tool add --quiet "$container" "$work/system.tar" / >/dev/null
tool config --entrypoint '["/usr/bin/taskhost"]' --volume /var/lib/taskhost --stop-signal SIGTERM \
    --cmd "serve --state /var/lib/taskhost --manifests /etc/taskhost/manifests --log-format json" \
    --label org.opencontainers.image.title=taskhost \
    --label org.opencontainers.image.version="$(dpkg-deb -f "$package" Version)" "$container"
rm -f "$folder/taskhost.oci.tar"
tool commit --quiet --disable-compression=false --timestamp "$SOURCE_DATE_EPOCH" "$container" "oci-archive:$folder/taskhost.oci.tar" >/dev/null

# The image as others get it: its command serves, a verb reaches the host, a program runs, and the stop signal ends it.
trial=$(tool from "oci-archive:$folder/taskhost.oci.tar")
tool copy --quiet "$trial" "$root/manifests/org.taskhost.examples.tidy.json" /etc/taskhost/manifests/ >/dev/null
# shellcheck disable=SC2016
tool run --isolation chroot "$trial" -- sh -c '
    set -eu
    mkfifo /tmp/log
    taskhost serve --state /var/lib/taskhost --manifests /etc/taskhost/manifests --log-format json 2>/tmp/log &
    host=$!
    grep -q -m 1 serving </tmp/log
    cat /tmp/log >/dev/null &
    taskhost run org.taskhost.examples.tidy --quiet
    kill -TERM "$host"
    wait "$host"'
echo "$folder/taskhost.oci.tar: $(du -h "$folder/taskhost.oci.tar" | cut -f 1)"
