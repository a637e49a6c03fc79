#!/bin/sh
# The traces of a host that has run something, in the eyes of others: the messages of OpenTelemetry's own protocol (PyPI's
# opentelemetry-proto), and the record. Usage: Tools/check-traces.sh BIN
set -eu
bin=$(realpath "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" python3:python3 pip3:python3-pip
folder=$(mktemp -d)
chmod 755 "$folder"
host=
receiver=
trap 'kill $host $receiver 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$folder/site" opentelemetry-proto
: >"$folder/received"
python3 -B "$root/Tests/Fixtures/Servers/receiver.py" 200 >"$folder/received" &
receiver=$!
port=$(tail -f -n +1 --pid="$receiver" "$folder/received" | sed -n 's/^ready //p;q')
: >"$folder/log"
OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:$port" OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=check \
    "$bin/taskhost" serve --state "$folder/state" --manifests "$root/manifests" 2>"$folder/log" &
host=$!
tail -f -n +1 --pid="$host" "$folder/log" | grep -q -m 1 "taskhost: serving "
for _ in 1 2 3; do
    "$bin/taskhost" run --state "$folder/state" org.taskhost.examples.crc32 --payload-text 123456789 >/dev/null || true
done
# The end sends what waits.
kill "$host"
wait "$host" || true
host=
# All runs have ended.
"$bin/taskhost" history --state "$folder/state" --json >"$folder/history"
PYTHONPATH="$folder/site" python3 -B - "$folder" <<'PY'
import base64, datetime, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

folder = sys.argv[1]

def identified(value):
    """OTLP writes ids in hexadecimal digits, where the JSON of protobuf has base 64."""
    if isinstance(value, list):
        return [identified(part) for part in value]
    if isinstance(value, dict):
        ids = ("traceId", "spanId", "parentSpanId")
        return {key: base64.b64encode(bytes.fromhex(part)).decode() if key in ids else identified(part) for key, part in value.items()}
    return value

spans = []
for line in open(f"{folder}/received"):
    if not line.startswith("{"):
        continue
    request = json.loads(line)
    assert (request["path"], request["type"]) == ("/v1/traces", "application/json"), request["path"]
    batch = json_format.ParseDict(identified(request["body"]), ExportTraceServiceRequest())
    for resource in batch.resource_spans:
        names = {attribute.key: attribute.value.string_value for attribute in resource.resource.attributes}
        assert names["service.name"] == "taskhost" and names["deployment.environment.name"] == "check", names
        for scope in resource.scope_spans:
            spans += scope.spans
roots = [span for span in spans if span.kind == Span.SPAN_KIND_CONSUMER]
runs = json.load(open(f"{folder}/history"))["runs"]
assert len(runs) == len(roots) >= 3, (len(runs), len(roots))

def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

for run in runs:
    root = next(s for s in roots if any(a.key == "faas.invocation_id" and a.value.string_value == run["run"] for a in s.attributes))
    parts = {s.name: s for s in spans if s.trace_id == root.trace_id and s.parent_span_id == root.span_id}
    assert len(root.trace_id) == 16 and len(root.span_id) == 8
    assert root.status.code == (Status.STATUS_CODE_OK if run["outcome"] == "succeeded" else Status.STATUS_CODE_ERROR)
    # A worker that was there already is not launched.
    for name, start, end in (("launch", None, run["startedAt"]), ("run", run["startedAt"], run["endedAt"])):
        span = parts.get(name)
        if span is None and name == "launch":
            continue
        assert span is not None, (name, run)
        assert start is None or abs(span.start_time_unix_nano / 1e9 - moment(start)) < 0.002, (name, run)
        assert abs(span.end_time_unix_nano / 1e9 - moment(end)) < 0.002, (name, run)
print(f"traces: {len(spans)} spans of {len(roots)} runs")
PY
