#!/bin/sh
# Runs the built tests and judges them: Tools/test.sh BUNDLE [OPTION…]; Tools/test_runs.py says what it does and takes.
exec python3 -B "$(dirname "$0")/test_runs.py" "$@"
