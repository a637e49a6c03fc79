#!/bin/sh
# Tests of the page in Chromium, against the programs of a folder.
# Usage: Tools/test-page.sh BIN [quick|all] [A1 …]   quick, which is the default, leaves out the long ones
set -eu
bin=$1
shift
cd "$(dirname "$0")/.."
Tools/require.sh postgresql
. Tools/page-venv.sh
BIN=$bin exec "$venv/bin/python" -B Tests/Page/run.py "${@:-quick}"
