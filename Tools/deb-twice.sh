#!/bin/sh
# Builds the packages of PACKAGES again from nothing, in this same path, and compares: Tools/deb-twice.sh PACKAGES
set -eu
packages=$1
first=$(mktemp)
second=$(mktemp)
kept=.build-first
finish() {
    rm -f "$first" "$second"
    [ ! -d "$kept" ] || { rm -rf .build-second && mv .build .build-second && mv "$kept" .build; }
}
trap finish EXIT
(cd "$packages" && sha256sum ./*.deb) >"$first"
mv .build "$kept"
make -s deb >/dev/null
(cd "$packages" && sha256sum ./*.deb) >"$second"
diff "$first" "$second" || { echo "deb-twice.sh: two builds differ; see diffoscope of .build/deb and .build-second/deb" >&2; exit 1; }
rm -rf .build-second && rm -rf .build && mv "$kept" .build
echo "$(wc -l <"$first") packages, built twice: alike"
