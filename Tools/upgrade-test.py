#!/usr/bin/env python3
"""An upgrade under load: upgrade-test.py REVISION [--programs FOLDER] [--fixtures FOLDER].

A daemon of an older commit, built for debugging, serves requests and runs, and dies at each of its named points (TASKHOST_FAILPOINT).
The daemon of this tree then starts with the same state folder. Nothing may be lost: every request and every run that the old daemon
acknowledged is there and ends, no process of the old daemon lives, and doctor knows of no part of the record that was set aside.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from daemon_http import Connection  # noqa: E402
from older_tree import ROOT, Failure, make  # noqa: E402

FIXTURES = ["noop", "echo"]
SLEEPER = "org.taskhost.fixtures.sleeper"
# Each point is passed several times before the daemon dies there.
PASSAGES = [1, 3]
# An old daemon that does not pass the point is killed after so many seconds of load.
LOAD = 4
PATIENCE = 120


class Daemon:
    def __init__(self, programs, folder, point=None):
        environment = dict(os.environ, TASKHOST_DEVICE_ROOT="/nonexistent")
        if point:
            environment["TASKHOST_FAILPOINT"] = point
        self.log = open(folder / "daemon.log", "ab")
        self.process = subprocess.Popen(
            [programs / "taskhost", "serve", "--state", folder / "state", "--manifests", folder / "manifests"],
            stdout=self.log, stderr=self.log, env=environment)
        self.socket = folder / "state/control.sock"
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            try:
                self.ask("GET", "/v1/host")
                return
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end:
                    raise Failure("the daemon does not begin to serve; see daemon.log")
                time.sleep(0.02)

    def ask(self, method, path, document=None):
        connection = Connection(self.socket, timeout=30)
        try:
            body = None if document is None else json.dumps(document)
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read() or b"null")
        finally:
            connection.close()

    def lives(self):
        return self.process.poll() is None

    def end(self, number):
        if self.lives():
            self.process.send_signal(number)
        self.process.wait(PATIENCE)
        self.log.close()


def begin(daemon, *tasks):
    """The runs that the daemon acknowledged."""
    status, document = daemon.ask("POST", "/v1/runs", {"identifiers": tasks})
    return [run["run"] for run in document["runs"]] if status == 202 else []


def load(daemon):
    """Asks until the daemon dies; the runs that it acknowledged."""
    acknowledged = []
    end = time.monotonic() + LOAD
    count = 0
    while daemon.lives() and time.monotonic() < end:
        try:
            count += 1
            task = "org.taskhost.fixtures." + FIXTURES[count % 2]
            acknowledged += begin(daemon, task, SLEEPER) if count == 2 else begin(daemon, task)
            daemon.ask("POST", "/v1/requests", {"identifier": task})
        except (OSError, http.client.HTTPException, ValueError):
            continue
    return acknowledged


def processes(folder):
    """The processes that have the folder's state in their environment or as their place."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            words = pathlib.Path(f"/proc/{name}/cmdline").read_bytes()
            place = os.readlink(f"/proc/{name}/cwd")
        except OSError:
            continue
        if str(folder).encode() in words or place.startswith(str(folder)):
            found.append(int(name))
    return found


def wait(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"waited in vain: {what}")
        time.sleep(0.05)


def upgrade(old, new, fixtures, point):
    """Returns how many runs the old daemon acknowledged."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="taskhost-upgrade-"))
    folder.chmod(0o755)
    try:
        manifests = folder / "manifests"
        manifests.mkdir()
        for name in [*FIXTURES, "sleeper"]:
            shutil.copy(fixtures / f"fixtures.{name}.json", manifests)
            shutil.copy(fixtures / f"lib{name}.so", manifests)
        # Something to recover from, and a record that the old host made.
        first = Daemon(old, folder)
        runs = begin(first, "org.taskhost.fixtures.noop", SLEEPER)
        if not runs:
            raise Failure("the old daemon refuses a run")
        first.end(signal.SIGKILL)
        daemon = Daemon(old, folder, point)
        runs += load(daemon)
        daemon.end(signal.SIGKILL)
        daemon = Daemon(new, folder)
        if not daemon.lives():
            raise Failure("the new daemon does not start; see daemon.log")

        def outcome(run):
            status, document = daemon.ask("GET", f"/v1/runs/{run}")
            if status != 200:
                raise Failure(f"run {run} was acknowledged, and is lost: {status}")
            return document.get("outcome")

        for run in runs:
            wait(f"the end of {run}", lambda: outcome(run) is not None)
        _, document = daemon.ask("GET", "/v1/doctor")
        faults = [check for check in document["checks"] if check["check"] == "record" and check["status"] == "fault"]
        if faults:
            raise Failure(f"doctor: {faults}")
        daemon.end(signal.SIGTERM)
        if daemon.process.returncode != 0:
            raise Failure(f"the new daemon ended with status {daemon.process.returncode}")
        wait("the end of every process", lambda: not processes(folder))
        shutil.rmtree(folder)
        return len(runs)
    except Failure as failure:
        raise Failure(f"{point}: {failure}; {folder} is kept")


def points(tree):
    source = next(path for path in (tree / "Sources").rglob("Failpoint.swift"))
    found = re.findall(r'^    case (\w+)(?: = "([a-z.]+)")?$', source.read_text(encoding="utf-8"), re.MULTILINE)
    # Points of transfers have no load here.
    return [name for name in (raw or case for case, raw in found) if not name.startswith("transfer.")]


def main():
    parser = argparse.ArgumentParser(description="A daemon of an older commit dies at each named point; this tree's starts.")
    parser.add_argument("revision", help="the older commit, as git knows it")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/debug")
    parser.add_argument("--fixtures", type=pathlib.Path, default=ROOT / ".build/fuzz/fixtures")
    options = parser.parse_args()
    try:
        programs = ["taskhost", "taskhost-worker", "taskhost-transfer"]
        name, tree = make(options.revision, *[["swift", "build", "--product", program] for program in programs])
        for point in points(tree):
            for count in PASSAGES:
                runs = upgrade(tree / ".build/debug", options.programs, options.fixtures, f"{point}:{count}")
                print(f"{name} dies at {point}:{count}: {runs} acknowledged runs, all there and ended", flush=True)
    except Failure as failure:
        sys.exit(f"upgrade-test: {failure}")


main()
