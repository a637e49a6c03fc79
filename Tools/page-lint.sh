#!/bin/sh
# The modules of the page: each has 400 lines at most, and every name in it is declared and used. TypeScript's compiler finds these;
# it is asked for its faults of names and imports alone, because the modules declare no types.
set -u
cd "$(dirname "$0")/../Sources/Control/Page" || exit 1
failed=0
for file in app.js scripts/*.js; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 400 ]; then
        echo "lint: Sources/Control/Page/$file has $lines lines; split it (400 at most)" >&2
        failed=1
    fi
done
# 1xxx: syntax; 2300, 2451: declared twice; 2304, 2552, 18004: not declared; 2305, 2307, 2459, 2614: nothing such to import;
# 2448: used before it is declared; 2588, 2632: constant; 6133, 6192: not used.
faults=$(tsc --allowJs --checkJs --noEmit --noUnusedLocals --target es2022 --module es2022 --lib es2022,dom,dom.iterable app.js |
    grep -E 'error TS(1[0-9]{3}|2300|2451|2304|2552|18004|2305|2307|2459|2614|2448|2588|2632|6133|6192):')
if [ -n "$faults" ]; then
    echo "$faults" | sed 's|^|lint: Sources/Control/Page/|' >&2
    failed=1
fi
# A module imports only those that do not import it, directly or by others.
for file in scripts/*.js; do
    sed -n "s|^import .* from '\./\(.*\)';|${file#scripts/} \1|p" "$file"
done | tsort >/dev/null || { echo "lint: modules of Sources/Control/Page/scripts import each other in a circle" >&2; failed=1; }
exit $failed
