# Sourced by .ci/run and .ci/full. `part NAME COMMAND…` runs a part of the checks and goes on whatever comes of it; `finish`
# tells how long each took, and ends with 1 if one failed.
summary=""
failures=0
began=$(date +%s)

part() {
    name=$1
    shift
    echo "== $name"
    start=$(date +%s)
    verdict=ok
    "$@" || { verdict="FAILED"; failures=$((failures + 1)); }
    summary="$summary$(printf '%5d s  %-6s  %s' $(($(date +%s) - start)) "$verdict" "$name")
"
}

finish() {
    echo "== What it took"
    printf '%s%5d s  in all\n' "$summary" $(($(date +%s) - began))
    [ "$failures" -eq 0 ]
}
