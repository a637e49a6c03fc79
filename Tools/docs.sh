#!/bin/sh
# Makes the documents a site: Tools/docs.sh FOLDER. Guides and reference by MkDocs (Tools/site), the symbols of the Swift SDK
# and of the host's modules by docc, below sdk and modules. Warnings and dead links are errors.
set -eu
out=$1
here=$(dirname "$0")
"$here/require.sh" mkdocs pygmentize:python3-pygments
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The debug build has written what each module says of its symbols (Package.swift), and the program is asked for its help and API.
graphs=.build/symbolgraph
program=.build/debug/taskhost
[ -x "$program" ] || {
    echo "docs.sh: there is no program; $program; run make build-tests" >&2
    exit 1
}
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[ -x "$docc" ] || docc=docc

# symbols NAME TITLE MODULE…: the pages of these modules, as NAME of the site.
symbols() {
    name=$1
    title=$2
    shift 2
    mkdir -p "$work/$name/$name.docc"
    for module in "$@"; do
        find "$graphs" \( -name "$module.symbols.json" -o -name "$module@*.symbols.json" \) -exec cp {} "$work/$name/" \;
        [ -f "$work/$name/$module.symbols.json" ] || {
            echo "docs.sh: there is no symbol graph; module $module; touch a file of it, and run make build-tests" >&2
            exit 1
        }
    done
    [ "$name" != sdk ] || python3 "$here/site/public.py" "$work/$name"
    printf '# %s\n\nThe modules of %s.\n' "$title" "$title" >"$work/$name/$name.docc/taskhost.md"
    "$docc" convert "$work/$name/$name.docc" --fallback-display-name "$title" --fallback-bundle-identifier org.taskhost \
        --additional-symbol-graph-dir "$work/$name" --output-path "$work/site-$name" --transform-for-static-hosting >/dev/null
    python3 "$here/site/symbols.py" "$work/site-$name"
}
symbols modules taskhost TaskModel JSON Linux Wire Manifests Engine Scheduling Record Store Conditions Control Workers Setting Host Serving \
    Worker CLI &
modules=$!
symbols sdk "the Swift SDK" BackgroundTasks UIKit SwiftUI UserNotifications Combine os OSLog CryptoKit TaskHostExtensions TaskHostFoundation \
    TaskHostCoreLocation TaskHostNetwork TaskHostSecurity TaskHostWidgetKit TaskHostTesting &
sdk=$!
python3 "$here/site/stage.py" .build/site "$program"
rm -rf "$out"
mkdocs build --quiet --config-file "$here/site/mkdocs.yml" --site-dir "$(realpath -m "$out")"
wait "$modules"
wait "$sdk"
mv "$work/site-modules" "$out/modules"
mv "$work/site-sdk" "$out/sdk"
python3 "$here/site/links.py" "$out"
echo "documents in $out/index.html"
