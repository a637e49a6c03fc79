#!/bin/sh
# Whether Tools/test.sh judges as CONTRIBUTING.md says, shown with tests that fail on purpose (Tests/Fixtures/TestRuns).
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swift build --package-path Tests/Fixtures/TestRuns --scratch-path .build/test-runs --build-tests >"$work/build" 2>&1 || {
    cat "$work/build" >&2
    exit 1
}

# expect ROLE STATUS WORDS RESULTS [OPTION…]: a run in that role ends so and says so.
expect() {
    role=$1 wanted=$2 words=$3 results=$4
    shift 4
    rm -rf "$work/marks"
    mkdir -p "$work/marks"
    status=0
    ROLE=$role MARKS=$work/marks Tools/test.sh .build/test-runs/debug --results "$work/$results" "$@" >"$work/output" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q "$words" "$work/output"; then
        echo "check-test-runs: $role ended with status $status, or without \"$words\"; see below; correct Tools/test_runs.py" >&2
        cat "$work/output" >&2
        exit 1
    fi
    echo "$role: status $status, \"$words\""
}
expect well 0 "Tests: 1 passed, 0 failed" well
expect broken 1 "failed: RunTests.*always fails" broken
expect unlucky 0 "flaky: RunTests.*fails once" unlucky
grep -q "the words of the first failure" "$work/unlucky/flaky.txt"
expect unlucky 1 "flaky on two runs of this tree" unlucky
expect many 1 "4 are flaky, and 3 may be" many
expect crash 1 "crashed: SIGABRT" crash
expect hang 1 "said nothing and did nothing for" hang --patience 5
