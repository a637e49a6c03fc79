#!/usr/bin/env python3
"""A large installation: 10,000 manifests on one library and a record of a million runs, on a daemon that is asked all the while.

Usage: installation.py BINARIES [--manifests N] [--runs N]

One manifest is touched, a library is replaced, all tasks are listed, unknown names are submitted, and everything is read
again. After each step: the longest turn of the host's loop so far, and how long the control API took to answer meanwhile.
The state lies on a memory file system where there is one, so that the figures are the host's and not the disk's.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tools"))
from daemon_http import Client  # noqa: E402
from measured import LIBRARY, fill, manifest  # noqa: E402


class Probe(threading.Thread):
    """Asks for the host's document again and again, and keeps how long each answer took."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.client = Client(path)
        self.times = []
        self.goes = True

    def run(self):
        while self.goes:
            start = time.monotonic()
            self.client.ask("GET", "/v1/host")
            self.times.append(time.monotonic() - start)
            time.sleep(0.001)

    def take(self):
        times, self.times = sorted(self.times), []
        return times


def serve(binaries, folder, wait=True):
    log = open(os.path.join(folder, "log"), "w")
    daemon = subprocess.Popen(
        [os.path.join(binaries, "taskhost"), "serve", "--state", folder + "/state", "--manifests", folder + "/manifests",
         "--config", folder + "/config.json"], stdout=log, stderr=subprocess.STDOUT)
    start = time.monotonic()
    path = os.path.join(folder, "state/control.sock")
    while wait:
        try:
            status, _ = Client(path).ask("GET", "/v1/host")
            if status == 200:
                break
        except OSError:
            if daemon.poll() is not None:
                sys.exit(open(log.name).read())
            time.sleep(0.01)
    return daemon, path, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries")
    parser.add_argument("--manifests", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=1_000_000)
    options = parser.parse_args()
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="taskhost-installation-", dir=shared)
    os.chmod(folder, 0o755)
    daemon = None
    try:
        os.mkdir(folder + "/manifests", 0o755)
        with open(folder + "/config.json", "w") as file:
            json.dump({"retention": {"age": "3650d", "count": 10_000_000}}, file)
        for number in range(options.manifests):
            manifest(folder + "/manifests", number)
        daemon, path, _ = serve(options.binaries, folder)
        daemon.terminate()
        daemon.wait()
        fill(folder + "/state/taskhost.db", options.runs)
        daemon, path, start = serve(options.binaries, folder)
        print(f"{options.manifests} manifests, {options.runs} runs; answers {start * 1000:.0f} ms after its start")
        print(f"{'STEP':34} {'TOOK':>9} {'LONGEST TURN':>13} {'API P50':>9} {'P99':>9} {'MAX':>9}")
        measure(folder, path, options)
    finally:
        if daemon and daemon.poll() is None:
            daemon.terminate()
            daemon.wait()
        shutil.rmtree(folder)


def measure(folder, path, options):
    client = Client(path)
    probe = Probe(path)
    probe.start()
    manifests = folder + "/manifests"

    def step(name, body):
        probe.take()
        start = time.monotonic()
        body()
        took = time.monotonic() - start
        time.sleep(0.05)
        times = probe.take()
        longest = client.ask("GET", "/v1/host")[1]["longestTurn"]
        def at(share):
            return times[min(len(times) - 1, int(len(times) * share))] * 1000
        print(f"{name:34} {took * 1000:6.0f} ms {longest * 1000:10.2f} ms {at(.5):6.2f} ms {at(.99):6.2f} ms "
              f"{times[-1] * 1000:6.2f} ms", flush=True)

    def wait_for(identifier):
        while client.ask("GET", f"/v1/tasks/{identifier}/why")[0] != 200:
            time.sleep(0.01)

    def touch():
        wait_for(manifest(manifests, options.manifests // 2, task="touched") + ".touched")

    def add():
        wait_for(manifest(manifests, options.manifests + 1) + ".work")

    def replace_library():
        source = next(
            place for place in (f"/lib/x86_64-linux-gnu/{LIBRARY}", f"/lib/aarch64-linux-gnu/{LIBRARY}",
                                f"/usr/lib/{LIBRARY}", f"/usr/lib64/{LIBRARY}") if os.path.exists(place))
        with open(source, "rb") as file:
            content = file.read()
        # Twenty megabytes behind what the loader looks at.
        with open(manifests + "/libown.so", "wb") as file:
            file.write(content + bytes(20 << 20))
        os.chmod(manifests + "/libown.so", 0o755)
        wait_for(manifest(manifests, 7, library="libown.so", task="own") + ".own")

    def unknown():
        for number in range(200):
            status, _ = client.ask("POST", "/v1/requests", {"identifier": f"com.example.aplication{number:05}.wrok"})
            assert status == 404, status

    def last_runs():
        for number in range(200):
            client.ask("GET", f"/v1/runs?limit=10&identifier=com.example.application{number:05}.work")

    def delays():
        for number in range(200):
            client.ask("GET", f"/v1/tasks/com.example.application{number:05}.work/waits")

    def filters():
        # The last two find nothing in a record of a million runs.
        for query in ("", "&q=00077", "&outcome=succeeded", "&kind=processing", "&q=no-such-text", "&outcome=crashed"):
            assert client.ask("GET", "/v1/runs?limit=100" + query)[0] == 200, query

    def pages():
        after = ""
        while True:
            page = client.ask("GET", "/v1/tasks?limit=1000" + after)[1]["tasks"]
            if len(page) < 1000:
                return
            after = "&after=" + page[-1]["identifier"]

    step("nothing", lambda: time.sleep(1))
    step("touch a manifest", touch)
    step("add a manifest", add)
    step("a new library of 20 MB", replace_library)
    step("200 unknown names", unknown)
    step("last runs of 200 tasks", last_runs)
    step("list all tasks, page by page", pages)
    step("list all tasks at once", lambda: client.ask("GET", "/v1/tasks"))
    step("list all applications", lambda: client.ask("GET", "/v1/applications"))
    step("all manifests with their faults", lambda: client.ask("GET", "/v1/manifests"))
    step("delays of 200 tasks", delays)
    step("the history by its filters", filters)
    step("a week's forecast", lambda: client.ask("GET", "/v1/forecast?days=7"))
    step("read all manifests again", lambda: client.ask("POST", "/v1/reload"))
    probe.goes = False


main()
