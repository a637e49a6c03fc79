#!/bin/sh
# Fuzzes the parsers: Fuzz/run.sh [--together] SECONDS [TARGET…]. A target is a file of Fuzz/targets; without one all are run,
# as many at once as there are processors or, with --together, all.
# Builds into .build/fuzz. A finding is kept in .build/fuzz/findings and makes the exit status 1.
set -u
together=no
if [ "${1:-}" = --together ]; then
    together=yes
    shift
fi
if [ $# -lt 1 ] || ! [ "$1" -gt 0 ] 2>/dev/null; then
    echo "usage: Fuzz/run.sh [--together] SECONDS [TARGET…]" >&2
    exit 64
fi
seconds=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/.build/fuzz
[ $# -gt 0 ] || set -- $(cd "$root/Fuzz/targets" && ls | sed 's/\.swift$//')
# A crash must be the fuzzer's to report: a backtracer would hold its output open for minutes.
export SWIFT_BACKTRACE=enable=no

# Runs a target for its time.
fuzz() {
    target=$1
    # New inputs go to the first folder; the seeds of the tree stay as they are.
    mkdir -p "$build/corpus/$target"
    dictionary=$root/Fuzz/dictionaries/$target.dict
    [ -f "$dictionary" ] && words=-dict=$dictionary || words=
    # The leak checker does not follow the tagged pointers of Swift's indirect enums, of which the API's schemas are made.
    case $target in control*) leaks=0 ;; *) leaks=1 ;; esac
    echo "fuzz: running $target for $seconds s"
    if ! ASAN_OPTIONS=detect_leaks=$leaks "$build/$target" -max_total_time="$seconds" -max_len=16384 -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/findings/$target-" ${words:+"$words"} \
        "$build/corpus/$target" "$root/Fuzz/corpus/$target" >"$build/$target.log" 2>&1; then
        cat "$build/$target.log"
        echo "fuzz: $target has a finding; see $build/findings" >&2
        return 1
    fi
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log") inputs"
}

mkdir -p "$build/findings"
for target in "$@"; do
    if [ ! -f "$root/Fuzz/targets/$target.swift" ]; then
        echo "fuzz: there is no target $target in Fuzz/targets" >&2
        exit 64
    fi
done
failed=0
running=
# Waits for what runs; a finding is kept in mind.
settle() {
    for job in $running; do wait "$job" || failed=1; done
    running=
}
# As many compilers at a time as there are processors. What is newer than its sources stays.
MAKEFLAGS= make --no-print-directory -s -C "$root" -f Fuzz/build.mk -j "$(nproc)" "$@" || exit 70
[ $together = yes ] && most=$# || most=$(nproc)
for target in "$@"; do
    fuzz "$target" &
    running="$running $!"
    [ "$(echo "$running" | wc -w)" -lt "$most" ] || settle
done
settle
exit $failed
