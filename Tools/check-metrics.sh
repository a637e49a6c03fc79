#!/bin/sh
# The metrics of a host that has run something, and the alerts, in the eyes of others: promtool of Prometheus, and both parsers of
# Python's prometheus-client. Usage: Tools/check-metrics.sh BIN
set -eu
bin=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" curl:curl python3-prometheus-client:python3-prometheus-client
if ! command -v promtool >/dev/null; then "$root/Tools/require.sh" promtool:prometheus; fi
folder=$(mktemp -d)
chmod 755 "$folder"
: >"$folder/log"
"$bin/taskhost" serve --state "$folder/state" --manifests "$root/manifests" 2>"$folder/log" &
host=$!
trap 'kill "$host" 2>/dev/null || true; wait "$host" || true; rm -rf "$folder"' EXIT
tail -f -n +1 --pid="$host" "$folder/log" | grep -q -m 1 "taskhost: serving "
"$bin/taskhost" run --state "$folder/state" org.taskhost.examples.crc32 --payload-text 123456789 >/dev/null || true
ask() { curl -sSf --unix-socket "$folder/state/control.sock" "$@" http://localhost/metrics; }
ask >"$folder/text"
ask -H 'Accept: application/openmetrics-text' >"$folder/open"
promtool check metrics <"$folder/text"
promtool check rules "$root/Distribution/alerts.yml"
/usr/bin/python3 - "$folder" <<'PY'
import sys
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics
for name, parse in (("text", parser), ("open", openmetrics)):
    families = list(parse.text_string_to_metric_families(open(f"{sys.argv[1]}/{name}").read()))
    assert any(sample.name == "taskhost_runs_total" for family in families for sample in family.samples), name
    print(f"{name}: {len(families)} families, {sum(len(f.samples) for f in families)} samples")
PY
