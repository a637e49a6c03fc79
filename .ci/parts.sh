# Sourced by .ci/run and .ci/full. `part NAME COMMAND…` runs a part of the checks and goes on whatever comes of it; `beside NAME
# COMMAND…` begins one that goes on beside the next parts, and `join` waits for all of these and prints what they said. `finish` tells
# how long each took, and ends with 1 if one failed.
summary=""
failures=0
began=$(date +%s)
besides=""
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT

# note NAME STATUS SECONDS: a line of the summary.
note() {
    verdict=ok
    [ "$2" -eq 0 ] || { verdict="FAILED"; failures=$((failures + 1)); }
    summary="$summary$(printf '%5d s  %-6s  %s' "$3" "$verdict" "$1")
"
}

part() {
    name=$1
    shift
    echo "== $name"
    start=$(date +%s)
    status=0
    "$@" || status=$?
    note "$name" "$status" $(($(date +%s) - start))
}

beside() {
    number=$(($(echo "$besides" | wc -w) + 1))
    besides="$besides $number"
    echo "$1" >"$aside/$number.name"
    shift
    (
        start=$(date +%s)
        status=0
        "$@" >"$aside/$number.log" 2>&1 || status=$?
        echo "$status $(($(date +%s) - start))" >"$aside/$number.end"
    ) &
}

join() {
    wait
    for number in $besides; do
        name=$(cat "$aside/$number.name")
        echo "== $name (beside the others)"
        cat "$aside/$number.log"
        read -r status seconds <"$aside/$number.end"
        note "$name" "$status" "$seconds"
    done
    besides=""
}

finish() {
    join
    echo "== What it took"
    printf '%s%5d s  in all\n' "$summary" $(($(date +%s) - began))
    [ "$failures" -eq 0 ]
}
