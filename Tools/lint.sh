#!/bin/sh
# What the formatter cannot see: floors and file lengths.
set -u
failed=0
# Files past 600 lines are refused.
for file in $(git ls-files 'Sources/*' 'Plugins/*' 'Tests/*' | grep -E '\.(swift|c|h|cpp)$'); do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 600 ]; then
        echo "lint: $file has $lines lines; split it (600 at most)" >&2
        failed=1
    fi
done
# Each C library has one importer among our modules; libcurl has two, which are linked into different programs.
sole() {
    others=$(grep -rlE "import $1\$" Sources --include='*.swift' | grep -vE "^Sources/($2)/" || true)
    if [ -n "$others" ]; then
        echo "lint: $1 is imported outside $2: $others" >&2
        failed=1
    fi
}
sole CSQLite Store
sole CFFI Worker
sole CSeccomp Confining
sole CSystemd Conditions
sole CMicroHTTPD Control
sole CCurl 'CLI|Transfer'
exit $failed
