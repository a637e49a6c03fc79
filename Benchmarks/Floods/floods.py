#!/usr/bin/env python3
"""What a host does for others while a plugin floods it: `make bench-floods`.

A daemon serves hostile fixtures and one neighbour. While one of them floods, the API is asked without a pause by one client,
and the neighbour's trivial task is run again and again. The same is measured beside as many processes that only spin: what a
flood costs beyond that is the host's doing. As root the state lies on a small file system of its own, which is filled too, and
another user's programs connect to the page. For an ordinary user, whose host reads the trees of workers itself, four applications
with many processes each stand still beside it.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tools"))
from daemon_http import Connection  # noqa: E402

# A fixture, its isolation, and how many processes of it work at the same time.
FLOODS = [
    ("flood-words", "application", 4),
    ("flood-words", "run", 4),
    ("flood-words", "exec", 4),
    ("flood-children", "application", 3),
    ("flood-children", "run", 3),
    ("flood-output", "application", 1),
    ("forge-ready", "application", 1),
    ("forge-refused", "application", 1),
    ("flood-questions", "application", 1),
    ("flood-submissions", "application", 1),
    ("flood-misuse", "application", 1),
    ("fill-disk", "application", 1),
    ("fork-bomb", "application", 2),
]
# Applications that start so many processes, below the limit of 512 of each, and let them stand.
CROWDS, CROWD = 4, 480
CROWD_WAIT = 6  # seconds until all of them have been started
DISK = 400 << 20
NOBODY = 65534
NEIGHBOUR = "org.taskhost.fixtures.noop"
AIMS = "aims: API p99 <= 50 ms, neighbour <= 3 x beside spinning, memory <= + 16 MiB"


class Daemon:
    def __init__(self, arguments, folder):
        self.state = os.path.join(folder, "state")
        manifests = os.path.join(folder, "manifests")
        os.mkdir(manifests)
        for name, isolation, _ in FLOODS:
            self.install(arguments.fixtures, manifests, name, isolation)
        for number in range(CROWDS):
            self.install_crowd(arguments, manifests, number)
        shutil.copy(os.path.join(arguments.fixtures, "fixtures.noop.json"), manifests)
        shutil.copy(os.path.join(arguments.fixtures, "libnoop.so"), manifests)
        environment = dict(os.environ, TASKHOST_DEVICE_ROOT="/nonexistent")
        self.process = subprocess.Popen(
            [arguments.taskhost, "serve", "--state", self.state, "--manifests", manifests],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        for line in self.process.stdout:
            if "serving" in line:
                break
        self.socket = os.path.join(self.state, "control.sock")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.ended = {}
        self.news = threading.Condition()
        self.events = Connection(self.socket)
        self.events.request("GET", "/v1/events")
        self.stream = self.events.getresponse()
        threading.Thread(target=self.listen, daemon=True).start()

    @staticmethod
    def identifier(name, isolation):
        return f"org.taskhost.hostile.{name}" + ("" if isolation == "application" else "-" + isolation)

    def install(self, fixtures, manifests, name, isolation):
        with open(os.path.join(fixtures, f"hostile.{name}.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        plain, own = self.identifier(name, "application"), self.identifier(name, isolation)
        manifest["identifier"] = own
        manifest["tasks"] = {own: manifest["tasks"][plain]}
        if isolation != "application":
            manifest["isolation"] = isolation
        with open(os.path.join(manifests, own + ".json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        shutil.copy(os.path.join(fixtures, f"libhostile-{name}.so"), manifests)

    @staticmethod
    def crowd(number):
        return f"org.taskhost.hostile.crowd-{number}"

    def install_crowd(self, arguments, manifests, number):
        seconds = int(CROWD_WAIT + arguments.seconds + 2)
        script = f"for i in $(seq {CROWD}); do sleep {seconds + 1} & done; sleep {seconds}"
        own = self.crowd(number)
        manifest = {
            "identifier": own, "permissions": {"execute": ["/bin", "/usr/bin"]},
            "tasks": {own: {
                "kind": "processing", "requires": {"idle": False}, "budget": {"wallClock": f"{2 * seconds}s"},
                "handler": {"command": ["/bin/sh", "-c", script]}}}}
        with open(os.path.join(manifests, own + ".json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)

    def listen(self):
        event = ""
        for line in self.stream:
            if line.startswith(b"event: "):
                event = line[7:].strip().decode()
            elif line.startswith(b"data: ") and event == "run.ended":
                run = json.loads(line[6:])
                with self.news:
                    self.ended[run["run"]] = (time.monotonic(), run)
                    self.news.notify_all()

    def start(self, client, identifier):
        client.request("POST", "/v1/runs", json.dumps({"identifiers": [identifier]}), {"Content-Type": "application/json"})
        return json.loads(client.getresponse().read())["runs"][0]["run"]

    def wait(self, run, seconds=60):
        with self.news:
            self.news.wait_for(lambda: run in self.ended, seconds)
            return self.ended.get(run)

    def memory(self):
        """The most memory the host has had, in bytes; begins anew each time."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM:"))
        return peak

    def forget_peak(self):
        try:
            with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
        except OSError:
            pass

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def measure(daemon, seconds, keep_going, runs_neighbour=True):
    """Asks and runs for so long; the samples in milliseconds."""
    answers, runs, stop = [], [], time.monotonic() + seconds

    def ask():
        client = Connection(daemon.socket)
        while time.monotonic() < stop:
            begin = time.monotonic()
            client.request("GET", "/v1/host")
            client.getresponse().read()
            answers.append(1000 * (time.monotonic() - begin))
            time.sleep(0.002)

    def neighbour():
        client = Connection(daemon.socket)
        while time.monotonic() < stop:
            begin = time.monotonic()
            run = daemon.start(client, NEIGHBOUR)
            end = daemon.wait(run)
            if end is None or end[1]["outcome"] != "succeeded":
                raise SystemExit(f"the neighbour's run: {end}")
            runs.append(1000 * (end[0] - begin))
            time.sleep(0.005)

    threads = [threading.Thread(target=work) for work in ((ask, neighbour) if runs_neighbour else (ask,))]
    for thread in threads:
        thread.start()
    keep_going(stop)
    for thread in threads:
        thread.join()
    return answers, runs


def spinning(count):
    def keep_going(stop):
        processes = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(count)]
        time.sleep(max(0, stop - time.monotonic()))
        for process in processes:
            process.kill()
            process.wait()
    return keep_going


def filling(path):
    """Another program takes all room that the file system has, and gives it back, again and again."""
    block = bytes(1 << 20)

    def keep_going(stop):
        while time.monotonic() < stop:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                while time.monotonic() < stop:
                    os.write(file, block)
            except OSError:
                pass
            os.close(file)
            os.unlink(path)
    return keep_going


def asking(daemon, method, path, body=None, clients=4):
    """Clients that ask the same without a pause."""
    def ask(stop):
        client = Connection(daemon.socket)
        while time.monotonic() < stop:
            client.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            reply = client.getresponse()
            reply.read()
            if reply.status >= 500 and reply.status != 503:
                raise SystemExit(f"{method} {path}: {reply.status}")

    def keep_going(stop):
        threads = [threading.Thread(target=ask, args=(stop,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return keep_going


def unread(daemon, count):
    """Readers of events that never read."""
    def keep_going(stop):
        sockets = []
        for _ in range(count):
            reader = socket.socket(socket.AF_UNIX)
            reader.connect(daemon.socket)
            reader.sendall(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            sockets.append(reader)
        time.sleep(max(0, stop - time.monotonic()))
        for reader in sockets:
            reader.close()
    return keep_going


STRANGER = """
import socket, sys
while True:
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    try:
        connection.sendall(b"GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n")
        connection.recv(4096)
    except OSError:
        pass
    connection.close()
"""


class Page:
    """`taskhost ui`, asked by its own user while programs of another one connect."""

    def __init__(self, taskhost, state):
        self.process = subprocess.Popen(
            [taskhost, "ui", "--no-open", "--json", "--state", state], stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def measure(self, seconds, strangers):
        programs = [subprocess.Popen(["/usr/bin/python3", "-c", STRANGER, str(self.port)], user=NOBODY, group=NOBODY, extra_groups=[])
                    for _ in range(strangers)]
        answers, stop = [], time.monotonic() + seconds
        while time.monotonic() < stop:
            begin = time.monotonic()
            with socket.create_connection(("127.0.0.1", self.port)) as connection:
                connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
                if not connection.recv(64).startswith(b"HTTP/1.1 "):
                    raise SystemExit("the page does not answer its own user")
            answers.append(1000 * (time.monotonic() - begin))
            time.sleep(0.002)
        for program in programs:
            program.kill()
            program.wait()
        return answers

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


class Disk:
    """A small ext4 at a folder."""

    def __init__(self, folder):
        self.folder, self.image = folder, folder + ".img"
        with open(self.image, "wb") as file:
            file.truncate(DISK)
        subprocess.run(["mkfs.ext4", "-q", self.image], check=True)
        subprocess.run(["mount", "-o", "loop", self.image, folder], check=True)
        os.chmod(folder, 0o755)

    def remove(self):
        subprocess.run(["umount", "-l", self.folder], check=True)
        os.unlink(self.image)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--taskhost", required=True)
    parser.add_argument("--fixtures", required=True)
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="taskhost-floods-")
    os.chmod(folder, 0o755)
    disk = Disk(folder) if os.geteuid() == 0 else None
    daemon = Daemon(arguments, folder)
    client = Connection(daemon.socket)
    try:
        quiet = measure(daemon, 2, lambda stop: time.sleep(max(0, stop - time.monotonic())))
        beside = {count: measure(daemon, arguments.seconds, spinning(count))
                  for count in sorted({count for _, _, count in FLOODS})}
        print(f"{os.cpu_count()} processors; {AIMS}\n")
        heads = ["flood", "API p50", "p99", "worst", "neighbour p50", "spinning", "ratio", "memory", "outcomes"]
        print("{:38} {:>9} {:>9} {:>9} {:>13} {:>9} {:>6} {:>9}  {}".format(*heads))

        def row(name, samples, base, memory, outcomes):
            answers, runs = samples
            times = f"{percentile(answers, .5):6.2f} ms {percentile(answers, .99):6.2f} ms {max(answers):6.2f} ms"
            if runs:
                mine, theirs = percentile(runs, .5), percentile(base, .5)
                times += f" {mine:10.2f} ms {theirs:6.2f} ms {mine / theirs:5.2f}x"
            print(f"{name:38} {times:71} {memory:>9}  {outcomes}".rstrip(), flush=True)

        row("nothing", quiet, quiet[1], "", "")
        for count, samples in beside.items():
            row(f"{count} processes that spin", samples, samples[1], "", "")
        for name, isolation, count in FLOODS:
            outcomes = []
            task = daemon.identifier(name, isolation)

            def keep_going(stop):
                while time.monotonic() < stop:
                    end = daemon.wait(daemon.start(client, task), 90)
                    outcomes.append(end[1]["outcome"] if end else "none")

            daemon.forget_peak()
            before = daemon.memory()
            samples = measure(daemon, arguments.seconds, keep_going)
            grown = (daemon.memory() - before) / (1 << 20)
            words = ", ".join(f"{outcomes.count(word)} {word}" for word in sorted(set(outcomes)))
            row(f"{name} ({isolation})", samples, beside[count][1], f"+{grown:.1f} MiB", words)
        if os.geteuid() != 0:
            runs = [daemon.start(client, daemon.crowd(number)) for number in range(CROWDS)]
            time.sleep(CROWD_WAIT)

            def stand(stop):
                time.sleep(max(0, stop - time.monotonic()))

            daemon.forget_peak()
            before = daemon.memory()
            samples = measure(daemon, arguments.seconds, stand)
            grown = (daemon.memory() - before) / (1 << 20)
            ends = [daemon.wait(run, 90) for run in runs]
            outcomes = [end[1]["outcome"] if end else "none" for end in ends]
            words = ", ".join(f"{outcomes.count(word)} {word}" for word in sorted(set(outcomes)))
            row(f"{CROWDS} applications, {CROWD} processes each", samples, quiet[1], f"+{grown:.1f} MiB", words)
        body = json.dumps({"identifier": NEIGHBOUR, "payload": base64.b64encode(bytes(128 << 10)).decode()})
        for name, keep_going in [
            ("64 readers of events that never read", unread(daemon, 64)),
            ("4 clients that ask for doctor", asking(daemon, "GET", "/v1/doctor")),
            ("4 clients that ask for 1,000 runs", asking(daemon, "GET", "/v1/runs?limit=1000")),
            ("4 clients that submit 170 KB", asking(daemon, "POST", "/v1/requests", body)),
        ]:
            daemon.forget_peak()
            before = daemon.memory()
            samples = measure(daemon, arguments.seconds, keep_going)
            grown = (daemon.memory() - before) / (1 << 20)
            row(name, samples, quiet[1], f"+{grown:.1f} MiB", "")
        if os.geteuid() == 0:
            page = Page(arguments.taskhost, daemon.state)
            row("the page", (page.measure(arguments.seconds, 0), []), [], "", "")
            row("the page, 4 programs of another user", (page.measure(arguments.seconds, 4), []), [], "", "")
            page.stop()
        if disk:
            # Its runs wait while the disk is low; that is no delay of the host's.
            samples = measure(daemon, arguments.seconds, filling(os.path.join(folder, "filling")), runs_neighbour=False)
            row("another program fills the disk", samples, [], "", "")
    finally:
        status = daemon.stop()
        if disk:
            disk.remove()
        shutil.rmtree(folder)
    if status != 0:
        raise SystemExit(f"the host ended with status {status}")


main()
