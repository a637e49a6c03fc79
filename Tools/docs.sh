#!/bin/sh
# Turns the documentation comments of our modules into web pages: Tools/docs.sh FOLDER. Warnings are errors.
set -eu
out=$1
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
rm -rf .build/*/symbolgraph
# It ends with an error for test modules that have not been built; that ours are there is seen below.
swift package dump-symbol-graph --minimum-access-level package >"$graphs/log" 2>&1 || true
for module in TaskModel JSON Linux Wire Manifests Engine Scheduling Record Store Conditions Control Workers Host Worker CLI; do
    find .build -path '*symbolgraph*' -name "$module*.symbols.json" -exec cp {} "$graphs/" \;
    [ -f "$graphs/$module.symbols.json" ] || {
        cat "$graphs/log" >&2
        echo "docs.sh: there is no symbol graph; module $module; correct what stands above" >&2
        exit 1
    }
done
mkdir -p "$graphs/taskhost.docc"
printf '# taskhost\n\nThe modules of taskhost.\n' >"$graphs/taskhost.docc/taskhost.md"
rm -rf "$out"
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[ -x "$docc" ] || docc=docc
"$docc" convert "$graphs/taskhost.docc" --fallback-display-name taskhost --fallback-bundle-identifier org.taskhost \
    --additional-symbol-graph-dir "$graphs" --output-path "$out" --transform-for-static-hosting >/dev/null
[ -f "$out/index.html" ]
echo "documentation in $out/index.html"
