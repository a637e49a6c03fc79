#!/bin/sh
# Turns the documentation comments of our modules into web pages: Tools/docs.sh FOLDER. Warnings are errors.
set -eu
out=$1
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
swift package dump-symbol-graph --minimum-access-level package >/dev/null
for module in TaskModel JSON Linux Wire Manifests Engine Store Workers Host; do
    find .build -path '*symbolgraph*' -name "$module*.symbols.json" -exec cp {} "$graphs/" \;
done
mkdir -p "$graphs/taskhost.docc"
printf '# taskhost\n\nThe modules of taskhost.\n' >"$graphs/taskhost.docc/taskhost.md"
rm -rf "$out"
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[ -x "$docc" ] || docc=docc
"$docc" convert "$graphs/taskhost.docc" --fallback-display-name taskhost --fallback-bundle-identifier org.taskhost \
    --additional-symbol-graph-dir "$graphs" --output-path "$out" --transform-for-static-hosting >/dev/null
echo "documentation in $out"
