#!/bin/sh
# The calendars of imported crontabs and timers for a year, beside cron's rules and systemd's. Usage: Tools/check-calendars.sh BIN
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" python3-croniter:python3-croniter systemd-analyze:systemd tzdata:tzdata
exec "$root/Tools/check-calendars.py" "$(realpath "$1")/taskhost"
