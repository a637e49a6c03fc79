#!/bin/sh
# Prints the address of the mirror that apt has Debian from.
set -eu
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1)
[ -n "$mirror" ] || { echo "debian-mirror.sh: apt knows no mirror of Debian; add one to its sources and run apt-get update" >&2; exit 1; }
echo "$mirror"
