#!/usr/bin/env python3
"""What an event costs as a host gets more of one thing: applications, pending requests, history, runs in flight, readers, transfers.

An event is a request over the control socket that a warm worker runs, the next one as soon as it is answered, and its cost the processor
time of the host, all its threads. Of runs in flight it is one of `taskhost run --repeat`, and of pending requests an event of the scheduler with the
commit of what it decided. Each curve is measured in rounds, up and down, so that a neighbour touches few of its points twice; a point
is the median. Prints the points, draws an SVG of each, and fails where the last point is more than so many times the least.
"""
import argparse
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "Tools")]
from daemon_http import Client  # noqa: E402
from measured import fill, manifest, new_folder, processor_clock, session  # noqa: E402
from picture import number, save  # noqa: E402

# In turn, so that no request takes the place of one that has not started yet.
TASKS = [f"org.taskhost.bench.steady.{number}" for number in range(1, 65)]
EVENTS = 1_000
# The first starts the worker, some more warm it, and the last ones count.
TURNS = (1, EVENTS // 10, EVENTS)
READY = 120.0


class Daemon:
    """A host on a new state folder, which is filled before it starts."""

    def __init__(self, bench, folder, applications=0, runs=0):
        self.folder = folder
        manifests = os.path.join(folder, "manifests")
        shutil.copytree(bench.plugins, manifests)
        for index in range(applications):
            manifest(manifests, index)
        configuration = os.path.join(folder, "config.json")
        with open(configuration, "w", encoding="utf-8") as file:
            json.dump({"retention": {"age": "3650d", "count": 10_000_000, "size": "64GiB"}}, file)
        self.command = [f"{bench.binaries}/taskhost", "serve", "--state", f"{folder}/state", "--manifests", manifests,
                        "--config", configuration]
        self.start()
        if runs:
            self.stop()
            fill(f"{folder}/state/taskhost.db", runs)
            self.start()
        # The measurement itself is work for the processors, which holds requests back.
        self.ask("PATCH", "/v1/device", {"cpu": "nominal", "memory": "nominal"})

    def start(self):
        with open(f"{self.folder}/log", "wb") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        path, end = f"{self.folder}/state/control.sock", time.monotonic() + READY
        while True:
            try:
                self.client = Client(path, timeout=READY)
                self.ask("GET", "/v1/host")
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as log:
                        sys.exit(f"the host does not answer; {log.read()[-600:]}")
                time.sleep(0.02)

    def ask(self, method, path, body=None):
        status, document = self.client.ask(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {document}")
        return document

    def reader(self):
        """One that follows the events; `cost` reads what it gets."""
        client = socket.socket(socket.AF_UNIX)
        client.connect(f"{self.folder}/state/control.sock")
        client.sendall(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.recv(65536)
        client.setblocking(False)
        return client

    def cost(self, readers=()):
        """Microseconds of the host's processor time for each of EVENTS."""
        for count in TURNS:
            before = time.clock_gettime(processor_clock(self.process.pid))
            for index in range(count):
                self.ask("POST", "/v1/requests", {"identifier": TASKS[index % len(TASKS)]})
                for reader in readers:
                    try:
                        reader.recv(1 << 20)
                    except BlockingIOError:
                        pass
            while self.ask("GET", "/v1/requests")["requests"] or self.ask("GET", "/v1/active")["runs"]:
                time.sleep(0.001)
            spent = time.clock_gettime(processor_clock(self.process.pid)) - before
        return spent / EVENTS * 1e6

    def stop(self):
        self.client.connection.close()
        self.process.terminate()
        self.process.wait()


class Bench:
    def __init__(self, options):
        self.options = options
        self.binaries, self.plugins = os.path.abspath(options.bin), os.path.abspath(options.plugins)
        self.scratch = os.path.abspath(options.scratch)

    def daemon(self, prepare=lambda daemon: (), **amounts):
        with new_folder(self.scratch) as folder:
            daemon = Daemon(self, folder, **amounts)
            try:
                cost = daemon.cost(prepare(daemon))
            finally:
                daemon.stop()
            # One that took the place of another would have cost less.
            record = sqlite3.connect(f"{folder}/state/taskhost.db")
            runs = record.execute("SELECT count(*) FROM runs WHERE seq > ?", [amounts.get("runs", 0)]).fetchone()[0]
            record.close()
        if runs != sum(TURNS):
            raise RuntimeError(f"{sum(TURNS)} requests were {runs} runs")
        return cost

    def applications(self, count):
        return self.daemon(applications=count)

    def history(self, count):
        return self.daemon(runs=count)

    def readers(self, count):
        return self.daemon(lambda daemon: [daemon.reader() for _ in range(count)])

    def transfers(self, count):
        def prepare(daemon):
            daemon.ask("PATCH", "/v1/device", {"network": "none"})
            for _ in range(count):
                daemon.ask("POST", "/v1/transfers", {"application": "org.taskhost.bench.first", "url": "http://192.0.2.1/file"})
            return ()
        return self.daemon(prepare)

    def pending(self, count):
        with new_folder(self.scratch) as folder:
            answer = subprocess.run([f"{self.binaries}/taskhost-bench-requests", "turns", "--requests", str(count), "--cycles", "1000",
                                     "--database", f"{folder}/record.db"], stdout=subprocess.PIPE, text=True, check=True)
            return json.loads(answer.stdout)["run"] * 1e6

    def session(self, runs, in_flight):
        """Seconds of the processor that a host took for so many."""
        with new_folder(self.scratch) as folder:
            status, own, _, words = session(
                [f"{self.binaries}/taskhost", "run", *TASKS[:2], "--manifests", self.plugins, "--state", f"{folder}/state", "--json",
                 "--repeat", str(runs // 2), "--concurrency", str(in_flight)])
        if status:
            raise RuntimeError(f"taskhost run ended with status {status}: {words[-500:]}")
        return own

    def flight(self, count):
        few, many = max(count, 500), max(count, 500) + 10_000
        return (self.session(many, count) - self.session(few, count)) / 10_000 * 1e6


CURVES = [
    # name, what there is more of, points, how many times the least of them the last may cost
    ("applications", "applications", [10, 100, 1_000, 10_000], 1.5),
    ("pending", "pending requests", [1_000, 10_000, 100_000, 1_000_000], 2.5),
    ("history", "runs in the record", [10_000, 100_000, 1_000_000], 1.5),
    ("flight", "runs in flight", [1, 4, 16, 64, 256, 1_024, 4_096], 2.0),
    ("readers", "readers of events", [0, 1, 4, 16, 64], 4.0),
    ("transfers", "transfers that wait", [1, 100, 1_000, 10_000, 20_000], 1.5),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plugins", required=True)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default=",".join(curve[0] for curve in CURVES))
    parser.add_argument("--whole", action="store_true", help="nearly ten million runs in the record as well")
    parser.add_argument("--pictures", help="a folder for the SVGs")
    parser.add_argument("--scratch", default=".build/scaling", help="a folder on the disk that is measured")
    options = parser.parse_args()
    wrong = set(options.only.split(",")) - {curve[0] for curve in CURVES}
    if wrong:
        sys.exit(f"there is no such curve; {', '.join(wrong)}; name some of {', '.join(curve[0] for curve in CURVES)}")
    bench, failed = Bench(options), []
    for name, title, counts, most in CURVES:
        if name not in options.only.split(","):
            continue
        if name == "history" and options.whole:
            # The record keeps ten million, and none is to be forgotten meanwhile.
            counts = [*counts, 9_990_000]
        found = {count: [] for count in counts}
        for turn in range(options.rounds):
            for count in counts if turn % 2 == 0 else counts[::-1]:
                found[count].append(getattr(bench, name)(count))
        points = [(count, statistics.median(costs)) for count, costs in found.items()]
        ratio = points[-1][1] / min(cost for _, cost in points)
        print(f"{title}: " + ", ".join(f"{number(count)}: {cost:.1f} µs" for count, cost in points)
              + f"; the last {ratio:.2f} × the least, at most {most}", flush=True)
        if options.pictures:
            os.makedirs(options.pictures, exist_ok=True)
            save(os.path.join(options.pictures, f"{name}.svg"), f"Cost of an event by {title}", "µs", points)
        if ratio > most:
            failed.append(name)
    if failed:
        sys.exit(f"these grow more than they may: {', '.join(failed)}")


if __name__ == "__main__":
    main()
