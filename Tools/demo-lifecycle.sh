#!/usr/bin/env bash
# Takes the application of Plugins/Notes through its life: foreground, background, expiration, suspension, a run in pieces between
# sleeps, and a force-quit; prints what it was called for and the time line. Fails when an order or a time line differs.
#
# usage: demo-lifecycle.sh DIRECTORY, where taskhost and taskhost-worker are
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "$1")
application=org.taskhost.examples.notes
folder=$(mktemp -d)
host=
finish() {
    if [ -n "$host" ]; then kill "$host" 2>/dev/null || true; wait "$host" 2>/dev/null || true; fi
    # It ends with its host.
    if [ -n "${events:-}" ]; then wait "$events" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap finish EXIT

fail() { echo "demo-lifecycle: $1" >&2; sed 's/^/  host: /' "$folder/host" >&2; exit 1; }
say() { printf '\n== %s\n' "$1"; }
taskhost() { "$bin/taskhost" "$@" --state "$folder/state"; }

# A shrunken profile: what takes half a minute elsewhere takes seconds here.
mkdir -m 755 "$folder/manifests"
cat >"$folder/config.json" <<'CONFIG'
{ "suspendAfter": "500ms", "limits": { "backgroundTime": "2s", "callback": "300ms" } }
CONFIG
cc -shared -fPIC -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -I Sources/CTaskHost/include \
    -o "$folder/manifests/libNotes.so" Plugins/Notes/notes.c
cp Plugins/Notes/$application.json "$folder/manifests"
chmod 755 "$folder" "$folder/manifests/libNotes.so"

touch "$folder/host"
touch "$folder/events"
"$bin/taskhost" serve --state "$folder/state" --manifests "$folder/manifests" --config "$folder/config.json" \
    2>"$folder/host" & host=$!
within() { # within SECONDS COMMAND…: until it succeeds
    local end=$((SECONDS + $1)); shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "waited in vain for: $*"
        kill -0 "$host" 2>/dev/null || fail "the host has ended"
        sleep 0.05
    done
}
within 60 grep -q serving "$folder/host"
taskhost top --json >"$folder/events" 2>/dev/null & events=$!
within 60 grep -q . "$folder/events"
# From when a person opens it: what came before may have been before somebody listened.
states() {
    grep '"event":"application.state"' "$folder/events" | sed 's/.*"state":"\([a-zA-Z]*\)".*/\1/' | sed -n '/^active/,$p'
}
is() { taskhost list --json | grep -q "\"state\":\"$1\""; }
life() { cat "$folder/state/applications/$application/state/life" 2>/dev/null; }
exported() { # exported PAGES: so many at least
    local pages; pages=$(grep '"event":"run.progress"' "$folder/events" | tail -n 1 | sed 's/.*"completed":\([0-9]*\).*/\1/')
    [ "${pages:-0}" -ge "$1" ]
}
lived() { [ "$(life | tail -n 1)" = "$1" ]; }

say "It is new, so it is launched in the background once: it may want to submit something"
within 60 lived didEnterBackground; within 60 is suspended

say "A person opens it"
taskhost foreground $application; within 60 is active

say "It goes to the background, and begins background time for an upload that takes too long"
taskhost background $application; within 60 lived "upload expired"

say "It gave the upload up, and has nothing to do: it is suspended"
within 60 is suspended

say "A run needs it; the machine sleeps twice meanwhile"
taskhost run $application.export >"$folder/run" 2>&1 & run=$!
within 60 lived "export begins"
# Early in the 60 pages: however slow this script is beside them, work is left for the last piece. Some ten are written on the way
# to each sleep, so the second begins well after that: else no time would lie between the two.
for pages in 5 25; do
    within 60 exported $pages
    taskhost device set sleep=on >/dev/null; within 60 is suspended
    sleep 1
    taskhost device set sleep=off >/dev/null; within 60 is background
done
wait $run || { cat "$folder/run"; fail "the run did not succeed"; }
within 60 is suspended

say "A person quits it: what is suspended hears nothing of that"
taskhost quit $application; within 60 is notRunning

say "What it was called for"
life | tee "$folder/life"
say "Its states"
states | tee "$folder/states"
say "Its run: 3 s of work in pieces between sleeps"
taskhost show $application.export | grep -A 3 '^time line' | tee "$folder/line"
say "Its past"
taskhost history --application $application

expect() { # expect WHAT FILE: compares with the standard input
    diff -u --label "expected $1" --label "$1" - "$2" || fail "the $1 differs"
}
expect order "$folder/life" <<'LIFE'
launch
didEnterBackground
willEnterForeground
didBecomeActive
willResignActive
didEnterBackground
upload expired
export begins
export ends
LIFE
expect "order of states" "$folder/states" <<'STATES'
active
background
suspended
background
suspended
background
suspended
background
suspended
notRunning
STATES
# However long the pieces are: three of them, and two sleeps.
shape() { sed -n "$1s/\([# .z]\)\1*/\1/gp" "$folder/line"; }
[ "$(shape 2)" = ' run |#.#.#|' ] && [ "$(shape 3)" = ' machine | z z |' ] || fail "the time line differs"
say "As it should be"
