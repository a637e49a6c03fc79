"""The part `peers` of fleet_bench.py: job queues of others on the same server, in turns with one host.

Each has a database of its own, which its own bulk interface fills; one process with one worker of it then empties it. The programs that
do so, and the versions of the packages, are in the folder `peers`.
"""
import contextlib
import os
import subprocess
import time

from measured import end_process

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers")
DATABASE = "peer"
VERSIONS = "import importlib.metadata as m; print(*(f'{d.name}=={d.version}' for d in m.distributions()), sep='\\n')"


class Peer:
    """package: its name for pip. most: more jobs a second than it ends. ended: its count of those that ended well in a span."""

    def __init__(self, name, package, most, ended):
        self.name, self.package, self.most, self.ended = name, package, most, ended


PEERS = [
    Peer("awa", "awa-pg", 30000, "SELECT coalesce(sum(completed_count), 0) FROM awa.receipt_completion_batches"
         " WHERE finalized_at >= to_timestamp({}) AND finalized_at < to_timestamp({})"),
    Peer("pgqueuer", "pgqueuer", 40000, "SELECT count(*) FROM pgqueuer_log WHERE status = 'successful'"
         " AND created >= to_timestamp({}) AND created < to_timestamp({})"),
    Peer("procrastinate", "procrastinate", 3000, "SELECT count(*) FROM procrastinate_events WHERE type = 'succeeded'"
         " AND at >= to_timestamp({}) AND at < to_timestamp({})")]


class Queue:
    """One peer's, in a new database."""

    def __init__(self, bench, peer, python):
        self.bench, self.peer = bench, peer
        self.command = [python, os.path.join(FOLDER, "program.py"), peer.name]
        self.environment = {**os.environ, "PGHOST": bench.server.place, "PGUSER": "taskhost", "PGDATABASE": DATABASE}
        self.log = os.path.join(bench.folder, f"{peer.name}.log")
        self.worker = None
        self.ask(f"CREATE DATABASE {DATABASE}", "postgres")

    def ask(self, sql, database=DATABASE):
        return self.bench.server.query(sql, database)[0]

    def ended(self, begin, end):
        return int(self.ask(self.peer.ended.format(repr(begin), repr(end))))

    def start(self, *words):
        with open(self.log, "wb") as log:
            return subprocess.Popen([*self.command, *words], env=self.environment, stdout=log, stderr=log)

    def fault(self, what):
        with open(self.log, errors="replace") as log:
            said = log.read().split("\n")
        return RuntimeError(f"{what}; {self.peer.name}; it said last: {next(filter(None, reversed(said)), 'nothing')}")

    def fill(self, count):
        if self.start("fill", str(count)).wait():
            raise self.fault("a peer's queue was not filled")
        self.ask("ANALYZE")

    def measured(self, seconds):
        backlog = (seconds + 6) * self.peer.most
        self.fill(backlog)
        self.worker = self.start("work")
        deadline = time.monotonic() + 60
        while not self.ended(0, time.time()):
            if self.worker.poll() is not None:
                raise self.fault("a peer's worker has ended before its first job")
            if time.monotonic() > deadline:
                raise self.fault("a peer's worker ended no job in 60 s")
            time.sleep(0.05)
        time.sleep(1)
        found = self.bench.window(seconds, [self.worker.pid], self.ended)
        now = time.time()
        # A queue may forget what it has ended, but not within a second.
        if self.ended(0, now) >= backlog or not self.ended(now - 1, now):
            raise self.fault(f"a peer's worker was through with its {backlog} jobs before its turn was over, or stood still")
        return found

    def close(self):
        if self.worker is not None:
            end_process(self.worker, 30)


def versions(environment):
    """Its Python, and the version of each peer."""
    python = os.path.join(environment, "bin", "python3")
    told = ""
    if os.path.exists(python):
        told = subprocess.run([python, "-c", VERSIONS], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = dict(line.split("==", 1) for line in told.splitlines())
    missing = [peer.package for peer in PEERS if peer.package not in found]
    if missing:
        raise RuntimeError(f"packages are missing: {', '.join(missing)}; {environment}; run make bench-fleet FLEET_OPTIONS='--only"
                           " peers', which installs them, or name another Python environment with --peers")
    return python, {peer: found[peer.package] for peer in PEERS}


def clear(bench):
    """Nothing of a turn is left to be vacuumed or written in another one: the server makes a checkpoint before it drops a database."""
    bench.fresh()
    bench.server.query(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)", "postgres")


def measured_host(bench, places):
    bench.fill(bench.backlog())
    found = bench.measured_hosts(bench.options.seconds, 1, places)
    if not bench.number("SELECT count(*) FROM taskhost.request WHERE ready"):
        raise RuntimeError(f"a host of {places} places emptied its queue too early; {bench.backlog()} requests; see backlog()")
    return found


def measure(bench):
    python, version = versions(bench.options.peers)
    hosts = [8, 64]
    turns = {key: [] for key in [*hosts, *PEERS]}
    for number in range(bench.options.rounds):
        keys = list(turns)
        for key in keys if number % 2 == 0 else keys[::-1]:
            clear(bench)
            if key in hosts:
                turns[key].append(measured_host(bench, key))
                continue
            with contextlib.closing(Queue(bench, key, python)) as queue:
                turns[key].append(queue.measured(bench.options.seconds))
    clear(bench)
    for peer in PEERS:
        for places in hosts:
            bench.compare(turns[places], turns[peer], f"fenced requests, 1 host of {places} places", f"{peer.name} {version[peer]}")
