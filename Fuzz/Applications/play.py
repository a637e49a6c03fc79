#!/usr/bin/env python3
"""Hostile applications against a daemon with real processes: play.py --programs FOLDER --fixtures FOLDER [--seconds N] [--seed N].

Three applications create, suspend, resume and cancel transfers, forge frames and die; people and scripts ask, quit and cancel through
the API; a hand kills workers, transfer processes and, now and then, the daemon. A round draws half of the kinds of events by its seed,
so that rare mixes appear. After a round everything comes to rest: every transfer has to end. A finding is a daemon that ends by
itself, a file that was delivered with other bytes than the server has, a transfer that does not end, or a row that was set aside. It
prints the seed that shows it, keeps the state folder, and ends with status 1.
"""
import argparse
import base64
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import server

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tools"))
from daemon_http import Connection  # noqa: E402

NAME = "org.taskhost.fuzz."
APPLICATIONS = [NAME + letter for letter in "abc"]
DISK = 4 << 20
# Events of one kind each; a round has half of them.
LINES = ["create", "download", "upload", "suspend", "resume", "cancel", "cancel-resumable", "continue", "priority", "text", "expect",
         "frame", "forge", "invalidate", "silent", "crash", "die", "slow", "authorize", "answer"]
ACTS = ["quit", "foreground", "cancel", "pause", "add", "conditions", "kill-worker", "kill-transfer", "kill-zygote", "kill-daemon",
        "reload", "ask", "nonsense"]


class Finding(Exception):
    """A sentence for whoever reads it."""


def ancestors():
    """Each process's parent and name."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            found[int(name)] = (int(text.rpartition(")")[2].split()[1]), text.partition("(")[2].rpartition(")")[0])
    return found


class Daemon:
    def __init__(self, options, folder, port):
        self.options = options
        self.folder = folder
        self.state = os.path.join(folder, "state")
        self.manifests = os.path.join(folder, "manifests")
        os.mkdir(self.manifests)
        with open(os.path.join(options.fixtures, "fixtures.transfers.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        library = os.path.join(options.fixtures, manifest["library"])
        for name in APPLICATIONS:
            manifest.update(identifier=name, library=library, permissions={"network": [f"loopback:{port}"]}, tasks={
                name + ".work": {"kind": "processing", "budget": {"wallClock": "10s", "grace": "1s", "disk": "4MiB"}}})
            with open(os.path.join(self.manifests, name + ".json"), "w", encoding="utf-8") as file:
                json.dump(manifest, file)
        self.start()

    def start(self):
        environment = dict(os.environ, TASKHOST_DEVICE_ROOT="/nonexistent")
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(self.options.programs, "taskhost"), "serve", "--state", self.state, "--manifests", self.manifests],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment)
        path = os.path.join(self.state, "control.sock")
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                self.client = Connection(path)
                if self.ask("GET", "/v1/host"):
                    self.ask("PATCH", "/v1/device", {"power": "external"})
                    return
            except OSError:
                self.check()
                time.sleep(0.05)
        raise Finding("the daemon does not serve within two minutes")

    def check(self):
        status = self.process.poll()
        if status is not None:
            raise Finding(f"the daemon ended by itself with {status}")

    def ask(self, method, path, body=None):
        """The document of the answer; None: there is none."""
        text = json.dumps(body) if body is not None else None
        for again in (True, False):
            try:
                self.client.request(method, path, text, {"Content-Type": "application/json"} if text else {})
                reply = self.client.getresponse()
                data = reply.read()
                break
            except (http.client.HTTPException, ConnectionError, BrokenPipeError):
                self.client.close()
                self.check()
                if not again:
                    raise
        if reply.status >= 500 and reply.status != 503:
            raise Finding(f"{method} {path} answers {reply.status}: {data[:300]}")
        try:
            return json.loads(data)
        except ValueError:
            return None

    def processes(self, kind):
        """Below the daemon: workers, zygotes (whose children are workers), or transfer processes."""
        found = ancestors()
        own = self.process.pid
        children = [pid for pid, (parent, _) in found.items() if parent == own]
        if kind == "transfer":
            return [pid for pid in children if found[pid][1].startswith("taskhost-transf")]
        zygotes = [pid for pid in children if found[pid][1].startswith("taskhost-worker")]
        return zygotes if kind == "zygote" else [pid for pid, (parent, _) in found.items() if parent in zygotes]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.client.close()
        self.start()


class Round:
    def __init__(self, daemon, port, seed):
        self.daemon = daemon
        self.port = port
        self.random = random.Random(seed)
        self.lines = self.random.sample(LINES, len(LINES) // 2) + ["download"]
        self.acts = self.random.sample(ACTS, len(ACTS) // 2)
        self.manners = self.random.sample(server.MANNERS, len(server.MANNERS) // 2) + ["whole"]

    def url(self):
        size = self.random.choice([0, 1, 1000, 70_000, 300_000, 900_000, 3 << 20, 6 << 20])
        # A part of nothing is nothing.
        return f"http://127.0.0.1:{self.port}/file/{size + 2}/{self.random.randrange(1 << 30)}/{self.random.choice(self.manners)}"

    def line(self):
        pick = self.random.choice
        kind, session, number = pick(self.lines), pick(["s", "t"]), self.random.randrange(1, 12)
        if kind in ("create", "download", "continue"):
            return f"{kind} {session} {self.url()}"
        if kind == "upload":
            return f"upload {session} {self.url()} {pick(['/etc/hostname', '/nonexistent', '/', '/dev/zero'])}"
        if kind in ("resume", "suspend", "cancel", "cancel-resumable"):
            return f"{kind} {session} {number}"
        if kind == "priority":
            return f"priority {session} {number} {pick(['0.1', '1', '7', 'nan', '-inf'])}"
        if kind == "text":
            return f"text {session} {number} " + pick(["word", "\x1e\x1f", "\u0600" * 9, "x" * 4000])
        if kind == "expect":
            return f"expect {session} {number} {pick([0, -1, 2 ** 62])} {pick([0, 10, 2 ** 62])}"
        if kind == "frame":
            return "frame " + self.frame().hex()
        if kind == "forge":
            return "forge " + self.random.randbytes(self.random.randrange(200)).hex()
        if kind == "invalidate":
            return f"invalidate {session}"
        if kind == "crash":
            return f"crash {self.random.randrange(12)}"
        if kind == "slow":
            return f"slow {pick([0, 1, 300])}"
        if kind == "authorize":
            return f"authorize http://127.0.0.1:{self.port} Bearer"
        if kind == "answer":
            return f"answer {session} {number} {self.random.randrange(6)} user secret"
        return kind

    def frame(self):
        """One with a head that is right, mostly, and a body that is about something (Sources/Wire/FrameHeader.swift)."""
        body = self.random.randbytes(self.random.choice([0, 1, 7, 8, 30, 400]))
        if self.random.random() < 0.5:
            body = struct.pack("<II", self.random.randrange(4), self.random.randrange(14)) + body
        head = struct.pack("<BBHIII", self.random.randrange(64), 1, 0, 16 + len(body), self.random.randrange(4), self.random.randrange(4))
        return head[:self.random.choice([16, 16, 16, 3])] + body

    def run(self, name):
        lines = ["have s", "have t"] if self.random.random() < 0.9 else []
        lines += [self.line() for _ in range(self.random.randrange(1, 12))]
        text = base64.b64encode("\n".join(lines).encode()).decode()
        self.daemon.ask("POST", "/v1/runs", {"identifiers": [name + ".work"], "payload": text})

    def act(self):
        ask, pick = self.daemon.ask, self.random.choice
        kind, name = pick(self.acts), pick(APPLICATIONS)
        if kind in ("quit", "foreground"):
            ask("POST", f"/v1/applications/{name}/{kind}")
            if kind == "foreground":
                ask("POST", f"/v1/applications/{name}/background")
        elif kind in ("cancel", "pause"):
            known = (ask("GET", "/v1/transfers?open=true&limit=50") or {}).get("transfers", [])
            if known:
                ask("POST", f"/v1/transfers/{pick(known)['id']}/{pick([kind, 'resume'])}")
        elif kind == "add":
            ask("POST", "/v1/transfers", {"application": name, "url": self.url()})
        elif kind == "conditions":
            ask("PATCH", "/v1/device", {pick(["power", "network"]): pick(["battery", "external", "none", "unmetered", "metered"])})
        elif kind.startswith("kill-"):
            if kind == "kill-daemon":
                # Once in a while: most of a round is one life.
                if self.random.random() < 0.1:
                    self.daemon.kill()
                return
            found = self.daemon.processes(kind[5:])
            if found:
                try:
                    os.kill(pick(found), pick([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP]))
                except ProcessLookupError:
                    pass
        elif kind == "reload":
            ask("POST", "/v1/reload")
        elif kind == "ask":
            for path in ("/v1/terminations?limit=500", "/v1/transfers?limit=500", "/v1/journal?limit=500", "/v1/doctor", "/metrics"):
                ask("GET", path)
        else:
            ask("POST", f"/v1/transfers/{self.random.randrange(1 << 62)}/cancel")

    def play(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.daemon.check()
            if self.random.random() < 0.6:
                self.run(self.random.choice(APPLICATIONS))
            else:
                self.act()
            time.sleep(self.random.choice([0, 0, 0.01, 0.1]))

    def settle(self):
        """Everything is cancelled, and has to end."""
        ask = self.daemon.ask
        ask("PATCH", "/v1/device", {"power": "external", "network": "unmetered"})
        for kind in ("worker", "zygote", "transfer"):
            for pid in self.daemon.processes(kind):
                try:
                    os.kill(pid, signal.SIGCONT)
                except ProcessLookupError:
                    pass
        end = time.monotonic() + 180
        while time.monotonic() < end:
            left = [one for one in self.listed("open=true&") if one["state"] not in ("ended", "delivered")]
            if not left:
                return
            for one in left:
                ask("POST", f"/v1/transfers/{one['id']}/cancel")
            time.sleep(0.2)
        raise Finding(f"{len(left)} transfers do not end, such as {left[0]}")

    def listed(self, query=""):
        """Each transfer once, newest first."""
        before, rows = "", []
        while True:
            page = self.daemon.ask("GET", f"/v1/transfers?{query}limit=500{before}")["transfers"]
            rows += page
            if len(page) < 500:
                return rows
            before = f"&before={page[-1]['id']}"

    def inspect(self):
        """Returns how many files were compared."""
        compared = 0
        # What an application kept, by its path: a session that is opened anew begins with the first number again.
        kept = {}
        for one in self.listed():
            if one["kind"] != "download" or one["error"] is not None or one["state"] not in ("ended", "delivered"):
                continue
            size, seed, manner = one["url"].partition("/file/")[2].split("/")
            if manner in ("wild", "long", "short", "part"):
                raise Finding(f"what is no answer was delivered: {one}")
            wanted = b"nothing" if manner == "missing" else server.content(int(size), seed)
            path = os.path.join(self.daemon.state, "applications", one["application"], "state", f"{one['session']}-{one['task']}")
            kept.setdefault(path, []).append(wanted)
            compared += self.compare(one["file"], [wanted], one)
        compared += sum(self.compare(path, wanted, path) for path, wanted in kept.items())
        checks = {row["check"]: row for row in self.daemon.ask("GET", "/v1/doctor")["checks"]}
        if checks["record"]["status"] != "ok":
            raise Finding(f"a row was set aside: {checks['record']}")
        return compared

    @staticmethod
    def compare(path, wanted, subject):
        """Whether there is such a file; it has to be one of those."""
        if not path or not os.path.exists(path):
            return False
        with open(path, "rb") as file:
            if file.read() not in wanted:
                raise Finding(f"other bytes than the server's in {path}: {subject}")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--fixtures", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--round", type=float, default=20, help="seconds of a round")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    options.programs, options.fixtures = os.path.abspath(options.programs), os.path.abspath(options.fixtures)
    port = server.start()
    end = time.monotonic() + options.seconds
    seed, compared, rounds = options.seed, 0, 0
    while time.monotonic() < end:
        folder = tempfile.mkdtemp(prefix="taskhost-fuzz-")
        os.chmod(folder, 0o755)
        daemon = None
        try:
            daemon = Daemon(options, folder, port)
            game = Round(daemon, port, seed)
            game.play(options.round)
            game.settle()
            compared += game.inspect()
            daemon.process.send_signal(signal.SIGTERM)
            if daemon.process.wait(120) != 0:
                raise Finding(f"the daemon stopped with {daemon.process.returncode}")
        except (Finding, OSError, http.client.HTTPException, subprocess.TimeoutExpired) as finding:
            print(f"fuzz: applications: {type(finding).__name__}: {finding}; --seed {seed}; {folder}", file=sys.stderr)
            if daemon:
                daemon.process.kill()
            return 1
        shutil.rmtree(folder, ignore_errors=True)
        rounds += 1
        seed += 1
        print(f"fuzz: applications: {rounds} rounds, {compared} files as the server has them; next --seed {seed}", flush=True)
    return 0


sys.exit(main())
