#!/bin/sh
# Runs the tests, and repeats at the end what failed: thousands of lines stand between a failure and the end of the output.
# Usage: Tools/test.sh COMMAND…
set -u
fifo=$(mktemp -u)
log=$(mktemp)
trap 'rm -f "$fifo" "$log"' EXIT
mkfifo "$fifo"
tee "$log" <"$fifo" &
"$@" >"$fifo" 2>&1
status=$?
wait
[ "$status" -eq 0 ] && exit 0
echo
echo "These failed:"
# Each failure, and the lines that explain it; the tests' own verdicts say nothing more.
awk '/^✘ .* recorded an issue/ || /error: / { left = 80 } /^(✔|◇|✘) / && !/recorded an issue/ { left = 0 }
    left > 0 { print substr($0, 1, 2000); left-- }' "$log"
grep -q "recorded an issue\|error: " "$log" || tail -n 40 "$log"
exit "$status"
