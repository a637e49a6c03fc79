#!/usr/bin/env python3
"""What a fleet costs beside the same statements from plain C, in turns, on a PostgreSQL of its own: make bench-fleet

--only NAMES: parts, with commas. --seconds N: of each turn. --rounds N. --minutes N: of the steady rate, in the place of 30 s, and
of `hour`. Two parts are only run by name: --only hour --rate 200, and --only peers.
Prints a table. Exit status 1: a part went wrong; a missed aim is none, for the machine may be busy (--strict: it is).
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TREE, "Tools"), os.path.join(TREE, "Benchmarks")]
import peers  # noqa: E402
from measured import end_process, processor_seconds  # noqa: E402
from private_postgres import PrivatePostgres  # noqa: E402

PREFIX = "org.taskhost.bench.fleet"
KINDS = 64
LEASE = 10


def percentile(samples, share):
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Host:
    """A `taskhost serve` that is in the fleet."""

    def __init__(self, bench, name, handler="bench_noop", places=8, identifiers=None, keep=None):
        self.bench, self.name = bench, name
        self.folder = keep or os.path.join(bench.folder, f"host-{name}-{time.monotonic_ns()}")
        manifests = os.path.join(self.folder, "manifests")
        os.makedirs(manifests, exist_ok=True)
        for place in (self.folder, manifests):
            os.chmod(place, 0o755)
        shutil.copy(os.path.join(bench.options.plugins, "libBenchFleet.so"), manifests)
        os.chmod(os.path.join(manifests, "libBenchFleet.so"), 0o755)
        tasks = {identifier: {"kind": "processing", "handler": handler, "requires": {"idle": False}}
                 for identifier in identifiers or bench.identifiers}
        self.write(os.path.join(manifests, "fleet.json"),
                   {"identifier": PREFIX, "library": "libBenchFleet.so", "tasks": tasks})
        self.state = os.path.join(self.folder, "state")
        config = os.path.join(self.folder, "config.json")
        self.write(config, {
            "fleet": {"database": bench.server.database(user="worker"), "name": name, "lease": f"{bench.lease}s", "places": places},
            "scheduling": {"concurrency": 64, "processings": 64}})
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(
            [os.path.join(bench.options.bin, "taskhost"), "serve", "--manifests", manifests, "--state", self.state, "--config",
             config], stdout=self.log, stderr=self.log)

    @staticmethod
    def write(path, value):
        with open(path, "w") as file:
            json.dump(value, file)
        os.chmod(path, 0o644)

    def end(self, number=signal.SIGTERM):
        end_process(self.process, 30, number)
        self.log.close()

    def starts(self):
        """(number, submitted, started) in nanoseconds, as the handler noted them."""
        found = []
        for folder, _, files in os.walk(self.state):
            if "starts" in files:
                with open(os.path.join(folder, "starts")) as file:
                    found += [tuple(int(word) for word in line.split()) for line in file if line.count(" ") == 2]
        return found


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="taskhost-fleet-", dir="/var/tmp")
        os.chmod(self.folder, 0o755)
        self.identifiers = [f"{PREFIX}.t{number}" for number in range(1, KINDS + 1)]
        self.server = PrivatePostgres("taskhost-fleet-database-", {
            "shared_buffers": "512MB", "max_connections": "300", "max_wal_size": "4GB", "log_line_prefix": "%n ",
            "jit": "off", "track_functions": "pl", **dict(pair.split("=", 1) for pair in options.set)}, base="/var/tmp")
        self.rows, self.failed = [], False
        self.hosts, self.lease = [], LEASE
        self.fresh()

    def fresh(self):
        """An empty fleet."""
        self.lease = LEASE
        self.server.query("DROP DATABASE IF EXISTS jobs WITH (FORCE)", "postgres")
        self.server.query("CREATE DATABASE jobs", "postgres")
        if self.options.schema:
            with open(self.options.schema) as schema:
                self.server.query("BEGIN; CREATE SCHEMA IF NOT EXISTS taskhost;\n" + schema.read() + "\nCOMMIT;")
        else:
            subprocess.run([os.path.join(self.options.bin, "taskhost"), "fleet", "init", self.server.database()], check=True,
                           stdout=subprocess.DEVNULL)
        self.server.query(
            "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'worker') THEN"
            " CREATE ROLE worker LOGIN IN ROLE taskhost_host; END IF; END $$")

    def ask(self, sql, **keywords):
        return self.server.query(sql, **keywords)[0]

    def number(self, sql):
        return float(self.ask(sql) or "nan")

    def until(self, sql, seconds=60):
        deadline = time.monotonic() + seconds
        while self.ask(sql) != "t":
            for host in self.hosts:
                if host.process.poll() not in (None, -signal.SIGKILL):
                    with open(os.path.join(host.folder, "log")) as log:
                        raise RuntimeError(f"a host has ended; {host.name}; {log.read()[-300:].strip()}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"it did not come to pass in {seconds} s; {sql}")
            time.sleep(0.05)

    def fill(self, count, identifiers=None):
        names = ",".join(identifiers or self.identifiers)
        self.ask(f"SELECT count(taskhost.submit(i)) FROM (SELECT ('{{{names}}}'::text[])[1 + n % {len(identifiers or self.identifiers)}]"
                 f" AS i FROM generate_series(1, {count}) n) s; ANALYZE")

    def host(self, *arguments, **keywords):
        host = Host(self, *arguments, **keywords)
        self.hosts.append(host)
        return host

    def live(self, count):
        self.until(f"SELECT count(*) = {count} FROM taskhost.hosts WHERE state = 'live'")

    def end_hosts(self):
        for host in self.hosts:
            if host.process.poll() is None:
                host.process.terminate()
        for host in self.hosts:
            host.end()
            shutil.rmtree(host.folder, ignore_errors=True)
        self.hosts = []

    def reference(self, *arguments):
        command = [os.path.join(self.options.references, "fleet"), arguments[0], "--database", self.server.database(user="worker"),
                   *[str(argument) for argument in arguments[1:]]]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def result(self, process):
        text = process.communicate()[0]
        if process.returncode:
            raise RuntimeError(f"the reference failed; {process.args[1]}")
        return json.loads(text)

    def ended(self, begin, end):
        return int(self.ask(f"SELECT count(*) FROM taskhost.run WHERE accepted AND ended >= to_timestamp({begin!r})"
                            f" AND ended < to_timestamp({end!r})"))

    def window(self, seconds, processes, ended):
        """What `ended` counts: a second, and processor time of the processes and of the server for each, in milliseconds."""
        own = [processor_seconds(pid) for pid in processes]
        server = processor_seconds(self.server.process.pid)
        begin = time.time()
        time.sleep(seconds)
        end = time.time()
        own = sum(processor_seconds(pid) - before for pid, before in zip(processes, own))
        server = processor_seconds(self.server.process.pid) - server
        count = ended(begin, end)
        return {"count": count, "rate": count / (end - begin), "own": own / max(count, 1) * 1000,
                "server": server / max(count, 1) * 1000}

    def fleet_window(self, seconds, processes):
        """The same of the fleet's ends, with claims for each."""
        claims = self.calls("claim")
        found = self.window(seconds, processes, self.ended)
        return {**found, "claims": (self.calls("claim") - claims) / max(found["count"], 1)}

    def calls(self, *functions):
        """Of functions of the protocol. Sessions tell theirs a second later."""
        names = ", ".join(f"'{name}'" for name in functions)
        return self.number("SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE schemaname = 'taskhost' AND funcname IN"
                           f" ({names})")

    def row(self, work, ours, beside="", reference="", ratio="", aim="", met=None):
        self.rows.append([work, ours, beside, reference, ratio, aim, "" if met is None else "met" if met else "missed"])
        print("  " + " · ".join(cell for cell in self.rows[-1] if cell), flush=True)

    # MARK: Parts

    def measured_reference(self, seconds, most=8, processes=1):
        some = [self.reference("work", "--seconds", seconds + 3, "--claim", most, "--identifiers", KINDS) for _ in range(processes)]
        time.sleep(1)
        found = self.fleet_window(seconds, [one.pid for one in some])
        for one in some:
            self.result(one)
        return found

    def measured_hosts(self, seconds, count, places):
        for number in range(count):
            self.host(f"host{number}", places=places)
        self.live(count)
        self.until("SELECT count(DISTINCT holder) = %d FROM taskhost.request WHERE leased OR ended IS NOT NULL AND"
                   " ended > now() - interval '10 s'" % count)
        time.sleep(1)
        found = self.fleet_window(seconds, [host.process.pid for host in self.hosts])
        self.end_hosts()
        self.until("SELECT count(*) = 0 FROM taskhost.hosts WHERE state = 'live'")
        return found

    def rest(self):
        """Until those who ended something before count no more as the hosts that are measured next."""
        self.until("SELECT NOT EXISTS (SELECT FROM taskhost.request WHERE ended > now() - interval '10 s')")

    def backlog(self):
        """Of requests for one turn. What the hosts end while the last of them starts counts too."""
        return (self.options.seconds + 4) * 8000

    def compare(self, ours, beside, work, name, aim=None):
        """Rows of our turns beside those of another one in the same rounds."""
        def median(turns, what):
            return statistics.median(turn[what] for turn in turns)

        def ratio(what):
            return statistics.median(a[what] / b[what] for a, b in zip(ours, beside))

        self.row(work, f"{median(ours, 'rate'):.0f} /s", name, f"{median(beside, 'rate'):.0f} /s", f"{ratio('rate'):.2f}",
                 f"≥ {aim} ×" if aim else "", ratio("rate") >= aim if aim else None)
        if "claims" in beside[0]:
            self.row("… claims a request", f"{median(ours, 'claims'):.2f}", name, f"{median(beside, 'claims'):.2f}")
        for what, words in (("own", "… its processor time a request"), ("server", "… the server's")):
            self.row(words, f"{median(ours, what):.3f} ms", name, f"{median(beside, what):.3f} ms", f"{ratio(what):.2f}")

    def rate(self):
        """Claims and ends of a backlog, in turns with the C program."""
        backlog = self.backlog()
        turns = {("C", 1, 8): [], ("host", 1, 8): [], ("host", 1, 64): [], ("host", 8, 8): [], ("C", 8, 8): []}
        for number in range(self.options.rounds):
            self.fresh()
            self.fill(backlog)
            keys = list(turns)
            for who, count, places in keys if number % 2 == 0 else keys[::-1]:
                if who == "C":
                    found = self.measured_reference(self.options.seconds, places, count)
                else:
                    found = self.measured_hosts(self.options.seconds, count, places)
                turns[who, count, places].append(found)
                self.rest()
                self.fill(backlog - int(self.number("SELECT count(*) FROM taskhost.request WHERE ready")))

        def compare(ours, beside, aim):
            count, places = ours[1:]
            self.compare(turns[ours], turns[beside], f"fenced requests, {count} host{'s' if count > 1 else ''} of {places} places",
                         f"C, {beside[1]} of {beside[2]}", aim)

        compare(("host", 1, 8), ("C", 1, 8), 0.8)
        compare(("host", 1, 64), ("C", 1, 8), 0.8)
        compare(("host", 8, 8), ("C", 1, 8), 0.8)
        compare(("host", 8, 8), ("C", 8, 8), None)

    def idle(self):
        """The same with a session that stays in a transaction, in turns."""
        ratios, with_idle, without, gone = [], [], [], []
        for number in range(self.options.rounds):
            for is_idle in (False, True) if number % 2 == 0 else (True, False):
                self.fresh()
                self.fill((self.options.seconds * 3 + 5) * 3000)
                session = self.idle_session() if is_idle else None
                # Many requests go by first, and leave what cannot be removed.
                some = [self.reference("work", "--seconds", 2 * self.options.seconds) for _ in range(8)]
                gone.append(sum(self.result(one)["count"] for one in some))
                (with_idle if is_idle else without).append(self.measured_hosts(self.options.seconds, 1, 8)["rate"])
                if session:
                    self.end(session)
            ratios.append(with_idle[-1] / without[-1])
        ratio = statistics.median(ratios)
        self.row(f"fenced requests, a session idle in transaction since {min(gone)} of them", f"{statistics.median(with_idle):.0f} /s", "none",
                 f"{statistics.median(without):.0f} /s", f"{ratio:.2f}", "≥ 0.75 ×", ratio >= 0.75)

    def hour(self):
        """A session stays in a transaction for --minutes (60) while a host works at --rate; then the rate with it and after it."""
        self.fresh()
        seconds = int((self.options.minutes or 60) * 60)
        session = self.idle_session()
        host = self.host("hour", places=64)
        self.live(1)
        count = self.result(self.reference("submit", "--seconds", seconds, "--rate", self.options.rate, "--connections", 8,
                                           "--identifiers", KINDS))["rate"]["count"]
        self.until("SELECT count(*) = 0 FROM taskhost.request WHERE ended IS NULL", 300)
        self.end_hosts()
        self.until("SELECT count(*) = 0 FROM taskhost.hosts WHERE state = 'live'")
        dead = self.number("SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE schemaname = 'taskhost'")
        rates = []
        for is_idle in (True, False):
            if not is_idle:
                self.end(session)
                self.ask("VACUUM ANALYZE")
            self.rest()
            self.fill((self.options.seconds + 5) * 5000)
            rates.append(self.measured_hosts(self.options.seconds, 1, 8)["rate"])
            self.ask("DELETE FROM taskhost.request WHERE ended IS NULL")
        ratio = rates[0] / rates[1]
        self.row(f"fenced requests, a session idle in transaction for {seconds // 60} min and {count} of them, {dead:.0f} dead rows",
                 f"{rates[0]:.0f} /s", "none", f"{rates[1]:.0f} /s", f"{ratio:.2f}", "≥ 0.75 ×", ratio >= 0.75)

    def peers(self):
        """Job queues of others, each with one worker, in turns with one host."""
        peers.measure(self)

    def idle_session(self):
        session = subprocess.Popen(["psql", "-X", "-q", "-d", self.server.database()], stdin=subprocess.PIPE, text=True)
        session.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 \\g /dev/null\n")
        session.stdin.flush()
        self.until("SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'idle in transaction'")
        return session

    @staticmethod
    def end(session):
        session.stdin.close()
        session.wait()

    def steady(self):
        """From a submission to its handler's start, at a steady rate."""
        self.fresh()
        seconds = int(self.options.minutes * 60) if self.options.minutes else 30
        rate = self.options.rate
        host = self.host("steady", "bench_note", places=64)
        self.live(1)
        most_dead = 0
        submitter = self.reference("submit", "--seconds", seconds, "--rate", rate, "--connections", 8, "--identifiers", KINDS)
        own, server = processor_seconds(host.process.pid), processor_seconds(self.server.process.pid)
        while submitter.poll() is None:
            time.sleep(5)
            most_dead = max(most_dead, self.number(
                "SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname IN ('request', 'host')"))
        result = self.result(submitter)
        self.until("SELECT count(*) = 0 FROM taskhost.request WHERE ended IS NULL", 120)
        count = result["rate"]["count"]
        own = (processor_seconds(host.process.pid) - own) / count * 1000
        server = (processor_seconds(self.server.process.pid) - server) / count * 1000
        samples = [(started - submitted) / 1e6 for _, submitted, started in host.starts()]
        if len(samples) < count:
            raise RuntimeError(f"{count} were submitted, {len(samples)} started")
        p99 = percentile(samples, 0.99)
        reached = count / result["rate"]["seconds"]
        self.row(f"from submission to start at {reached:.0f}/s for {seconds} s: p99", f"{p99:.1f} ms",
                 "p50, longest", f"{percentile(samples, 0.5):.1f} ms, {max(samples):.0f} ms", "", "≤ 50 ms", p99 <= 50)
        self.row("… statements a request: claim", f"{self.calls('claim') / count:.2f}", "next_free",
                 f"{self.calls('next_free') / count:.2f}")
        self.row("… processor time a request: host", f"{own:.3f} ms", "server", f"{server:.3f} ms")
        self.row("… dead rows at the most", f"{most_dead:.0f}", "", "", "", "≤ 1000", most_dead <= 1000)
        self.end_hosts()

    def recovery(self):
        """How soon the rate is what it was, after all sessions were killed and after the server was."""
        for name, blow in (("all sessions are killed", lambda: self.ask(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'worker'")),
                           ("the server is killed and starts again", self.restart)):
            self.fresh()
            self.fill(int((self.options.seconds + 5 * LEASE) * 1500))
            for number in range(2):
                self.host(f"host{number}")
            self.live(2)
            time.sleep(2)
            begin = time.time()
            time.sleep(self.options.seconds)
            middle = time.time()
            blow()
            down = time.time() - middle
            time.sleep(4 * LEASE)
            before = self.ended(begin, middle) / (middle - begin)
            bins = [self.ended(middle + second, middle + second + 1) for second in range(4 * LEASE - 1)]
            back = next((second for second in range(len(bins) - 2) if sum(bins[second:second + 3]) / 3 >= before * 0.95), None)
            first = next((second for second, count in enumerate(bins) if second > 0 and count > 0), None)
            left = self.number("SELECT count(*) FROM taskhost.request WHERE leased AND free < now()")
            twice = self.number("SELECT count(*) FROM (SELECT key FROM taskhost.run WHERE accepted GROUP BY key HAVING count(*) > 1) t")
            self.row(f"the rate is back after {name}", "never" if back is None else f"{back / LEASE:.1f} leases",
                     f"away for {down:.1f} s", f"first end after {first} s", "", "≤ 2 leases", back is not None and back <= 2 * LEASE)
            if left or twice:
                raise RuntimeError(f"{left} leases are left over, {twice} requests ended twice")
            self.end_hosts()

    def restart(self):
        self.server.kill()
        time.sleep(1)
        self.server.start()

    def single(self):
        """One application's request beside 100,000 of another that wait."""
        self.fresh()
        self.fill(100_000, self.identifiers[:1])
        self.ask("ALTER ROLE worker SET log_statement = 'all'")
        counts, spans = [], []
        try:
            self.host("single")
            self.live(1)
            time.sleep(3)
            for number in range(20):
                time.sleep(0.2)
                key, at = self.ask(f"SELECT taskhost.submit('{self.identifiers[1 + number]}'), extract(epoch FROM clock_timestamp())"
                                   ).split("|")
                self.until(f"SELECT ended IS NOT NULL FROM taskhost.request WHERE key = '{key}'")
                claimed = float(self.ask(f"SELECT extract(epoch FROM claimed) FROM taskhost.request WHERE key = '{key}'"))
                spans.append((claimed - float(at)) * 1000)
                with open(self.server.log, errors="replace") as log:
                    claims = [float(line.split(" ")[0]) for line in log if "FROM taskhost.claim(" in line and "LOG:" in line]
                # The log has milliseconds. Those that began after the submission; the one that got it is one of them.
                counts.append(sum(1 for claim in claims if float(at) + 0.001 < claim <= claimed + 0.001))
        finally:
            self.ask("ALTER ROLE worker RESET log_statement")
            self.end_hosts()
        self.row("claims until a single request is claimed, 100,000 of another application waiting: most of 20", str(max(counts)),
                 "p50", f"{percentile(spans, 0.5):.1f} ms", "", "≤ 2", max(counts) <= 2)

    def wake(self):
        """From a submission to the start on a host that waits, and what NOTIFY and a warm run take by themselves."""
        self.fresh()
        host = self.host("wake", "bench_note")
        self.live(1)
        self.until("SELECT count(*) = 1 FROM taskhost.host WHERE waits")
        submitter = self.reference("submit", "--seconds", self.options.seconds, "--rate", 10, "--connections", 1, "--identifiers", KINDS)
        self.result(submitter)
        self.until("SELECT count(*) = 0 FROM taskhost.request WHERE ended IS NULL")
        samples = [(started - submitted) / 1e6 for _, submitted, started in host.starts()]
        bare = self.result(self.reference("notice", "--seconds", self.options.seconds))
        # A host of its own, without a fleet: one run after the other in a warm worker.
        warm = subprocess.run(
            [os.path.join(self.options.bin, "taskhost"), "run", self.identifiers[0], "--manifests",
             os.path.join(host.folder, "manifests"), "--state", os.path.join(host.folder, "alone"), "--repeat", "300",
             "--payload-text", "0 0", "--json"], stdout=subprocess.PIPE, text=True)
        if warm.returncode:
            raise RuntimeError(f"taskhost run ended with {warm.returncode}")
        warm = json.loads(warm.stdout)
        self.end_hosts()
        self.until("SELECT count(*) = 0 FROM taskhost.hosts WHERE state = 'live'")
        plain = self.result(self.reference("wake", "--seconds", self.options.seconds))
        latency = find(warm, "p50")
        bound = 2 * bare["p50"] * 1000 + (latency or 0) * 1000
        p50 = percentile(samples, 0.5)
        self.row("from submission to start on a host that waits: p50 (p99)", f"{p50:.2f} ms ({percentile(samples, 0.99):.2f} ms)",
                 "2 × NOTIFY and a warm run", f"2 × {bare['p50'] * 1000:.2f} ms + {(latency or 0) * 1000:.2f} ms", f"{p50 / bound:.2f}",
                 "≤ 1.0 ×", p50 <= bound)
        self.row("… the same", f"{p50:.2f} ms", "C, from submission to claim",
                 f"{plain['p50'] * 1000:.2f} ms ({plain['p99'] * 1000:.2f} ms)", f"{p50 / plain['p50'] / 1000:.2f}")

    def quiet(self):
        """Statements of hosts with nothing to do."""
        self.fresh()
        # As a configuration has it that says nothing of it.
        self.lease = 30
        count = self.options.idle_hosts
        for number in range(count):
            self.host(f"quiet{number}", identifiers=self.identifiers[:4])
        self.until(f"SELECT count(*) = {count} FROM taskhost.hosts WHERE state = 'live'", 180)
        self.until(f"SELECT count(*) = {count} FROM taskhost.host WHERE waits", 60)
        # What they say once has been said.
        time.sleep(15)
        sent = ("seen", "claim", "next_free", "renew", "keep", "complete", "join")
        begin, before = time.monotonic(), self.calls(*sent)
        seconds = self.options.idle_seconds
        time.sleep(seconds)
        span = time.monotonic() - begin
        spent = self.calls(*sent) - before
        parts = ", ".join(f"{name} {self.calls(name):.0f}" for name in ("seen", "claim", "next_free"))
        self.end_hosts()
        rate = spent / span / count * 1000
        self.row(f"statements a second of 1,000 idle hosts, leases of {self.lease} s", f"{rate:.0f} /s",
                 f"of {count} in {seconds} s", parts, "", "≤ 100 /s", rate <= 100)

    def takeover(self):
        """A host is killed at its work: another one has it."""
        leases = []
        for _ in range(self.options.rounds):
            self.fresh()
            first = self.host("first", "bench_long", identifiers=self.identifiers[:8])
            self.live(1)
            self.fill(8, self.identifiers[:8])
            self.until("SELECT count(*) = 8 FROM taskhost.request WHERE leased")
            self.host("second", identifiers=self.identifiers[:8])
            self.live(2)
            time.sleep(1)
            killed = time.time()
            first.process.kill()
            self.until("SELECT count(*) = 8 FROM taskhost.request WHERE ended IS NOT NULL", 6 * LEASE)
            leases.append((self.number("SELECT max(extract(epoch FROM claimed)) FROM taskhost.request") - killed) / LEASE)
            self.end_hosts()
        self.row("a killed host's work is claimed by another: the last of 8, worst turn", f"{max(leases):.2f} leases", "", "", "",
                 "≤ 2 leases", max(leases) <= 2)

    def submitters(self):
        """64 submitters at once, with a host that waits for news and without."""
        rates = {True: [], False: []}
        for number in range(self.options.rounds):
            for waits in (True, False) if number % 2 == 0 else (False, True):
                self.fresh()
                if waits:
                    self.ask("SELECT taskhost.seen(taskhost.join('waits', 'waits', gen_random_uuid(), '1', '{}', '1 day'), '{}', true)")
                listener = subprocess.Popen(["psql", "-X", "-q", "-d", self.server.database(user="worker")], stdin=subprocess.PIPE,
                                            stdout=subprocess.DEVNULL, text=True)
                if waits:
                    listener.stdin.write("LISTEN taskhost_requests;\n")
                    listener.stdin.flush()
                result = self.result(self.reference("submit", "--seconds", self.options.seconds, "--connections", 64,
                                                    "--identifiers", KINDS))["rate"]
                listener.stdin.close()
                listener.wait()
                rates[waits].append(result["count"] / result["seconds"])
        ratio = statistics.median(a / b for a, b in zip(rates[True], rates[False]))
        self.row("submissions of 64 sessions, a host waits", f"{statistics.median(rates[True]):.0f} /s", "no host waits",
                 f"{statistics.median(rates[False]):.0f} /s", f"{ratio:.2f}", "≥ 0.8 ×", ratio >= 0.8)


def find(value, name):
    """The first member of the name in a JSON value, however deep."""
    if isinstance(value, dict):
        if name in value:
            return value[name]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            found = find(one, name)
            if found is not None:
                return found
    return None


PARTS = ["rate", "idle", "steady", "recovery", "single", "wake", "quiet", "takeover", "submitters"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--references", required=True)
    parser.add_argument("--plugins", required=True)
    parser.add_argument("--schema", help="makes the fleet, in the place of 'taskhost fleet init'")
    parser.add_argument("--peers", default=os.path.join(TREE, ".build", "bench", "peers-venv"), metavar="FOLDER",
                        help="the Python environment of `peers`")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--rate", type=int, default=800)
    parser.add_argument("--idle-hosts", type=int, default=20, help="inotify's instances of a user are few")
    parser.add_argument("--idle-seconds", type=int, default=120)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable of the server")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    # So that hosts and server end, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    bench = Bench(options)
    try:
        for name in options.only.split(","):
            print(f"{name}: {' '.join(getattr(Bench, name).__doc__.split())}", flush=True)
            try:
                getattr(bench, name)()
            except (RuntimeError, subprocess.SubprocessError, ValueError) as error:
                print(f"bench-fleet: {name} went wrong; {error}", file=sys.stderr, flush=True)
                bench.failed = True
                bench.end_hosts()
    finally:
        bench.end_hosts()
        bench.server.close()
        shutil.rmtree(bench.folder, ignore_errors=True)
    head = ["work", "ours", "beside it", "", "ratio", "aim", ""]
    widths = [max(len(row[column]) for row in [head, *bench.rows]) for column in range(len(head))]
    print(f"\n{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, {options.rounds} rounds of {options.seconds} s\n")
    for row in [head, ["-" * width for width in widths], *bench.rows]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    missed = any(row[6] == "missed" for row in bench.rows)
    return 1 if bench.failed or options.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
