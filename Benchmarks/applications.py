#!/usr/bin/env python3
"""How long the control API is away while many small applications start, and whether a request is lost on the way.

A daemon with the usual soft limit of 1,024 descriptors introduces all applications, then has a request of each submitted
and run, while its zygote is killed once and while it has no descriptor left for some seconds. A prober asks for
GET /v1/host all the while. Prints a table, with the longest turn of the loop until the end of each part; fails when a
request is lost.
"""
import argparse
import http.client
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time


class Connection:
    """HTTP/1.1 on the control socket, one request after the other."""

    def __init__(self, path):
        self.path = path
        self.socket = None

    def ask(self, method, target, body=b""):
        for attempt in range(2):
            try:
                if self.socket is None:
                    self.socket = socket.socket(socket.AF_UNIX)
                    self.socket.settimeout(60)
                    self.socket.connect(self.path)
                head = f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n"
                if body:
                    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                self.socket.sendall(head.encode() + b"\r\n" + body)
                return self.reply()
            except OSError:
                self.socket = None
                if attempt:
                    raise

    def reply(self):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(int(l.split(b":")[1]) for l in head.split(b"\r\n") if l.lower().startswith(b"content-length"))
        while len(body) < length:
            body += self.more()
        return int(head.split()[1]), body

    def more(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise OSError("the host closed the connection")
        return part


class Prober(threading.Thread):
    """Asks, notes how long the answer took, and asks again two milliseconds later."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.connection = Connection(path)
        self.samples = []
        self.longest_turn = 0
        self.going = True

    def run(self):
        while self.going:
            begin = time.monotonic()
            _, body = self.connection.ask("GET", "/v1/host")
            self.samples.append(time.monotonic() - begin)
            self.longest_turn = json.loads(body)["longestTurn"]
            time.sleep(0.002)


class Events(threading.Thread):
    """What the host tells: applications that came to be, runs that ended."""

    def __init__(self, path):
        super().__init__(daemon=True)
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(path)
        connection.request("GET", "/v1/events")
        self.stream = connection.getresponse()
        self.launched, self.succeeded, self.outcomes = set(), set(), {}

    def run(self):
        name = b""
        for line in self.stream:
            if line.startswith(b"event: "):
                name = line[7:].strip()
            elif line.startswith(b"data: ") and name == b"application.state":
                event = json.loads(line[6:])
                if event["state"] != "notRunning":
                    self.launched.add(event["application"])
            elif line.startswith(b"data: ") and name == b"run.ended":
                event = json.loads(line[6:])
                self.outcomes[event["outcome"]] = self.outcomes.get(event["outcome"], 0) + 1
                if event["outcome"] == "succeeded":
                    self.succeeded.add(event["identifier"])


def percentile(samples, share):
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000 if ordered else 0


def wait(is_so, seconds):
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--taskhost", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--applications", type=int, default=1200)
    parser.add_argument("--soft", type=int, default=1024)
    parser.add_argument("--hard", type=int, default=0, help="0: as it is")
    parser.add_argument("--isolation", default="shared", choices=["shared", "run", "exec"])
    parser.add_argument("--seconds", type=int, default=300, help="patience with each part")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="taskhost-applications-", dir="/var/tmp")
    os.chmod(folder, 0o755)
    manifests = os.path.join(folder, "manifests")
    os.mkdir(manifests, 0o755)
    shutil.copy(options.library, os.path.join(manifests, "libBenchApplication.so"))
    os.chmod(os.path.join(manifests, "libBenchApplication.so"), 0o755)
    identifiers = []
    for number in range(options.applications):
        application = f"org.taskhost.bench.app{number}"
        identifiers.append(f"{application}.once")
        manifest = {
            "identifier": application, "library": "libBenchApplication.so",
            "backgroundModes": ["processing"],
            "tasks": {f"{application}.once": {
                "kind": "processing", "handler": "bench_once", "requires": {"idle": False},
                "budget": {"wallClock": "30s", "grace": "5s"}}},
        }
        if options.isolation != "shared":
            manifest["isolation"] = options.isolation
        path = os.path.join(manifests, f"{application}.json")
        with open(path, "w") as file:
            json.dump(manifest, file)
        os.chmod(path, 0o644)

    def limit():
        hard = options.hard or resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(options.soft, hard), hard))

    state = os.path.join(folder, "state")
    path = os.path.join(state, "control.sock")
    log = open(os.path.join(folder, "log"), "wb")
    host = subprocess.Popen(
        [options.taskhost, "serve", "--state", state, "--manifests", manifests], stdout=log, stderr=log,
        preexec_fn=limit)
    rows, timer = [], None
    try:
        if not wait(lambda: os.path.exists(path) or host.poll() is not None, options.seconds) or host.poll() is not None:
            sys.exit(f"the host does not serve; {folder}/log")
        prober, events = Prober(path), Events(path)
        events.start()
        prober.start()
        # Those that were launched before anybody listened: the stream is open by now, so none falls between.
        status, body = Connection(path).ask("GET", "/v1/applications")
        if status != 200:
            sys.exit(f"the host does not list its applications: {status} {body!r}")
        events.launched |= {a["identifier"] for a in json.loads(body)["applications"] if a["state"] != "notRunning"}

        def part(name, is_done):
            begin, first = time.monotonic(), len(prober.samples)
            done = wait(is_done, options.seconds)
            span, samples = time.monotonic() - begin, prober.samples[first:]
            rows.append((name, "yes" if done else "NO", span, len(samples), percentile(samples, 0.5),
                         percentile(samples, 0.99), max(samples, default=0) * 1000, prober.longest_turn * 1000))

        count = options.applications
        part(f"{count} applications are introduced", lambda: len(events.launched) == count)
        client = Connection(path)

        def submit(some):
            for identifier in some:
                status, body = client.ask("POST", "/v1/requests", json.dumps({"identifier": identifier}).encode())
                if status not in (200, 201, 202):
                    sys.exit(f"{identifier}: {status} {body!r}")

        third = count // 3
        submit(identifiers[:third])
        part(f"{third} requests run", lambda: len(events.succeeded) >= third)
        submit(identifiers[third:2 * third])
        for zygote in children(host.pid):
            os.kill(zygote, signal.SIGKILL)
        part(f"{third} requests run, the zygote is killed", lambda: len(events.succeeded) >= 2 * third)
        before = resource.prlimit(host.pid, resource.RLIMIT_NOFILE)
        submit(identifiers[2 * third:])
        few = len(os.listdir(f"/proc/{host.pid}/fd")) + 8
        resource.prlimit(host.pid, resource.RLIMIT_NOFILE, (few, before[1]))
        timer = threading.Timer(3, lambda: resource.prlimit(host.pid, resource.RLIMIT_NOFILE, before))
        timer.start()
        part(f"{count - 2 * third} requests run, no descriptors for 3 s", lambda: len(events.succeeded) == count)
        prober.going = False
        prober.join(60)
        lost = set(identifiers) - events.succeeded
        print(f"{'part':48} {'done':>5} {'seconds':>8} {'asked':>6} {'p50 ms':>7} {'p99 ms':>7} {'max ms':>8} "
              f"{'turn ms':>8}")
        for row in rows:
            print("{:48} {:>5} {:8.1f} {:6} {:7.2f} {:7.2f} {:8.2f} {:8.2f}".format(*row))
        with open(f"/proc/{host.pid}/limits") as file:
            print("".join(line for line in file if line.startswith("Max open files")).strip())
        print("runs:", ", ".join(f"{number} {outcome}" for outcome, number in sorted(events.outcomes.items())),
              f"· requests lost: {len(lost)}")
        return 1 if lost else 0
    finally:
        # After the host's end its number may be another's.
        if timer:
            timer.cancel()
            timer.join()
        host.terminate()
        try:
            host.wait(60)
        except subprocess.TimeoutExpired:
            host.kill()
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
