"""Example applications: manifests whose handlers are small shell scripts."""

import json
import pathlib

SCRIPTS = {
    # Prints a line each 100 ms, with its time, until it is told to stop.
    "ticker": """
i=0
while [ $i -lt ${1:-100} ]; do
    i=$((i + 1))
    printf 'line %s at %s\\n' $i "$(date +%s%3N)"
    sleep 0.1
done
""",
    # Reports progress and says what it does.
    "steps": """
total=${1:-20} pause=${2:-0.5} word=${3:-file}
i=0
while [ $i -lt $total ]; do
    i=$((i + 1))
    printf 'PROGRESS=%s/%s %ss\\n' $i $total "$word" >&$TASKHOST_NOTIFY_FD
    printf '%s %s of %s\\n' "$word" $i $total
    sleep $pause
done
""",
    # Waits; after the warning it takes a second to end.
    "wait": "trap 'sleep 1; exit 0' TERM\necho waiting\nsleep ${1:-6} &\nwait\n",
    "done": "echo ${1:-done}\n",
    "warn": "echo done; echo careful >&2\n",
    "fail": "echo \"cannot reach ${1:-the server}\" >&2\nexit 1\n",
    "later": "echo 'DEFER=90m' >&$TASKHOST_NOTIFY_FD\nexit 75\n",
    "crash": "kill -SEGV $$\n",
    "spin": "while :; do :; done\n",
    # 5 MiB of log, as fast as it goes.
    "flood": "yes 'a line of a long log, the same again and again, with some length' | head -c ${1:-5242880}\n",
    # 200 lines of 2,000 characters, the last one without its end.
    "wide": "for i in $(seq 200); do [ $i = 1 ] || echo; printf '%s %02000d' $i 0; done\n",
    "markup": (
        "printf '%s\\n' '<img src=x onerror=alert(1)>' '<script>alert(2)</script>'\n"
        "printf 'name \\342\\200\\256gnp.exe\\n'\n"
        "printf 'PROGRESS=1/2 <img src=x onerror=alert(3)> \\342\\200\\256txt\\n' >&$TASKHOST_NOTIFY_FD\n"
        "sleep ${1:-3}\n"
    ),
}


def application(identifier, name, tasks, **more):
    permissions = {"execute": ["/usr/bin", "/bin"], **more.pop("permissions", {})}
    return {"identifier": identifier, "name": name, "enforcement": "bestEffort", "tasks": tasks,
            "permissions": permissions, **more}


def program(script, *arguments, kind="processing", **keys):
    """A task that runs one of the scripts. It does not wait for an idle machine unless the keys say so."""
    if kind == "processing":
        keys.setdefault("requires", {}).setdefault("idle", False)
    command = ["$MANIFEST/scripts/" + script, *map(str, arguments)]
    return {"kind": kind, "handler": {"command": command}, **keys}


def write(folder, applications, names=None):
    """Writes manifests and scripts below the folder; returns the folder of the manifests."""
    manifests = pathlib.Path(folder) / "manifests"
    scripts = manifests / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    for name, text in SCRIPTS.items():
        path = scripts / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
    for one in applications:
        (manifests / (one["identifier"] + ".json")).write_text(json.dumps(one, indent=2))
    return manifests


# What the tests use: quick, and without schedules that come while they run.
TESTS = [
    application("com.example.test", "Test programs", {
        "com.example.test.six": program(
            "wait", 30, budget={"wallClock": "6s", "grace": "2s", "cpuTime": "5s", "memory": "64MiB"}),
        "com.example.test.ticker": program("ticker", 90, budget={"wallClock": "60s"}),
        "com.example.test.flood": program("flood", budget={"wallClock": "60s"}),
        "com.example.test.wide": program("wide", budget={"wallClock": "60s"}),
        "com.example.test.steps": program("steps", 40, 0.25, budget={"wallClock": "60s"}),
        "com.example.test.done": program("done"),
        "com.example.test.fail": program("fail"),
        "com.example.test.wait": program("wait", 20, budget={"wallClock": "60s"}),
        "com.example.test.power": program("done", requires={"externalPower": True}),
        "com.example.test.nightly": program("done", schedule={"calendar": "30 2 * * *", "timeZone": "Europe/Berlin"}),
        "com.example.test.markup": program("markup", 3, budget={"wallClock": "20s"}),
    }),
]

# What the hosts of a fleet share.
FLEET = [
    application("com.example.fleet", "Shared work", {
        "com.example.fleet.long": program("wait", 120, budget={"wallClock": "5m"}),
        "com.example.fleet.short": program("done"),
    }),
]

# What the pictures show.
PICTURES = [
    application("com.example.feeds", "Feed reader", {
        "com.example.feeds.refresh": program(
            "steps", 14, 1.4, "feed", kind="appRefresh", schedule={"every": "15m", "jitter": "1m"},
            budget={"wallClock": "30s", "cpuTime": "10s", "memory": "64MiB"}, retry={"attempts": 3, "backoff": "30s"}),
        "com.example.feeds.images": program("done", "18 images", requires={"network": "unmetered", "idle": False},
                                            schedule={"every": "6h"}),
    }, permissions={"network": ["127.0.0.1:*"]}),
    application("com.example.photos", "Photo library", {
        "com.example.photos.thumbnails": program(
            "steps", 240, 0.5, "picture", budget={"wallClock": "5m", "cpuTime": "60s", "memory": "256MiB"},
            schedule={"calendar": "0 4 * * *", "timeZone": "Europe/Berlin", "jitter": "30m"}),
        "com.example.photos.faces": program("done", requires={"externalPower": True, "idle": True},
                                            schedule={"calendar": "30 1 * * *"}),
        "com.example.photos.upload": program("fail", "photos.example.com", schedule={"every": "4h"},
                                             retry={"attempts": 4, "backoff": "10m"}),
    }, permissions={"network": ["127.0.0.1:*"]}),
    application("com.example.backup", "Backup", {
        "com.example.backup.home": program(
            "steps", 60, 0.5, "folder", schedule={"calendar": "30 2 * * *", "timeZone": "Europe/Berlin", "jitter": "20m"},
            requires={"externalPower": True, "idle": False}, budget={"wallClock": "2h", "memory": "512MiB"},
            onFailure="com.example.backup.alert"),
        "com.example.backup.verify": program("done", "41,883 files verified", after="com.example.backup.home"),
        "com.example.backup.alert": program("done", "told the administrator"),
    }),
    application("com.example.mail", "Mail index", {
        "com.example.mail.index": program(
            "steps", 30, 0.9, "message", budget={"wallClock": "45s", "memory": "128MiB"}, schedule={"every": "1h"}),
        "com.example.mail.compact": program("crash", schedule={"calendar": "0 5 * * SUN"}),
        "com.example.mail.sync": program("later", kind="appRefresh", schedule={"every": "2h"}),
    }),
]

BROKEN = """{
  "identifier": "com.example.weather",
  "tasks": {
    "com.example.weather.refresh": {"kind": "appRefresh", "handler": {"command": ["/usr/bin/true"]}, "budget": {"walClock": "30s", "memory": 64}}
  }
}
"""
