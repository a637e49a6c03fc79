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

# libFuzzer needs its own main, which SwiftPM cannot link. So each target is one module made of the sources it tests, and imports between
# those sources go away. Checked builds (-Onone) find more than optimised ones.
prepare() {
    target=$1
    sources=$build/$target.sources
    rm -rf "$sources"
    mkdir -p "$sources"
    # The module's name goes before the file's: two modules may have files of one name.
    for module in $(modules "$target"); do
        find "$root/Sources/$module" -name '*.swift' | while read -r file; do
            # Two modules may have types of one name.
            case $module in
            Transfer/*) named='s/\bAnswer\b/ServerAnswer/g' ;;
            *) named= ;;
            esac
            sed -E -e '/^(package |internal |public )?import (TaskModel|JSON|Linux|Wire|Manifests|Scheduling|Engine|Record|Store)$/d' -e "$named" \
                "$file" >"$sources/$(echo "$module" | tr / -)-$(basename "$file")"
        done
    done
    cp "$root/Fuzz/targets/$target.swift" "$sources/fuzz-target.swift"
    # The kernel's door has a part in C.
    objects=
    case " $(modules "$target") " in
    *" Linux "*)
        cat >"$sources/module.modulemap" <<MAP
module CLinux { umbrella "$root/Sources/CLinux/include" export * }
MAP
        for file in "$root"/Sources/CLinux/*.c; do
            object=$sources/$(basename "$file" .c).o
            clang -g -O1 -D_GNU_SOURCE -fsanitize=address -I "$root/Sources/CLinux/include" -c "$file" -o "$object" || return 1
            objects="$objects $object"
        done
        ;;
    esac
    # lld comes with the toolchain; gold warns about every symbol of the sanitizer.
    swiftc -Onone -g -swift-version 6 -sanitize=fuzzer,address -parse-as-library -package-name taskhost \
        -enable-upcoming-feature ExistentialAny -I "$root/Sources/CCurl" -I "$root/Sources/CSQLite" \
        -I "$sources" -use-ld=lld -module-name Fuzz -o "$build/$target" "$sources"/*.swift $objects
}

# What a target is made of.
modules() {
    case $1 in
    wire*) echo TaskModel Wire ;;
    # What reads servers' answers, without their transport.
    answers)
        echo TaskModel Wire Transfer/Answer.swift Transfer/AnswerReader.swift Transfer/ContentRange.swift \
            Transfer/Conversation.swift Transfer/Download.swift Transfer/TransferFault.swift \
            Transfer/Protocol/ChallengeParser.swift Transfer/Protocol/Guide.swift Transfer/Protocol/Redirect.swift \
            Transfer/Protocol/TransferGuard.swift Transfer/Protocol/TransferURL.swift \
            Transfer/Protocol/UploadPlan.swift
        ;;
    # The host's state machine, and the frames that workers tell it of.
    sequences) echo TaskModel Wire Engine ;;
    rows) echo TaskModel Record Linux Store ;;
    zone) echo TaskModel Scheduling/Calendar ;;
    control-reply) echo Control/HTTP/ReplyReader.swift ;;
    # What needs neither sockets nor libraries.
    control*)
        echo TaskModel JSON Manifests Control/ControlRequest.swift Control/HTTP Control/Replies Control/Routing \
            Control/Documents
        ;;
    *) echo TaskModel JSON Manifests ;;
    esac
}

# Builds a target, unless the program that is there is newer than everything it is made of.
build() {
    target=$1
    if [ -x "$build/$target" ] &&
        [ -z "$(find "$root/Sources" "$root/Fuzz/targets/$target.swift" "$root/Fuzz/run.sh" -newer "$build/$target" | head -n 1)" ]; then
        return 0
    fi
    echo "fuzz: building $target"
    prepare "$target"
}

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
# Two compilers at a time.
for target in "$@"; do
    build "$target" &
    running="$running $!"
    [ "$(echo "$running" | wc -w)" -lt 2 ] || settle
done
settle
[ $failed -eq 0 ] || exit 70
[ $together = yes ] && most=$# || most=$(nproc)
for target in "$@"; do
    fuzz "$target" &
    running="$running $!"
    [ "$(echo "$running" | wc -w)" -lt "$most" ] || settle
done
settle
exit $failed
